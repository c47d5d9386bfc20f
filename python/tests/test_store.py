"""Runs in object storage or in a folder that workers share have the same bytes as those that are played here."""

import json
import multiprocessing
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import upheaval as up
from elsewhere import SMALL, TOURNAMENT, files, network_of_ones_own
from upheaval.store import Ledger, Store

PARTS = 6


@pytest.fixture(scope="module", autouse=True)
def network() -> Iterator[None]:
    with network_of_ones_own():
        yield


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> up.Run:
    return up.run(SMALL, out=tmp_path_factory.mktemp("here"))


@pytest.fixture(autouse=True)
def small_manifests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ledger, "CHUNKS_A_MANIFEST", 4)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of a server on this machine that speaks S3."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    with socket.create_connection((host, port)) as made:
        made.sendall(f"PUT /games HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        assert b" 200 " in made.recv(1000)
    yield "s3://games/runs"
    server.stop()


class Dying:
    """Plays tasks here, and fails from one on, as if the driver were gone."""

    def __init__(self, after: int) -> None:
        self.left = after

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("the driver is gone")
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(fn, *args)


def test_workers_put_their_parts_into_object_storage(here: up.Run, bucket: str, tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        run = up.run_into(bucket, SMALL, executor=executor)
        assert run.url == f"{bucket}/{here.path.name}"
        assert [file["path"] for file in run.manifest["manifests"]] == [
            "manifests/00000.jsonl",
            "manifests/00001.jsonl",
        ]
        assert run.check(read=True) == []
        copy = run.fetch(tmp_path)
        assert files(copy) == files(here) and copy.verify() == []
        assert pl.DataFrame(copy.games).equals(pl.DataFrame(here.games))
        # The run is complete, and is not played again.
        assert up.run_into(bucket, SMALL, executor=Dying(0)).manifest == run.manifest
        store = Store(run.url)
        lost = next(path for path, _, _ in run.files() if path.startswith("turns/"))
        store.put(lost, b"something else")
        assert [fault for fault in run.check() if fault.startswith(lost)]
        with pytest.raises(OSError, match="does not have the hash"):
            run.fetch(tmp_path / "harmed")
        again = up.run_into(bucket, SMALL, executor=executor, afresh=True)
        assert again.check(read=True) == []


@pytest.mark.parametrize("after", range(1, PARTS))
def test_an_interrupted_driver_is_resumed_in_the_store(here: up.Run, tmp_path: Path, after: int) -> None:
    url = f"file://{tmp_path}/shared/runs"
    tasks: list[int] = []

    def counted(executor: Any) -> Any:
        class Counting:
            num_workers = 1

            def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
                tasks.append(args[2])
                return executor.submit(fn, *args)

        return Counting()

    with pytest.raises(ConnectionError):
        up.run_into(url, SMALL, executor=Dying(after), in_flight=1)
    with ThreadPoolExecutor(1) as pool:
        run = up.run_into(url, SMALL, executor=counted(pool))
    assert sum(tasks) == PARTS - after, "existing parts are not played again"
    folder = tmp_path / "shared" / "runs" / run.name
    assert up.verify(folder) == [] and files(up.Run(folder)) == files(here)
    # Readers of run folders can read this one.
    assert pl.DataFrame(up.Run(folder).games).equals(pl.DataFrame(here.games))
    assert up.balance(folder).data == up.balance(here).data
    assert run.fetch(tmp_path / "copy").verify() == []


def test_what_is_lost_in_the_store_is_played_again(here: up.Run, tmp_path: Path) -> None:
    url = f"file://{tmp_path}"
    with pytest.raises(ConnectionError):
        up.run_into(url, SMALL, executor=Dying(5), in_flight=1)
    (folder,) = tmp_path.iterdir()
    lost = folder / "turns" / f"variant={next((folder / 'games').iterdir()).name[8:]}" / "part-00001.parquet"
    lost.unlink()
    # The leftover of a worker that is killed while it writes.
    lost.with_name("part-00002.parquet#1").write_bytes(b"half")
    run = up.run_into(url, SMALL)
    assert up.verify(folder) == [] and files(up.Run(folder)) == files(here)
    assert run.check() == []


def test_what_was_changed_in_the_store_is_played_again(here: up.Run, tmp_path: Path) -> None:
    url = f"file://{tmp_path}"
    with pytest.raises(ConnectionError):
        up.run_into(url, SMALL, executor=Dying(5), in_flight=1)
    (folder,) = tmp_path.iterdir()
    (changed, *_) = sorted(folder.glob("turns/**/part-00001.parquet"))
    data = bytearray(changed.read_bytes())
    data[len(data) // 2] ^= 1
    changed.write_bytes(data)
    run = up.run_into(url, SMALL)
    assert run.check(read=True) == [] and files(up.Run(folder)) == files(here)


def test_tournaments_go_into_stores(tmp_path: Path) -> None:
    here = up.tournament(TOURNAMENT, out=tmp_path / "here")
    run = up.run_into(f"file://{tmp_path}/there", TOURNAMENT, kind="tournament")
    assert files(run.fetch(tmp_path / "copy")) == files(here)
    assert up.standings(tmp_path / "copy" / run.name).text == up.standings(here).text


def test_two_drivers_at_once_do_no_harm(here: up.Run, tmp_path: Path) -> None:
    url = f"file://{tmp_path}"
    both = [threading.Thread(target=up.run_into, args=(url, SMALL)) for _ in range(2)]
    for driver in both:
        driver.start()
    for driver in both:
        driver.join()
    folder = tmp_path / here.path.name
    assert up.verify(folder) == [] and files(up.Run(folder)) == files(here)


def test_a_manifest_leads_nowhere_else(here: up.Run, tmp_path: Path) -> None:
    run = up.run_into(f"file://{tmp_path}", SMALL)
    folder = tmp_path / run.name
    manifest = json.loads((folder / "manifest.json").read_text())
    for path in ("../outside", "/etc/passwd", "games//x", "a\\b"):
        manifest["files"][0]["path"] = path
        (folder / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(up.UpheavalError, match="not below the run"):
            up.RemoteRun(run.url).fetch(tmp_path / "copy")
    shutil.copy(folder / "experiment.toml", folder / "manifests" / "00000.jsonl")
    with pytest.raises(up.UpheavalError, match="not a manifest of this run"):
        up.RemoteRun(run.url).files()
    assert any("not a manifest of this run" in fault for fault in up.verify(folder))


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(up.UpheavalError, match="is not a URL"):
        up.run_into(str(tmp_path), SMALL)
    with pytest.raises(up.UpheavalError, match="`run_into` plays a run into a store"):
        up.run(SMALL, out=f"file://{tmp_path}")
    with pytest.raises(up.UpheavalError, match="cannot be used as a store"):
        up.run_into("nowhere://x/y", SMALL)
    with pytest.raises(up.UpheavalError, match="is not a complete run"):
        up.RemoteRun(f"file://{tmp_path}/none")
    url = f"file://{tmp_path}"
    run = up.run_into(url, {**SMALL, "games": 7, "sweep": []})
    manifest = tmp_path / run.name / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"experiment_hash": "', '"experiment_hash": "0'))
    with pytest.raises(up.UpheavalError, match="contains something else than this run"):
        up.run_into(url, {**SMALL, "games": 7, "sweep": []})
