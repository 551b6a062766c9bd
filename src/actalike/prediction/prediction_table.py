"""Put predictions of many cases into a table: a row for each continuation of each case."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from actalike.labels import table_bytes
from actalike.prediction.trained_predictor import CasePrediction
from actalike.support.files import write_atomically

_COLUMNS = ("case", "events", "last_activity", "rank", "next_activity", "ends", "probability", "note", "case_number")
_DECIMALS = 4  # of probabilities in a file


def prediction_facts(cases: Iterable[CasePrediction]) -> list[dict[str, Any]]:
    """Return predictions as plain values, for JSON. Cases count from 1, as in the file.

    >>> prediction_facts([CasePrediction("7", 0, 0, None, (), "no events")])
    [{'case': '7', 'case_number': 1, 'events': 0, 'last_activity': None, 'next': [], 'note': 'no events'}]
    """
    return [
        {
            "case": one.case,
            "case_number": one.case_number + 1,
            "events": one.events,
            "last_activity": one.last_activity,
            "next": [
                {"activity": activity, "ends": activity is None, "probability": share} for activity, share in one.predictions
            ],
            "note": one.note or None,
        }
        for one in cases
    ]


def write_predictions(cases: Iterable[CasePrediction], path: str | Path) -> None:
    """Write predictions as a CSV file (docs/file_formats.md), whole or not at all."""
    content = table_bytes((_COLUMNS, *_rows(cases)))
    write_atomically(path, lambda part: part.write_bytes(content))


def _rows(cases: Iterable[CasePrediction]) -> Iterator[tuple[str, ...]]:
    for one in cases:
        begins = one.case, str(one.events), one.last_activity or ""
        number = str(one.case_number + 1)
        if not one.predictions:
            yield *begins, "", "", "", "", one.note, number
        for rank, (activity, share) in enumerate(one.predictions, start=1):
            ends = "yes" if activity is None else "no"
            yield *begins, str(rank), activity or "", ends, f"{share:.{_DECIMALS}f}", one.note, number
