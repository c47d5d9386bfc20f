"""Runs in a store that all workers can reach: object storage, or a shared folder. `upheaval.run_into` plays
them."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from upheaval._upheaval import RawLedger, UpheavalError, blake3_of, files_of_manifest, manifest_path, plan_facts
from upheaval.cluster import Job
from upheaval.folder import Run

T = TypeVar("T")

MANIFEST = "manifest.json"
TRANSFERS = 8
"""How many files a process writes or reads at once: each waits for the network most of the time."""


def is_url(word: str) -> bool:
    """Is it a URL, such as `s3://bucket/runs`, rather than a path?"""
    return re.match(r"[a-z][a-z0-9+.-]*://", word) is not None


_importing = Lock()
"""Several threads that import obstore for the first time at once would find it half initialised."""


@lru_cache(maxsize=4)
def _opened(url: str) -> Any:
    with _importing:
        return _open(url)


def _open(url: str) -> Any:
    try:
        import obstore  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
        from obstore.exceptions import BaseError  # type: ignore[import-not-found, unused-ignore]
        from obstore.store import from_url  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise UpheavalError("runs at a URL need the package obstore: `pip install 'upheaval[store]'`") from error
    opening: Callable[..., Any] = from_url
    try:
        return opening(url, **({"mkdir": True} if url.startswith("file:") else {}))
    except (BaseError, ValueError) as error:
        raise UpheavalError(f"`{url}` cannot be used as a store: {_said(error)}") from error


def _said(error: BaseException) -> str:
    """The message of an error, without nested structures."""
    return str(error).split("\n\nDebug source:")[0]


@lru_cache(maxsize=1)
def _transfers(process: int) -> ThreadPoolExecutor:
    """The threads of a process that put and get files; a process that was forked has its own."""
    return ThreadPoolExecutor(TRANSFERS)


@dataclass(frozen=True, slots=True)
class Store:
    """A folder in object storage, by its URL. A file in it is either complete or absent."""

    url: str

    def put(self, path: str, data: bytes) -> None:
        """Puts a file, replacing the one at that path."""
        self._try(path, lambda: _opened(self.url).put(path, data))

    def get(self, path: str) -> bytes | None:
        """The bytes of a file; None if there is none."""
        return self._try(path, lambda: bytes(_opened(self.url).get(path).bytes()))

    def length(self, path: str) -> int | None:
        """The length of a file; None if there is none."""
        found = self._try(path, lambda: _opened(self.url).head(path)["size"])
        return None if found is None else int(found)

    def lengths(self, paths: Sequence[str]) -> list[int | None]:
        """The length of each of these files."""
        return list(_transfers(os.getpid()).map(self.length, paths))

    def clear(self) -> None:
        """Removes every file; the file that makes a run complete goes first."""
        store = _opened(self.url)
        self._try(MANIFEST, lambda: store.delete(MANIFEST))
        for some in store.list():
            paths = [file["path"] for file in some]
            self._try("", partial(store.delete, paths))

    def put_part(self, part: bytes) -> Callable[[], bytes]:
        """Begins to put the files of a part. The returned function waits for them, and returns the part's head."""
        head, _, rest = part.partition(b"\n")
        puts, begin = [], 0
        for file in json.loads(head)["files"]:
            data = rest[begin : begin + file["bytes"]]
            puts.append(_transfers(os.getpid()).submit(self.put, file["path"], data))
            begin += file["bytes"]

        def wait() -> bytes:
            for put in puts:
                put.result()
            return head

        return wait

    def _try(self, path: str, act: Callable[[], T]) -> T | None:
        try:
            return act()
        except FileNotFoundError:
            return None
        except Exception as error:
            # Obstore is imported only when a store is used.
            if type(error).__module__.startswith("obstore"):
                raise OSError(f"`{self.url}/{path}`: {_said(error)}") from error
            raise


class Ledger:
    """The driver of a run in a store: it keeps the record of the parts, whose files the workers put."""

    SECONDS_BETWEEN_SAVES = 10.0
    """Parts accepted since then are played again, with the same bytes, if the driver is interrupted."""
    CHUNKS_A_MANIFEST: int | None = None
    """How many chunks a manifest below the first lists, if the engine's default is not used."""

    def __init__(self, url: str, job: Job, *, afresh: bool) -> None:
        if not is_url(url):
            raise UpheavalError(f"`{url}` is not a URL, such as `s3://bucket/runs` or `file:///shared/runs`")
        self._raw = RawLedger(job, self.CHUNKS_A_MANIFEST)
        self.plan = self._raw.plan
        self.store = Store(f"{url.rstrip('/')}/{self._raw.folder}")
        self.is_whole = False
        if afresh:
            self.store.clear()
        elif (found := self.store.get(MANIFEST)) is not None:
            self._refuse_another(found)
            self.is_whole = True
        else:
            self._resume()
        self._saved = time.monotonic()

    def _refuse_another(self, manifest: bytes) -> None:
        try:
            found = json.loads(manifest)["experiment_hash"]
        except (ValueError, KeyError, TypeError):
            found = None
        if found != plan_facts(self.plan)[0]:
            raise UpheavalError(f"`{self.store.url}` contains something else than this run; choose another place")

    def _resume(self) -> None:
        number = 0
        while (manifest := self.store.get(manifest_path(number))) is not None:
            if not self._raw.resume(manifest, self.store.lengths):
                break
            number += 1
        # They are already in the store.
        self._raw.full()

    @property
    def size(self) -> tuple[int, int]:
        """The number of parts, and the total number of games."""
        return self._raw.size

    @property
    def taken(self) -> tuple[int, int]:
        """The number of accepted parts, and of their games."""
        return self._raw.taken

    def accept(self, part: bytes, /) -> tuple[int, bool]:
        """Accepts the head of the next part."""
        result = self._raw.accept(part)
        for path, data in self._raw.full():
            self.store.put(path, data)
        if time.monotonic() - self._saved > self.SECONDS_BETWEEN_SAVES:
            self.save()
        return result

    def save(self) -> None:
        """Puts the manifest that is not full yet."""
        unfinished = self._raw.open()
        if unfinished is not None:
            self.store.put(*unfinished)
        self._saved = time.monotonic()

    def finish(self) -> None:
        """Completes the run."""
        for path, data in self._raw.finish():
            if path == MANIFEST:
                self._sweep()
            self.store.put(path, data)

    def _sweep(self) -> None:
        """Removes the leftovers of killed workers in a folder of this machine, where a file is first written under a
        temporary name: the file's name with `#` and a number."""
        parts = urlsplit(self.store.url)
        if parts.scheme == "file":
            for path in Path(unquote(parts.path)).rglob("*.parquet#*"):
                path.unlink(missing_ok=True)


class RemoteRun:
    """A run in a store. Its tables are Hive-partitioned Parquet: `polars.scan_parquet(run.table("games"))`."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._store = Store(self.url)
        manifest = self._store.get(MANIFEST)
        if manifest is None:
            raise UpheavalError(f"`{self.url}` is not a complete run: it has no {MANIFEST}")
        self._bytes = manifest
        self.manifest: dict[str, Any] = json.loads(manifest)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.url.rsplit("/", 1)[1]

    def table(self, name: str) -> str:
        """The URL of all files of a table, with wildcards."""
        return f"{self.url}/{name}/**/*.parquet"

    def files(self) -> list[tuple[str, int, str]]:
        """Every file except the manifest: its path, its length, and its BLAKE3."""
        return files_of_manifest(self._bytes, self._needed)

    def _needed(self, path: str) -> bytes:
        found = self._store.get(path)
        if found is None:
            raise FileNotFoundError(f"`{self.url}/{path}` is not there")
        return found

    def check(self, *, read: bool = False) -> list[str]:
        """The faults of the files: those that are missing or whose length differs from the manifest; with `read`
        also those whose bytes differ, for which all files are read."""

        def fault(file: tuple[str, int, str]) -> str | None:
            path, length, hash = file
            found = self._store.length(path)
            if found is None:
                return f"{path}: is missing"
            if found != length:
                return f"{path}: has {found} bytes, but the manifest says {length}"
            if read and blake3_of(self._needed(path)) != hash:
                return f"{path}: its hash differs from the manifest"
            return None

        return [fault for fault in _transfers(os.getpid()).map(fault, self.files()) if fault is not None]

    def fetch(self, out: str | os.PathLike[str] = "results") -> Run:
        """Copies the run into a folder of this machine and returns it. Hashes are compared; files that an interrupted
        copy has finished are not copied again."""
        target = Path(out) / self.name
        if target.exists():
            there = Run(target)
            if there.manifest["experiment_hash"] != self.manifest["experiment_hash"]:
                raise UpheavalError(f"`{target}` is another run")
            return there
        hidden = Path(out) / f".upheaval-fetch-{self.name}"
        if hidden.is_symlink():
            raise UpheavalError(f"`{hidden}` is a link, and the copy would be written through it")
        hidden.mkdir(parents=True, exist_ok=True)

        def copy(file: tuple[str, int, str]) -> None:
            path, _, hash = file
            to = hidden / path
            if to.is_file() and blake3_of(to.read_bytes()) == hash:
                return
            data = self._needed(path)
            if blake3_of(data) != hash:
                raise OSError(f"`{self.url}/{path}` does not have the hash in the manifest")
            to.parent.mkdir(parents=True, exist_ok=True)
            unfinished = to.with_name(f"{to.name}.unfinished")
            unfinished.write_bytes(data)
            unfinished.replace(to)

        for _ in _transfers(os.getpid()).map(copy, self.files()):
            pass
        (hidden / MANIFEST).write_bytes(self._bytes)
        hidden.rename(target)
        return Run(target)

    def __repr__(self) -> str:
        return f"RemoteRun({self.url!r})"
