"""Folders of results: what they are of, and the small files in them, each written whole or not at all."""

import hashlib
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from actalike.benchmark.intrinsic.ground_truth import log_digest
from actalike.errors import ActalikeError, did_you_mean
from actalike.log import EventLog
from actalike.methods import Method
from actalike.support.atomic_files import write_atomically

PLAN_FILE = "benchmark.json"
_REQUESTS = "_requests"


def open_folder(out: Path, described: Mapping[str, Any]) -> None:
    """Make a result folder, or check that the one that is there is described alike."""
    path = out / PLAN_FILE
    if path.exists():
        found = read_json(path)
        differing = [f"{key} {found.get(key)!r}, not {value!r}" for key, value in described.items() if found.get(key) != value]
        if differing:
            raise ActalikeError(f"{out} holds results of another plan ({'; '.join(differing)}): choose another --out.")
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        strangers = any(path.suffix != ".part" for path in out.iterdir())  # .part: from a run that was killed
    except OSError as error:
        raise ActalikeError(f"{out} cannot be made: {error.strerror}.") from None
    if strangers:
        raise ActalikeError(f"{out} is neither empty nor a folder of results: choose another --out.")
    write_json(path, described)


def read_description(out: Path, *keys: str) -> dict[str, Any]:
    """What the results of a folder have in common."""
    path = out / PLAN_FILE
    if not path.exists():
        raise ActalikeError(f"{out} is not a folder of results: it has no {PLAN_FILE}. 'actalike benchmark' makes one.")
    return read_json(path, "benchmark", *keys)


def note_request(out: Path, request: Mapping[str, Any]) -> None:
    """Note what is to be computed, so that a table can say what is missing; the same for all parts of a run."""
    digest = hashlib.sha256(json.dumps(request).encode()).hexdigest()
    path = out / _REQUESTS / f"{digest[:16]}.json"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        write_json(path, request)


def requests(out: Path, *keys: str) -> list[dict[str, Any]]:
    """What was asked for so far."""
    return [read_json(path, *keys) for path in sorted((out / _REQUESTS).glob("*.json"))]


def open_log(out: Path, name: str, log: EventLog) -> str:
    """Note a log in the folder, or check that it is the one that was noted; its digest."""
    digest = log_digest(log)
    path = out / name / "log.json"
    if path.exists():
        if read_json(path, "log_digest")["log_digest"] != digest:
            raise ActalikeError(
                f"{out} holds results of another log that is also called {name!r}: rename one, or choose another --out."
            )
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"log": name, "log_digest": digest, "activities": len(log.activities), **log.statistics()})
    return digest


def of_logs(results: pl.DataFrame, logs: Collection[str] | None, out: Path) -> pl.DataFrame:
    """The results of these logs alone; of all, where none are named."""
    if logs is None:
        return results
    known = set(results["log"])
    for log in logs:
        if log not in known:
            raise ActalikeError(f"{out} has no results of a log called {log!r}.{did_you_mean(log, sorted(known))}")
    return results.filter(pl.col("log").is_in(list(logs)))


def error_text(error: BaseException) -> str:
    """An error as it stands in a result file."""
    return f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace").decode()


def parameters_of(method: Method) -> dict[str, Any]:
    """The parameters of a method as far as it tells them: as they are, or what Python prints of them."""
    parameters = method.get_params() if hasattr(method, "get_params") else {}
    return {name: v if isinstance(v, str | int | float | bool | None) else repr(v) for name, v in parameters.items()}


def read_json(path: Path, *keys: str) -> dict[str, Any]:
    """What a result file holds; a damaged one, or one without these keys, is an error."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ActalikeError(f"{path} is not a sound result file ({error}): remove it and run again.") from None
    if not isinstance(found, dict) or any(key not in found for key in keys):
        raise ActalikeError(f"{path} is not a sound result file: remove it and run again.")
    return found


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a result file, whole or not at all."""
    text = json.dumps(content, indent=1) + "\n"  # as ASCII: a label may hold what UTF-8 cannot
    write_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))


def write_tidy(table: pl.DataFrame, path: Path) -> None:
    """Write all single results to a ``.parquet`` or ``.csv`` file."""
    if path.suffix not in (".parquet", ".csv"):
        raise ActalikeError(f"{path}: the kind of file is told by the name, which must end in .parquet or .csv.")
    write_atomically(path, table.write_parquet if path.suffix == ".parquet" else table.write_csv)
