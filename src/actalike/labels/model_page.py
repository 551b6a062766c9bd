"""The model on one page: every piece of evidence that two labels are one step, every level of it, and its weight.

All of it is read from the file of weights, so it is what :mod:`actalike.labels.step_probabilities` adds up. A log adds what
depends on it: how many of its labels are too rare to judge, what separate periods and people weigh in it, and which neighbours
are rare in it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_type_hints

import numpy as np

from actalike.counting import WindowCounts, count_windows, log_or_variants
from actalike.embedding import ENOUGH_CASES
from actalike.io import LogLike
from actalike.labels.evidence import WINDOW, StepWeights, neighbour_surprises, shipped_weights, shipped_weights_about
from actalike.labels.step_probabilities import PIECES, RELIABLE_CASES, ReasonKind, chance_of_separate_use
from actalike.labels.witnesses import Usage, WitnessKind
from actalike.log import AnyLog, Variants
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.text import counted, percent
from actalike.support.weights import Weights, probability_of

Part = Literal["interchangeable", "same step"]
_SCHEMA = "actalike/evidence-model/1"


class EvidenceLevel(NamedTuple):
    """Hold a level of a piece of evidence and its weight.

    - ``part``: of which sum it is a term: that two labels are ``"interchangeable"``, or that they are the ``"same step"``.
    - ``evidence``: its name in the file of weights; ``reason``: the kind of :class:`Reason` that it is told with.
    - ``figure``: where the weight is given; between two levels it is linear, and beyond the outermost it is constant.
    - ``log_odds``: the weight; ``about``: what the evidence is, in words; ``level``: the figure in words.
    """

    part: Part
    evidence: str
    reason: ReasonKind
    figure: float
    log_odds: float
    about: str
    level: str


class WeightInLog(NamedTuple):
    """Hold what separate use by time (``"periods"``) or people weighs in a log.

    ``share``: of how many unrelated pairs of the log that holds, with half a pair more than were found, so that it is never 0;
    None, as ``log_odds``, if the log does not record it.
    """

    evidence: str
    share: float | None
    log_odds: float | None


class NeighbourInLog(NamedTuple):
    """Hold how much a neighbour in common counts in a log: -ln of its mean share among the neighbours of all labels.

    ``side`` is ``"before"`` or ``"after"``; ``neighbour`` is None for the start or the end of a case.
    """

    side: Literal["before", "after"]
    neighbour: str | None
    surprise: float


class LogInModel(NamedTuple):
    """Hold what the model depends on in a log.

    - ``labels``; ``too_rare``: those in fewer than 5 cases, which are never judged; ``in_part``: those in fewer than 10, of which
      behaviour counts only in part. The latter include the former.
    - ``weights``: of separate periods and people; ``neighbours``: of each side, by how much each counts, the commonest first.
    """

    labels: int
    too_rare: int
    in_part: int
    weights: tuple[WeightInLog, ...]
    neighbours: tuple[NeighbourInLog, ...]


@tracked("reading the model")
def evidence_model(log: LogLike | Variants | None = None, *, counts: WindowCounts | None = None) -> "EvidenceModel":
    """Return the model of :func:`actalike.same_step` on one page: every piece of evidence, every level, and its weight.

    With a ``log`` (an EventLog, Variants, a frame of events, a table of an engine, an event log of pm4py), also what depends on
    it: how many labels are too rare to judge, the weights of separate periods and people, and which neighbours are rare. If you
    have already counted its windows (of size 5 or more), pass the ``counts`` to save the work.

    >>> model = evidence_model()
    >>> model
    EvidenceModel(19 pieces of evidence, fitted on 22 logs)
    >>> [(one.level, one.log_odds) for one in model.levels if one.evidence == "position"]
    [('0 %', -1.139), ('100 %', 1.464)]
    """
    weights = shipped_weights()
    if log is None:
        return EvidenceModel(weights, shipped_weights_about())
    whole = log_or_variants(log, "evidence_model", attributes="people")
    return EvidenceModel(weights, shipped_weights_about(), _of_log(whole, weights.same_step, counts), whole.frame_kind)


@dataclass(frozen=True, repr=False)
class EvidenceModel:
    """Hold the weights of all evidence, what they were fitted on, and what depends on a log; :func:`evidence_model` makes it.

    - ``fitted``: what the file of weights says of itself: by which command it was fitted, and on which logs.
    - ``log``: what depends on a log, None without one.
    - ``judged_cases``, ``full_cases``: from so many cases of the rarer label on, pairs are judged, and behaviour counts in full.
    """

    weights: StepWeights
    fitted: dict[str, Any]
    log: LogInModel | None = None
    frame_kind: FrameKind = "polars"
    judged_cases: int = ENOUGH_CASES
    full_cases: int = RELIABLE_CASES

    @property
    def levels(self) -> list[EvidenceLevel]:
        """Return every level of every piece of evidence, in the order in which they are added: first of interchangeable."""
        behaviour = self.weights.interchangeable
        prior = [("not at all", 0.0, self.weights.too_rare.base), ("in full", 1.0, behaviour.base)]
        levels = [
            EvidenceLevel("interchangeable", "any pair", "any pair", reliability, base, _ANY_PAIR, words)
            for words, reliability, base in prior
        ]
        reasons: dict[str, ReasonKind] = {name: kind for kind, names in PIECES.items() for name in names}
        levels += _levels("interchangeable", behaviour, reasons)
        return levels + _levels("same step", self.weights.same_step, {"interchangeable": "base rate"})

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike explain --model --json`` prints (docs/reference/json.md)."""
        log = self.log
        return {
            "schema": _SCHEMA,
            "fitted": self.fitted,
            "judged_cases": self.judged_cases,
            "full_cases": self.full_cases,
            "levels": [level._asdict() for level in self.levels],
            "log": None
            if log is None
            else {
                "labels": log.labels,
                "too_rare": log.too_rare,
                "in_part": log.in_part,
                "weights": [one._asdict() for one in log.weights],
                "neighbours": [one._asdict() for one in log.neighbours],
            },
        }

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each level of each piece of evidence.

        ``kind`` is "polars", "pandas" or "pyarrow"; without it, that of the frame that was read, Polars for other logs.
        """
        import polars as pl  # here: the page of the model needs no frame

        schema = {name: pl.Float64 if hint is float else pl.String for name, hint in get_type_hints(EvidenceLevel).items()}
        return as_kind(pl.DataFrame(self.levels, schema=schema, orient="row"), kind or self.frame_kind)

    def __repr__(self) -> str:
        pieces = len({(level.part, level.evidence) for level in self.levels} - {("interchangeable", "any pair")})
        logs = counted(len(self.fitted["fitted_on"]), "log")
        return f"EvidenceModel({counted(pieces, 'piece')} of evidence, fitted on {logs})"


def _levels(part: Part, weights: Weights, reasons: dict[str, Any]) -> list[EvidenceLevel]:
    return [
        EvidenceLevel(
            part, name, reasons.get(name, name), figure, points, _DESCRIPTIONS[name].about, _DESCRIPTIONS[name].level(figure)
        )
        for name, piece in weights.pieces.items()
        for figure, points in zip(piece.at, piece.points, strict=True)
    ]


def _of_log(log: AnyLog, weights: Weights, counts: WindowCounts | None) -> LogInModel:
    counts = count_windows(log, WINDOW) if counts is None else counts
    chance = chance_of_separate_use(log, counts)
    symbols: list[str | None] = [*log.activities, None]
    sides: tuple[Literal["before", "after"], ...] = ("before", "after")
    return LogInModel(
        labels=len(log.activities),
        too_rare=int(np.count_nonzero(log.activity_cases < ENOUGH_CASES)),
        in_part=int(np.count_nonzero(log.activity_cases < RELIABLE_CASES)),
        weights=tuple(_in_log(log, weights, kind, chance[kind]) for kind in ("periods", "people")),
        neighbours=tuple(
            NeighbourInLog(side, symbols[i], surprise)
            for side, surprises in zip(sides, neighbour_surprises(counts), strict=True)
            for i, surprise in surprises.items()
        ),
    )


def _in_log(log: AnyLog, weights: Weights, kind: WitnessKind, share: float) -> WeightInLog:
    if not Usage(log).records(kind):
        return WeightInLog(kind, None, None)
    return WeightInLog(kind, share, float(weights.pieces[kind].of(np.array(-math.log(share)))))


class _Description(NamedTuple):
    """Say what a piece of evidence is, and what a figure of it means."""

    about: str
    level: Callable[[float], str]


def _share_of_log(figure: float) -> str:
    return percent(min(math.exp(figure), 1.0))


def _times(figure: float) -> str:
    return f"{math.exp(figure):.2g} times"


def _rank(figure: float) -> str:
    return f"rank {math.expm1(figure):.0f}"


def _yes_or_no(figure: float) -> str:
    return "yes" if figure else "no"


_ANY_PAIR = "Any two labels; the rarer one of them is, the less behaviour counts"
_DESCRIPTIONS = {
    "rare_overlap": _Description("Direct neighbours in common, rare ones counting more", percent),
    "overlap_rank": _Description("Rank among each other's competitors, by direct neighbours", _rank),
    "context_rank": _Description("Rank among each other's competitors, by contexts of 5", _rank),
    "nearness": _Description("Distance by kin, compared with that to the nearest quarter of labels", _times),
    "position": _Description("Positions in the case in common", percent),
    "shared_cases": _Description("Cases of the rarer label that have both", _share_of_log),
    "attraction": _Description("Cases that have both, compared with chance", _times),
    "excess": _Description("Cases that have both beyond chance and repetition", _share_of_log),
    "cases": _Description("Cases of the rarer label", lambda figure: counted(round(math.exp(figure)), "case")),
    "interchangeable": _Description(
        "How likely they are interchangeable (base rate)", lambda figure: percent(float(probability_of(np.array(figure))))
    ),
    "text": _Description("Alike in spelling; the same second name counts as the same text", percent),
    "names": _Description("Different second names", _yes_or_no),
    "opposites": _Description("Words that say the opposite", _yes_or_no),
    "pattern": _Description("They differ only in a number, an id, a date or a name", _yes_or_no),
    "words": _Description("Each has a word that the other has not", _yes_or_no),
    "scheme": _Description("Labels with the same words but in one place", lambda figure: counted(round(figure), "label")),
    "tokens": _Description("One token tells them apart", _yes_or_no),
    "periods": _Description(
        "One is used before the other; by how many unrelated pairs of the log are", lambda figure: percent(math.exp(-figure))
    ),
    "people": _Description(
        "Different people use them; by how many unrelated pairs of the log", lambda figure: percent(math.exp(-figure))
    ),
}
