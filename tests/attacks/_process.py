"""One attack of the campaign in a process of its own: started, watched, started again after an abort or a hang.

    python -m tests.attacks._process MODULE SEED SECONDS FOLDER KEPT REPORTS

is that process. It writes a line of JSON for each attempt to the file descriptor REPORTS: its standard output belongs to the module.
"""

import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
VERDICTS = ("same", "refused", "unseen", "aborted", "wrong")  # of an Outcome; the table has a column for each
PATIENCE = float(os.environ.get("ATTACK_PATIENCE", "60"))  # seconds after which an attempt hangs
FIRST_PATIENCE = 2 * PATIENCE  # for the first attempt: Spark and Chromium have to start
MOST_KEPT = 20  # wrong attempts of a process whose files are kept
_OFTEN = 5  # aborts or hangs in a row, without an attempt between them, after which an attack is given up


class AttackProcess:
    """Run a module's attempts for some seconds, and count what became of them."""

    def __init__(self, module: Path, seed: str, seconds: float, place: Path, kept: Path) -> None:
        self.module, self.seed, self.kept = module, seed, kept
        self.folder = place / module.stem
        self.counts = dict.fromkeys(VERDICTS, 0)
        self.missing: str | None = None
        self.details: list[str] = []
        self._began = time.monotonic()
        self._end = self._began + seconds
        self._starts = self._in_vain = 0
        self._seconds: float | None = None
        self._start()

    @property
    def seconds(self) -> float:
        """Seconds since the start, or until the end."""
        return time.monotonic() - self._began if self._seconds is None else self._seconds

    @property
    def seconds_left(self) -> float:
        """Seconds until the end of its time."""
        return max(0.0, self._end - time.monotonic())

    def _start(self) -> None:
        """Start the process with a seed of its own."""
        self._starts += 1
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        reports, write = os.pipe()
        os.set_blocking(reports, False)
        words = [
            self.module,
            f"{self.seed} {self.module.stem} {self._starts}",
            self._end - time.monotonic(),
            self.folder,
            self.kept,
            write,
        ]
        self._output: IO[bytes] = (self.folder.parent / f"{self.module.stem}.output").open("w+b")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.attacks._process", *map(str, words)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            pass_fds=[write],
            start_new_session=True,  # so that Ctrl-C does not reach it, and all that it started can be ended with it
        )
        os.close(write)
        self._reports = os.fdopen(reports, "rb", buffering=0)
        self._unread = b""
        self._tried = 0  # by this process
        self._heard = time.monotonic()
        self._ended = False

    def look(self) -> bool:
        """Take the reports that have come, end what hangs, start again what aborted; return whether the attack goes on."""
        if self._seconds is not None:
            return False
        gone = self._process.poll() is not None  # asked before the last reports are read
        self._take_reports()
        if gone:
            status = self._process.returncode
            if not self._ended:
                how = f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
                return self._failed(f"the process {how}: {self._last_output()}")
            return self._finish()
        patience = PATIENCE if self._tried else FIRST_PATIENCE
        if time.monotonic() - self._heard > patience:
            self._kill()
            return self._failed(f"no answer within {patience:g} seconds: {self._last_output()}")
        return True

    def _take_reports(self) -> None:
        while chunk := self._reports.read(1 << 16):
            self._heard = time.monotonic()
            *lines, self._unread = (self._unread + chunk).split(b"\n")
            for line in lines:
                self._take(json.loads(line))

    def _take(self, report: dict[str, Any]) -> None:
        self._ended |= "end" in report
        self.missing = report.get("missing", self.missing)
        if verdict := report.get("verdict"):
            self.counts[verdict] += 1
            self._tried += 1
            self._in_vain = 0
            if verdict == "wrong":
                self.details.append(report["detail"])

    def _failed(self, what: str) -> bool:
        """Count an abort or a hang as wrong, keep the files, and start again if there is time."""
        self._close()
        self.counts["wrong"] += 1
        place = keep(self.folder, self.kept, what)
        self.details.append(f"{what} (attempt {self._tried + 1} of start {self._starts}; {place})")
        self._in_vain += 1
        if time.monotonic() < self._end and self._in_vain < _OFTEN:
            self._start()
            return True
        return self._finish()

    def _last_output(self) -> str:
        """Return the last lines that the process has printed."""
        self._output.seek(0)
        return " / ".join(self._output.read().decode(errors="replace").splitlines()[-6:])[-1500:] or "it printed nothing"

    def stop(self) -> None:
        """Count what has been reported, and end the process and all that it has started."""
        self._take_reports()
        self._kill()
        self._finish()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _finish(self) -> bool:
        self._seconds = self.seconds
        self._close()
        return False

    def _close(self) -> None:
        self._kill()  # what it left behind
        self._reports.close()
        self._output.close()


def keep(folder: Path, kept: Path, detail: str) -> str:
    """Copy the files of a wrong attempt with what was wrong with them; return where they are."""
    number = sum(1 for path in kept.glob(f"{folder.name}-*"))
    if number >= MOST_KEPT:
        return "files not kept: there are many already"
    target = kept / f"{folder.name}-{number + 1}"
    shutil.copytree(folder, target, symlinks=True, ignore_dangling_symlinks=True)
    (target / "what_was_wrong.txt").write_text(detail + "\n", encoding="utf-8", errors="backslashreplace")
    return f"files in {target.name}"


def serve(module: Path, seed: str, seconds: float, folder: Path, kept: Path, reports: IO[bytes]) -> None:
    """Make attempts until the time is over, at least one, and report each."""
    end = time.monotonic() + seconds

    def report(**facts: str) -> None:
        reports.write(json.dumps(facts).encode() + b"\n")

    attack = load(module)
    reason = attack.missing()
    if reason is not None:
        report(missing=reason)
    else:
        attempts = attack.attempts(random.Random(seed), folder)
        for verdict, detail in attempts:
            if verdict == "wrong":
                detail = f"{detail} ({keep(folder, kept, detail)})"
            report(verdict=verdict, detail=detail)
            if time.monotonic() >= end:
                break
        attempts.close()  # so that it can clean up
    report(end="")


def load(module: Path) -> Any:
    """Import an attack by its file: by its name in the package, if it is one of these."""
    if module.parent == Path(__file__).parent:
        return importlib.import_module(f"tests.attacks.{module.stem}")
    spec = importlib.util.spec_from_file_location(module.stem, module)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


if __name__ == "__main__":
    name, seed_of_start, duration, own_folder, kept_folder, descriptor = sys.argv[1:]
    with os.fdopen(int(descriptor), "wb", buffering=0) as pipe:
        serve(Path(name), seed_of_start, float(duration), Path(own_folder), Path(kept_folder), pipe)
