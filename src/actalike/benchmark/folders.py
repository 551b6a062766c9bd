"""Folders of results: what they are of, and the small files in them, each written whole or not at all."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec
import polars as pl

from actalike.errors import ActalikeError
from actalike.methods import Method
from actalike.support.files import is_part_name, make_folder, write_atomically
from actalike.support.frames import for_spreadsheets, write_frame
from actalike.support.saved import json_fault

TEXT = Annotated[str, msgspec.Meta(pattern="^[^\ud800-\udfff]*$")]
COUNT = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
NUMBER = Annotated[float, msgspec.Meta(ge=-1e100, le=1e100)]  # sums and squares of such numbers are finite
FIGURES = list[dict[TEXT, NUMBER | bool | None]]  # of a result file, by draw

PLAN_FILE = "benchmark.json"
_REQUESTS = "_requests"
NO_LOG_NAMES = ("", ".", "..", PLAN_FILE, _REQUESTS)  # a log has a folder of its own, which cannot be called so


class _Description(msgspec.Struct):
    benchmark: TEXT


class LogFacts(msgspec.Struct):
    """Describe what the file ``log.json`` of a folder says at least."""

    log: TEXT
    log_digest: TEXT
    cases: COUNT
    events: COUNT
    activities: COUNT
    variants_per_case: NUMBER
    reading_seconds: NUMBER = 0.0  # of the efficiency benchmark


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
        description = read_json(plan_file, _Description)
        logs = {file.parent.name: read_json(file, LogFacts) for file in sorted(path.glob("*/log.json"))}
        return cls(path, description, logs)

    @property
    def plan_file(self) -> Path:
        """The file with what all results have in common."""
        return self.path / PLAN_FILE

    @property
    def benchmark(self) -> str:
        """The name of the benchmark."""
        return str(self.description["benchmark"])

    def digest(self, log: str) -> str:
        """Return the digest of the log that has this folder."""
        if log not in self.logs:
            raise unsound(self.path / log / "log.json", "it is missing")
        return str(self.logs[log]["log_digest"])

    def requests(self, schema: Any) -> list[dict[str, Any]]:
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


def note_log(out: Path, name: str, digest: str, facts: Mapping[str, Any]) -> None:
    """Note what a log is, or check that what was noted has the same digest."""
    path = out / name / "log.json"
    if path.exists():
        if read_json(path, LogFacts)["log_digest"] != digest:
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


def read_json(path: Path, schema: Any = dict) -> dict[str, Any]:
    """Read a result file; a damaged one, or one that is not of this type of msgspec, is an error."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise unsound(path, json_fault(error)) from None
    if problem := violation(content, schema):
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
    """Reject a name that does not say which kind of file all single results are written to."""
    if path.suffix not in (".parquet", ".csv"):
        raise ActalikeError(f"{path}: the name must end in .parquet or .csv.")


def write_tidy(table: pl.DataFrame, path: Path) -> None:
    """Write all single results to a ``.parquet`` or ``.csv`` file."""
    check_tidy(path)
    write_frame(path, table.write_parquet if path.suffix == ".parquet" else for_spreadsheets(table).write_csv)


def violation(content: Any, schema: Any) -> str | None:
    """Return what is wrong with a content, None if it is of this type.

    >>> violation({"log": "a"}, dict[str, str]), violation({"log": 1}, dict[str, str])
    (None, 'Expected `str`, got `int` - at `$[...]`')
    """
    try:
        msgspec.convert(content, schema)
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:  # the second is of an unpaired surrogate
        return json_fault(error)
    return None
