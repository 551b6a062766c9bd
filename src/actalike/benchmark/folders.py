"""Folders of results: what they are of, and the small files in them, each written whole or not at all."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import polars as pl

from actalike.benchmark.result_schemas import COUNT, NUMBER, TEXT, Schema, keys, record, violation
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.support.files import is_part_name, make_folder, write_atomically
from actalike.support.frames import for_spreadsheets, write_frame
from actalike.support.saved import json_fault

PLAN_FILE = "benchmark.json"
_REQUESTS = "_requests"
NO_LOG_NAMES = ("", ".", "..", PLAN_FILE, _REQUESTS)  # a log has a folder of its own, which cannot be called so
_DESCRIPTION = record(benchmark=TEXT)
_LOG_FACTS = record(log=TEXT, log_digest=TEXT, cases=COUNT, events=COUNT, activities=COUNT, variants_per_case=NUMBER)
_ANYTHING: Schema = None  # an object of any kind


@dataclass(frozen=True)
class ResultFolder:
    """A folder of results: its place, what its results have in common, and the facts of each log, by the log's folder."""

    path: Path
    description: Mapping[str, Any]
    logs: Mapping[str, Mapping[str, Any]]

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Read what a folder says of its results; the results themselves are read by their benchmark."""
        path = Path(path)
        plan_file = path / PLAN_FILE
        if not plan_file.exists():
            raise ActalikeError(f"{path} is not a folder of results: it has no {PLAN_FILE}. 'actalike benchmark' makes one.")
        description = read_json(plan_file, _DESCRIPTION)
        logs = {file.parent.name: read_json(file, _LOG_FACTS) for file in sorted(path.glob("*/log.json"))}
        return cls(path, description, logs)

    @property
    def plan_file(self) -> Path:
        """The file with what all results have in common."""
        return self.path / PLAN_FILE

    @property
    def benchmark(self) -> str:
        """The name of the benchmark."""
        return str(self.description["benchmark"])

    def check_format(self, expected: int) -> None:
        """Refuse results that were written in another format than this version reads."""
        if self.description.get("format", expected) != expected:
            raise ActalikeError(
                f"{self.path} holds results in format {self.description['format']}, and this version reads format {expected}: "
                "run the benchmark again into another folder."
            )

    def described(self, schema: Schema) -> list[Any]:
        """Return what a schema requires of the description of all results; what is missing there, or damaged, is an error."""
        if problem := violation(self.description, schema):
            raise unsound(self.path / PLAN_FILE, problem)
        return [self.description[key] for key in keys(schema)]

    def digest(self, log: str) -> str:
        """Return the digest of the log that has this folder."""
        if log not in self.logs:
            raise unsound(self.path / log / "log.json", "it is missing")
        return str(self.logs[log]["log_digest"])

    def requests(self, schema: Schema = _ANYTHING) -> list[dict[str, Any]]:
        """Read what was asked for so far."""
        return [read_json(file, schema) for file in sorted((self.path / _REQUESTS).glob("*.json"))]


def open_folder(out: Path, description: Mapping[str, Any]) -> None:
    """Make a result folder, or check that the one that is there has the same description."""
    path = out / PLAN_FILE
    if path.exists():
        present = read_json(path)
        differing = [
            f"{key} {present.get(key)!r}, not {value!r}" for key, value in description.items() if present.get(key) != value
        ]
        if differing:
            raise ActalikeError(f"{out} holds results of another plan ({'; '.join(differing)}): choose another --out.")
        return
    try:
        make_folder(out)
        strangers = any(not is_part_name(path.name) for path in out.iterdir())  # parts: from a run that was killed
    except OSError as error:
        raise ActalikeError(f"{out} cannot be read: {error.strerror}.") from None
    if strangers:
        raise ActalikeError(f"{out} is neither empty nor a folder of results: choose another --out.")
    write_json(path, description)


def note_request(out: Path, request: Mapping[str, Any]) -> None:
    """Note what is to be computed, so that a table can say what is missing; the note is the same for all parts of a run."""
    digest = hashlib.sha256(json.dumps(request).encode()).hexdigest()
    path = out / _REQUESTS / f"{digest[:16]}.json"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        write_json(path, request)


def open_log(out: Path, name: str, log: EventLog) -> str:
    """Note a log in the folder, or check that it is the one that was noted; return its digest."""
    digest = log.digest
    note_log(out, name, digest, {"activities": len(log.activities), **log.statistics()})
    return digest


def note_log(out: Path, name: str, digest: str, facts: Mapping[str, Any]) -> None:
    """Note what a log is, or check that what was noted has the same digest."""
    path = out / name / "log.json"
    if path.exists():
        if read_json(path, _LOG_FACTS)["log_digest"] != digest:
            raise ActalikeError(
                f"{out} holds results of another log that is also called {name!r}: rename one, or choose another --out."
            )
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"log": name, "log_digest": digest, **facts})


def error_text(error: BaseException) -> str:
    """Return an error as it stands in a result file."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace").decode()


def parameters_of(method: Method) -> dict[str, Any]:
    """Return the parameters of a method that has scikit-learn's ``get_params``, as result files hold them."""
    parameters = method.get_params() if hasattr(method, "get_params") else {}
    return {name: v if isinstance(v, str | int | float | bool | None) else repr(v) for name, v in parameters.items()}


def read_json(path: Path, schema: Schema = _ANYTHING) -> dict[str, Any]:
    """Read a result file, which is an object; a damaged one, or one that the schema does not allow, is an error."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise unsound(path, json_fault(error)) from None
    problem = "it is not an object" if not isinstance(content, dict) else None
    if problem is None and schema is not _ANYTHING:
        problem = violation(content, schema)
    if problem:
        raise unsound(path, problem)
    return content


def unsound(path: Path, reason: str) -> ActalikeError:
    """Return the error about a damaged result file."""
    return ActalikeError(f"{path} is not a sound result file ({reason}): remove it and run again.")


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a result file, whole or not at all."""
    text = json.dumps(content, indent=1) + "\n"  # as ASCII: a label may hold what UTF-8 cannot
    write_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))


def check_tidy(path: Path) -> None:
    """Refuse a name that does not say which kind of file all single results are written to."""
    if path.suffix not in (".parquet", ".csv"):
        raise ActalikeError(f"{path}: the kind of file is told by the name, which must end in .parquet or .csv.")


def write_tidy(table: pl.DataFrame, path: Path) -> None:
    """Write all single results to a ``.parquet`` or ``.csv`` file."""
    check_tidy(path)
    write_frame(path, table.write_parquet if path.suffix == ".parquet" else for_spreadsheets(table).write_csv)
