"""External programs are ended with the run in Python that has started them, however it ends."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import upheaval as up

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has guards")

# A program that never answers, and whose child leaves the group and loses its parent.
PROGRAM = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1] + ".new", "w") as told:
            told.write(str(os.getpid()))
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        time.sleep(600)
    os._exit(0)
os.wait()
time.sleep(600)
"""

EXPERIMENT = """
name = "guests"
variants = ["standard"]
games = 7
seed = 1
last_year = 1901
threads = 1
[seats]
lineup = ["mine", "hold", "hold", "hold", "hold", "hold", "hold"]
[bots.mine]
command = {command}
stall_ms = 600000
"""

RUN = "import sys, upheaval as up; up.run(sys.argv[1], out=sys.argv[2])"


def lives(process: int) -> bool:
    """Is it running, and not only an entry that its parent has not reaped yet?"""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def wait(reason: str, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end, f"never: {reason}"
        time.sleep(0.02)


def experiment(tmp_path: Path, body: str) -> Path:
    program = tmp_path / "program.py"
    program.write_text(body)
    file = tmp_path / "guests.toml"
    words = [sys.executable, str(program), str(tmp_path / "told")]
    file.write_text(EXPERIMENT.format(command=json.dumps(words)))
    return file


@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_is_ended_leaves_no_process_even_of_those_that_left_the_group(
    tmp_path: Path, ended_by: signal.Signals
) -> None:
    file = experiment(tmp_path, PROGRAM)
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(file), str(tmp_path / "out")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    told = tmp_path / "told"
    wait("the program has started", told.exists)
    child = int(told.read_text())
    assert lives(child)
    run.send_signal(ended_by)
    assert run.wait(120) == -ended_by
    wait("the child is ended", lambda: not lives(child))


def test_a_program_whose_guard_is_a_script_ends_with_its_own_status(tmp_path: Path) -> None:
    file = experiment(tmp_path, "import sys; sys.exit(7)")
    with pytest.raises(up.UpheavalError, match="the bot `mine` cannot be started: (?s:.*)exit status: 7"):
        up.run(str(file), out=str(tmp_path / "out"))
