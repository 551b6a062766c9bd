"""The intervals of similarities, as the commands show them."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from actalike.cli.console import print_note
from actalike.embedding import RESAMPLES, Confidence, Embedding
from actalike.errors import ActalikeError
from actalike.methods import has_checked_intervals

ResamplesOption = Annotated[
    int,
    typer.Option(
        "--resamples", metavar="N", min=0, help="With --method: resample the cases N times (20 or more) for intervals; 0: none."
    ),
]


def find_intervals(embedding: Embedding, pairs: list[tuple[str, str]], resamples: int) -> Sequence[Confidence | None]:
    """Return the intervals of some similarities; None for each if there are no cases to resample."""
    if not resamples or embedding.resampler is None:
        return [None] * len(pairs)
    if not has_checked_intervals(embedding.method):
        print_note(f"the intervals of {embedding.method} may be too narrow: only those of kin were validated (docs/concepts.md).")
    return embedding.confidences(pairs, resamples)


def refuse_resamples(resamples: int) -> None:
    """Raise an error if a number of resamples is given where there is no similarity to resample."""
    if resamples != RESAMPLES:
        raise ActalikeError("--resamples is for the intervals of a similarity: give --method too.")


def interval_facts(confidence: Confidence | None) -> dict[str, Any]:
    """Return an interval as data for JSON."""
    if confidence is None:
        return {"low": None, "high": None, "cases": None, "too_rare": None}
    return {"low": confidence.low, "high": confidence.high, "cases": confidence.cases, "too_rare": confidence.too_rare}


def interval_words(confidence: Confidence | None) -> str:
    """Return what follows a similarity in a sentence."""
    if confidence is None:
        return ""
    if confidence.too_rare:
        return f", but that is too rare to judge: they are in {confidence.cases[0]:,} and {confidence.cases[1]:,} cases"
    return f", 95 % interval {confidence} (cases resampled)"
