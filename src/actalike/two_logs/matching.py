"""Match the activities of two logs: which activity of one is which of the other, without trusting labels.

What is stated follows from the scores of all pairs (:mod:`actalike.two_logs.cross_kin`) and their probabilities
(:mod:`actalike.two_logs.partners`). All of it is computed from the variants of the logs; how it is said is in
:mod:`actalike.two_logs.describe`.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from actalike.counting import log_or_variants
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.io import LogLike
from actalike.labels import PERIOD, translation
from actalike.log import AnyLog, Variants
from actalike.support.frames import FrameKind, as_kind
from actalike.two_logs.cross_kin import CrossKin, MatchReason, cross_kin, largest_terms
from actalike.two_logs.decisions import check_apart, check_known
from actalike.two_logs.describe import (
    matching_card,
    matching_facts,
    matching_frame,
    matching_rows,
    matching_summary,
    write_matching,
)
from actalike.two_logs.evidence import Codes, Floats
from actalike.two_logs.partners import (
    PROPOSED,
    MatchedPair,
    PartnerProbabilities,
    Unmatched,
    partner_probabilities,
    split_steps,
)
from actalike.two_logs.parts import shared_labels, two_parts
from actalike.two_logs.texts import label_likeness, text_evidence


def match(
    log_a: LogLike | Variants,
    log_b: LogLike | Variants | None = None,
    known: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    use_labels: bool = False,
    *,
    apart: Iterable[tuple[str, str]] = (),
    by: str | None = None,
) -> "Matching":
    """Match the activities of two logs by what is around them; labels are not looked at unless ``use_labels``.

    Or give one log and ``by``, a column that was read with it, or ``"period"``: the two parts of the log are matched in which
    labels differ most; values whose cases have much the same labels are one part. Labels that both parts use are known to be the
    same step, so what is left are two vocabularies.

    A log is an EventLog, Variants, a frame of events (pandas, Polars, pyarrow, ...), a table of an engine (DuckDB, Spark, Ibis),
    whose variants are read, or an event log of pm4py. ``known`` are pairs that are certain: the label of b by the label of a, or
    a list of pairs. ``apart`` are pairs that are certainly not one step, the label of a first: they are not proposed, nor as
    parts of a split step.

    >>> from actalike import EventLog
    >>> a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 9)
    >>> b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 9)
    >>> sorted(pair[:2] for pair in match(a, b).pairs)
    [('cancel', '4'), ('order', '1'), ('pack', '2'), ('send', '3')]
    """
    if (log_b is None) == (by is None):
        raise ActalikeError("match takes two logs, or one log and a column that divides it (by).")
    if log_b is None or by is not None:
        wanted = None if by in (None, PERIOD) else [str(by)]
        log = log_a if isinstance(log_a, Variants) else log_or_variants(log_a, "match", attributes=wanted)
        return _match_parts(log, str(by), known, use_labels, apart)
    log_a, log_b = log_or_variants(log_a, "match"), log_or_variants(log_b, "match")
    known = check_known(known, log_a.activities, log_b.activities)
    not_one = check_apart(apart, known, log_a.activities, log_b.activities)
    names = log_a.names, log_b.names
    return match_variants(log_a.variants, log_b.variants, known, not_one, names, use_labels, log_a.frame_kind)


def _match_parts(
    log: AnyLog,
    by: str,
    known: Mapping[str, str] | Iterable[tuple[str, str]] | None,
    use_labels: bool,
    apart: Iterable[tuple[str, str]],
) -> "Matching":
    (name_a, _, a), (name_b, _, b) = two_parts(log, by).parts
    given = check_known(known, a.activities, b.activities)
    not_one = check_apart(apart, given, a.activities, b.activities)
    taken = set(given.values())
    shared = {label: label for label in shared_labels(a, b) if label not in given and label not in taken}
    shared = {label: label for label in shared if (label, label) not in not_one}
    names = tuple({label: log.names[label] for label in part.activities if label in log.names} for part in (a, b))
    return match_variants(a, b, given | shared, not_one, (names[0], names[1]), use_labels, log.frame_kind, (name_a, name_b))


def match_variants(
    a: Variants,
    b: Variants,
    known: Mapping[str, str],
    apart: frozenset[tuple[str, str]] = frozenset(),
    names: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
    use_labels: bool = False,
    frame_kind: FrameKind = "polars",
    parts: tuple[str, str] | None = None,
) -> "Matching":
    """Match the activities of two logs that are given as variants, with the second names of their labels.

    Known pairs and those that are ``apart`` have been checked (:func:`actalike.two_logs.decisions.check_known`).
    """
    known_codes = _codes(known.items(), a, b)
    is_apart = np.zeros((len(a.activities), len(b.activities)), dtype=bool)
    is_apart[tuple(_codes(apart, a, b).T)] = True
    kin = cross_kin(a, b, known_codes, apart=is_apart)
    likely = partner_probabilities(kin, known_codes)
    if use_labels:
        texts = text_evidence(label_likeness(a.activities, b.activities, *names), likely.pairs)
        kin = cross_kin(a, b, known_codes, texts, is_apart)
        likely = partner_probabilities(kin, known_codes, texts)
    return Matching(a, b, kin, likely, known, apart, names, use_labels, frame_kind, parts)


class Matching:
    """Hold which activities of two logs are the same step. :func:`match` makes it.

    - ``pairs``: one to one, known pairs first, then the most likely first. Each is more likely the same step than not, or a part
      of a split step that is.
    - ``unmatched_a``, ``unmatched_b``: the other activities, with the probability that they have no partner. Up to 0.6 it is
      unknown whether an activity has one: see :meth:`candidates`.
    - ``splits``: steps that one log has under one label, and the other under several.
    - ``parts``: what the two parts of a log are called, if one log was divided; None for two logs.
    """

    def __init__(
        self,
        variants_a: Variants,
        variants_b: Variants,
        kin: CrossKin,
        likely: PartnerProbabilities,
        known: Mapping[str, str],
        apart: frozenset[tuple[str, str]],
        names: tuple[Mapping[str, str], Mapping[str, str]],
        use_labels: bool,
        frame_kind: FrameKind,
        parts: tuple[str, str] | None = None,
    ) -> None:
        """Choose the pairs that are likely, and those of split steps; :func:`match` computes what is given here."""
        self.variants_a, self.variants_b = variants_a, variants_b
        self.windows_a, self.windows_b = kin.uses_a.windows, kin.uses_b.windows
        self.names_a, self.names_b = names
        self.activities_a, self.activities_b = list(variants_a.activities), list(variants_b.activities)
        self.known, self.apart = dict(known), apart
        self.use_labels = use_labels
        self.parts = parts
        self._kin, self._probabilities, self._frame_kind = kin, likely.pairs, frame_kind
        assigned = _assigned(likely.pairs, kin.rounds.assigned)
        of_a = split_steps("a", variants_a, variants_b, likely, assigned)
        of_b = split_steps("b", variants_b, variants_a, likely, assigned)
        self.splits = [*of_a, *of_b]
        of_splits = {*((one.activity, one.parts[0]) for one in of_a), *((one.parts[0], one.activity) for one in of_b)}
        possible = [
            MatchedPair(self.activities_a[i], self.activities_b[j], float(likely.pairs[i, j]))
            for i, j in zip(*(codes.tolist() for codes in assigned), strict=True)
        ]
        self.pairs = [pair for pair in possible if pair.probability > PROPOSED or pair[:2] in of_splits]
        self.pairs.sort(key=lambda pair: (pair.a not in self.known, -pair.probability, pair.a))
        self.unmatched_a = _unmatched(self.activities_a, {pair.a for pair in self.pairs}, likely.none_a)
        self.unmatched_b = _unmatched(self.activities_b, {pair.b for pair in self.pairs}, likely.none_b)

    def scores(self) -> Floats:
        """Return the score of each pair: a row for each activity of a, a column for each of b."""
        return self._kin.rounds.scores

    def probabilities(self) -> Floats:
        """Return how likely each pair is the same step."""
        return self._probabilities

    def candidates(self, a: str, topn: int = 5) -> list[MatchedPair]:
        """Return the most likely partners of an activity of a."""
        row = self._probabilities[_code(self.activities_a, a, "first", self.activities_b)]
        best = np.argsort(-row, kind="stable")[:topn]
        return [MatchedPair(a, self.activities_b[j], float(row[j])) for j in best]

    def explain(self, a: str, b: str, topn: int = 10) -> list[MatchReason]:
        """Return the largest terms of the score of a pair, by offset and pair of neighbours; none if they have nothing in common.

        The shares of all terms sum to 1. Those at offset 0 may be negative.
        """
        i, j = _code(self.activities_a, a, "first", self.activities_b), _code(self.activities_b, b, "second", self.activities_a)
        return largest_terms(self._kin, i, j, topn)

    def mapping(self) -> dict[str, str]:
        """Return the label of a for each matched label of b, to relabel b into a's language.

        A label without a partner keeps its name; it is marked with "(b)" if another label gets that name, or if it is certainly
        apart from the label of a that is called the same.
        """
        pairs = [(pair.a, pair.b) for pair in self.pairs]
        of_b = {pair.b for pair in self.pairs}
        parts = [(split.activity, part) for split in self.splits if split.side == "a" for part in split.parts if part not in of_b]
        return translation([*parts, *pairs], self.activities_b, {b for a, b in self.apart if a == b})

    def to_dict(self, at_least: float = 0.0) -> dict[str, Any]:
        """Return the facts that ``actalike match --json`` prints (docs/reference/json.md).

        Pairs that are less likely than ``at_least`` are left out: their labels are without a partner.
        """
        return matching_facts(self, matching_rows(self, at_least))

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each pair, and for each label without a partner: what :meth:`to_csv` writes.

        ``kind`` is that of the frame that log a was read from, Polars for other logs.
        """
        return as_kind(matching_frame(self), kind or self._frame_kind)

    def to_csv(self, path: str | Path) -> None:
        """Write a table to review, which relabels log b (:func:`actalike.read_mapping`) and has a column for known pairs."""
        write_matching(self, path)

    def __repr__(self) -> str:
        """Return how many labels are matched."""
        return matching_summary(self)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return matching_card(self)


def _codes(pairs: Iterable[tuple[str, str]], a: Variants, b: Variants) -> Codes:
    place_a, place_b = ({label: i for i, label in enumerate(variants.activities)} for variants in (a, b))
    return np.array([(place_a[x], place_b[y]) for x, y in pairs], dtype=np.int64).reshape(-1, 2)


def _assigned(likely: Floats, by_score: tuple[Codes, Codes]) -> tuple[Codes, Codes]:
    """Return the pairs that are more likely than not, then those of the best assignment by scores whose labels are free.

    No label is in two of the former, because the probabilities of its partners sum to 1 at most.
    """
    rows, columns = np.nonzero(likely > PROPOSED)
    is_free = ~(np.isin(by_score[0], rows) | np.isin(by_score[1], columns))
    return np.append(rows, by_score[0][is_free]), np.append(columns, by_score[1][is_free])


def _unmatched(activities: list[str], matched: set[str], none: Floats) -> list[Unmatched]:
    """Return the activities without a partner, those that most likely have none first."""
    rest = [Unmatched(label, float(none[i])) for i, label in enumerate(activities) if label not in matched]
    return sorted(rest, key=lambda unmatched: (-unmatched.probability, unmatched.activity))


def _code(activities: list[str], label: str, which: str, others: list[str]) -> int:
    try:
        return activities.index(label)
    except ValueError:
        turned = " The other log has it: the label of the first log comes first." if label in others else ""
        raise UnknownActivityError(
            f"The {which} log has no activity {label!r}.{turned or did_you_mean(label, activities)}"
        ) from None
