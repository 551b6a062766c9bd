"""Find the odd events of a log: slips that make a case more probable when they are undone, and what was expected instead.

The order of activities is judged by variants alone (control_flow.py). Here the events of a log add what only they have: unusual
values of attributes, the ids of cases, and which events have the same time.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from heapq import nsmallest
from math import log as log_of
from numbers import Integral
from operator import ne
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting import log_or_variants
from actalike.errors import ActalikeError, did_you_mean, shortened
from actalike.io import LogLike, how_to_fetch
from actalike.log import Attribute, EventLog, Variants, case_beginnings, cases_of, first_equal_cases, some_cases
from actalike.oddities.attributes import UnusualValues
from actalike.oddities.control_flow import ENOUGH, ODD, CaseValues, ControlFlow, OddEvent, Usual, product_odds, sum_by
from actalike.oddities.describe import SCORE_WORDS, odd_card, odd_counts, odd_facts, odd_frame, odd_summary, write_odd_events
from actalike.oddities.probability import Calibration
from actalike.oddities.slips import KINDS, Kind
from actalike.oddities.times import TIME_KINDS, OddTime, TimeKind, UnusualTimes
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.saved import LabelledHeader, StoredFile, write_file
from actalike.support.text import counted

_FALSE_ALARMS = 0.01  # share of ordinary cases that may be called odd by mistake
_PARTS = 5  # of a reference: each is judged by the others, to see how odd cases of another time are
_LONGEST_WAIT = 0.95  # quantile of the waits for the next event after which a case is taken to have ended
_DIGITS = 6  # of a probability
_COMPARED = 500  # ids that are compared with one that is unknown, which takes time
_LONGEST = 80  # characters of an id that is compared with others
_SHOWN = 5

Floats = NDArray[np.float64]


class Oddities:
    """Hold how odd each case and each event of a log is, and why, as :func:`odd` finds it.

    A score is ln (1 + odds), where the odds are how much more probable a case is with a slip than without any (docs/odd.md).
    ``attributes`` are those that were looked at. ``ignored`` say nothing, because nearly every event has another value, or all
    have the same, or they are the copy of another attribute.

    Of variants only the control flow is looked at. Then ``variants`` are these, the most frequent first; the cases of ``log``
    are one for each of them, called "variant 1" and so on, and scores are theirs. :meth:`score_cases` gives the scores to the
    cases. Whether events have the same time is not known.
    """

    def __init__(
        self,
        log: EventLog | Variants,
        attributes: Sequence[str],
        model: "OddModel | None" = None,
        false_alarms: float | None = None,
    ) -> None:
        self.variants: Variants | None = None
        if isinstance(log, Variants):
            self.variants = _most_frequent_first(log)
            log = _one_case_each(self.variants)
        self.log = log
        self._model, self._wanted = model, false_alarms
        self._values = UnusualValues(log, attributes, None if model is None or not attributes else model.events)
        self.attributes = self._values.names
        self.ignored = self._values.ignored
        self._flow = _flow_of(self.variants or log.variants, model)
        if self.variants is None:
            _, self._variant_of_case = np.unique(first_equal_cases(log.codes, log.offsets), return_inverse=True)
        else:
            self._variant_of_case = np.arange(log.n_cases)
        self._odds = self._odds_with_values() if self.attributes else self._flow.odds[self._variant_of_case]

    @property
    def caution(self) -> float:
        """Return by how much the evidence was made smaller: 1 is not at all (docs/odd.md)."""
        return self._flow.caution

    def case_scores(self) -> Floats:
        """Return how odd each case is, in the order of the log; higher is odder."""
        return np.log1p(self._odds)

    def probabilities(self) -> Floats:
        """Return how probable it is that something is wrong with each case, in the order of the log (probability.py)."""
        return self._calibration.probabilities(self.case_scores())

    @property
    def rate(self) -> float:
        """Return which share of the cases probably has an oddity."""
        return self._calibration.rate

    def alarms(self, false_alarms: float) -> NDArray[np.bool_]:
        """Return which cases are called odd, if at most this share of ordinary cases may be called so by mistake.

        >>> log = EventLog.from_traces([["order", "check", "pay"]] * 500 + [["order", "pay"]])
        >>> odd(log).alarms(0.01).nonzero()[0].tolist()
        [500]
        """
        _check_false_alarms(false_alarms)
        return (self._calibration.false_alarms() <= false_alarms) & (self.case_scores() > 0)

    @cached_property
    def called(self) -> NDArray[np.bool_]:
        """Return which cases are called odd, of which :meth:`most` lists the odd places.

        Their scores are ln 100 or more, and at most 1 % of ordinary cases are called odd by mistake, or as many as ``odd`` was
        given as ``false_alarms``: then whatever their scores.
        """
        alarms = self.alarms(self.allowed)
        return alarms if self._wanted is not None else alarms & (self.case_scores() >= ODD)

    @property
    def allowed(self) -> float:
        """Return which share of ordinary cases may be called odd by mistake.

        A reference of n cases can promise no less than 1 / (n + 1): if that is more than 1 %, and no share was given, it is this.
        """
        if self._wanted is not None:
            return self._wanted
        return _FALSE_ALARMS if self._model is None else max(_FALSE_ALARMS, 1 / (self._model.variants.n_cases + 1))

    @cached_property
    def _calibration(self) -> Calibration:
        if self._model is None:
            return Calibration(self.case_scores(), self.weights)
        ordinary = self._model.ordinary_scores(self.log if self.variants is None else self.variants)
        return Calibration(self.case_scores(), self.weights, *ordinary)

    @property
    def weights(self) -> NDArray[np.int64]:
        """Return how many cases each case of ``log`` stands for: 1, but for variants."""
        return np.ones(self.log.n_cases, dtype=np.int64) if self.variants is None else self.variants.weights

    def score_cases(self, cases: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield the scores of cases, of which :func:`actalike.read_cases` says what variant they follow.

        >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
        >>> result = odd(log.variants)
        >>> from actalike import read_cases
        >>> [scores] = result.score_cases(read_cases(log, result.variants))
        >>> scores["case"][-1], scores["score"][-1] > 4, scores["variant"][-1]
        ('51', True, 'variant 2')
        """
        scores, names = pl.Series("score", self.case_scores()), pl.Series("variant", self.log.case_ids)
        probabilities = pl.Series("probability", self._of_cases.round(_DIGITS))
        for some in cases:
            variant = some["variant"]
            yield pl.DataFrame([some["case"], scores.gather(variant), names.gather(variant), probabilities.gather(variant)])

    def of_cases(self, events: Iterable[OddEvent], cases: Iterable[pl.DataFrame]) -> list[OddEvent]:
        """Return odd events of variants once for each case that follows the variant, with its id (:meth:`score_cases`)."""
        events = list(events)
        wanted = {one.case_number for one in events}
        ids: dict[int, list[str]] = {}
        for some in cases:
            for case, variant in some.filter(pl.col("variant").is_in(list(wanted))).iter_rows():
                ids.setdefault(variant, []).append(case)
        return [replace(one, case=case, cases=1) for one in events for case in sorted(ids.get(one.case_number, ()))]

    def event_scores(self) -> Floats:
        """Return how odd each event is, in the order of the log; higher is odder."""
        return np.log1p(self._slipped + self._inserted + self._values.of_events)

    def cell_scores(self) -> Floats:
        """Return how odd the activity (first column) and each of ``attributes`` (further columns) of each event are."""
        values = np.column_stack([self._slipped, self._values.odds])
        return np.log1p(values + self._inserted[:, None])

    def most(self, topn: int | None = 20, kind: Kind | None = None) -> list[OddEvent]:
        """Return the oddest events with what was expected instead, the oddest first; all odd ones if ``topn`` is None.

        Odd are places with a score of ln 100 or more, in cases that are :attr:`called` odd. Three kinds of them are left out:
        events that would only change places with others of the same time, ends of cases that may not have ended yet, and places
        whose context was seen fewer than 20 times, so that it shows nothing.
        """
        check_kind(kind, KINDS)
        _check_topn(topn)
        if topn is None:
            return [one for one in self._odd_places if _is_listed(one) and kind in (None, one.kind)]
        events: list[OddEvent] = []
        scores = self.case_scores()
        for case in self._odd_cases:
            if sum(one.score >= scores[case] for one in events) >= topn:
                break  # no place of a case is odder than the case
            odd_places = [one for one in self._reasons_of(case) if one.score >= self._least(case)]
            events += [one for one in odd_places if _is_listed(one) and kind in (None, one.kind)]
        return sorted(events, key=lambda one: -one.score)[:topn]

    def unusual_times(self, topn: int | None = 20, kind: TimeKind | None = None) -> list[OddTime]:
        """Return the most unusual times, the most unusual first; all if ``topn`` is None.

        These are waits between two events that are very long ("slow") or short ("fast") for their activities, and copies of
        events ("doubled"). Their scores are those of :meth:`time_scores`, ln 100 or more; they have no part in the scores of
        cases. A wait is compared with those of the same log, also if there is a reference.

        >>> minutes = np.array([0, 1, 1, 2] + [0, 1, 2, 3] * 1000, dtype="datetime64[m]")
        >>> log = EventLog(["a", "b", "c"], [0, 1, 1, 2] * 1001, range(0, 4005, 4), [str(i) for i in range(1001)], minutes)
        >>> [(one.case, one.position, one.kind) for one in odd(log).unusual_times()]
        [('0', 2, 'doubled')]
        """
        check_kind(kind, TIME_KINDS)
        _check_topn(topn)
        return [one for one in self._timed.places(ODD) if kind in (None, one.kind)][:topn]

    def time_scores(self) -> Floats:
        """Return how unusual the time of each event is, in the order of the log; higher is more unusual (times.py)."""
        return self._timed.scores

    @property
    def has_times(self) -> bool:
        """Return whether events have times, which :meth:`unusual_times` needs: those of variants have none."""
        return self.log.timestamps is not None

    @cached_property
    def _timed(self) -> UnusualTimes:
        if not self.has_times:
            raise ActalikeError(f"{_name(self.log)} has no timestamps: looking for unusual times needs the events' times.")
        return UnusualTimes(self.log)

    @cached_property
    def _all_times(self) -> list[OddTime]:
        """Return all unusual times; none of a log that has no times."""
        return self.unusual_times(None) if self.has_times else []

    @property
    def n_same_time(self) -> int:
        """Return how many places :meth:`most` leaves out because events would only change places with others of the same time."""
        return sum(one.cases for one in self._odd_places if one.same_time)

    @property
    def n_open(self) -> int:
        """Return how many further places :meth:`most` leaves out because they are ends of cases that may not have ended yet."""
        return sum(one.cases for one in self._odd_places if not one.same_time and one.still_open)

    @property
    def n_low_support(self) -> int:
        """Return how many further places :meth:`most` leaves out because their context was seen fewer than 20 times."""
        left = (one for one in self._odd_places if not one.same_time and not one.still_open)
        return sum(one.cases for one in left if not _is_listed(one))

    @property
    def left_out_same_time(self) -> int:
        """Return ``n_same_time``, by its name in version 0.2."""
        warnings.warn("left_out_same_time is now n_same_time.", DeprecationWarning, stacklevel=2)
        return self.n_same_time

    @property
    def left_out_unseen(self) -> int:
        """Return ``n_low_support``, by its name in version 0.2."""
        warnings.warn("left_out_unseen is now n_low_support.", DeprecationWarning, stacklevel=2)
        return self.n_low_support

    def explain(self, case: str | int) -> list[OddEvent]:
        """Return what is odd about a case, the oddest first.

        The odds of a place are exp(score) - 1. Those of all places make up the odds of the case, as control_flow.py says; what
        has odds below 1 and below a thousandth of these is left out. The case is given by its id, or by its number in the log,
        from 0, if several cases have the same id.
        """
        return list(self._reasons_of(_number_of_case(self.log, case)))

    def to_dict(
        self, topn: int | None = 20, kind: Kind | TimeKind | None = None, case: str | int | None = None
    ) -> dict[str, Any]:
        """Return what ``actalike odd --json`` prints (docs/reference/json.md): how much is odd, and the oddest events.

        With a ``case`` this is all that is odd about it, or about all cases with this id.
        """
        check_kind(kind)
        _check_topn(topn)
        listed = [one for one in self.most(None) if kind in (None, one.kind)]
        times = [one for one in self._all_times if kind in (None, one.kind)]
        about: dict[str, Any] = {}
        events = listed
        if case is not None:
            numbers = find_cases(self.log, case) if isinstance(case, str) else [_number_of_case(self.log, case)]
            about = {"cases": [self._case_facts(number) for number in numbers]}
            events = [one for number in numbers for one in self.explain(number) if kind in (None, one.kind)]
            listed = [one for one in listed if one.case_number in numbers]
            times = [one for one in times if one.case_number in numbers]
        return {
            "schema": "actalike/odd/1",
            "summary": odd_summary(listed),
            "found": odd_counts(listed),
            "score": SCORE_WORDS,
            "left_out": {"same_time": self.n_same_time, "open": self.n_open, "unseen": self.n_low_support},
            "called": int(self.weights[self.called].sum()),
            "rate": round(self.rate, _DIGITS),
            "false_alarms": self.allowed,
            "reference": self._model is not None,
            **about,
            "odd": odd_facts(events[:topn], self.log, self.variants is not None),
            "times": odd_facts(times[:topn], self.log) if self.has_times else None,
            "times_found": len(times),
            **({} if self.variants is None else {"of": "variants"}),
            "attributes": list(self.attributes),
            "ignored": list(self.ignored),
            "names": self.log.names,
        }

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each odd event and then each unusual time, the oddest first: what :meth:`to_csv` writes.

        ``kind`` is "polars", "pandas" or "pyarrow"; without it, that of the frame that was read, Polars for other logs.
        """
        frame = odd_frame([*self.most(None), *self._all_times], self.log, self.variants is not None)
        return as_kind(frame, kind or (self.log if self.variants is None else self.variants).frame_kind)

    def to_csv(self, path: str | Path) -> None:
        """Write all odd events, then all unusual times, the oddest first, as a table to look through (docs/file_formats.md).

        A file there is replaced.
        """
        if not isinstance(path, str | PathLike):
            raise ActalikeError(f"{_shown(path)} is no path of a file: give one, such as 'odd.csv'. Nothing was written.")
        write_odd_events([*self.most(None), *self._all_times], self.log, path, self.variants is not None)

    def rank(self, case_number: int) -> int:
        """Return the place of a case among all, the oddest first; cases that are equally odd share the first of their places."""
        return int(self.weights[self._odds > self._odds[case_number]].sum()) + 1

    def _odds_with_values(self) -> Floats:
        """Return the odds of each case that anything is wrong with it, its values included."""
        case = np.repeat(np.arange(self.log.n_cases), self.log.lengths)
        inserted = sum_by(case, self._inserted, self.log.n_cases)
        of_values = product_odds(sum_by(case, np.log1p(self._values.odds).sum(axis=1), self.log.n_cases))
        return np.asarray(self._flow.others[self._variant_of_case] + inserted + of_values)

    @cached_property
    def _event_of_variant(self) -> NDArray[np.int64]:
        """Return for each event of the log the event of its variant."""
        log = self.log
        begins = self._flow.offsets[self._variant_of_case] - log.offsets[:-1]
        return np.asarray(np.repeat(begins, log.lengths) + np.arange(log.n_events))

    @cached_property
    def _inserted(self) -> Floats:
        """Return for each event of the log the odds that it is an event too much, by its values too."""
        inserted = self._flow.inserted[self._event_of_variant]
        return np.asarray(inserted * self._values.of_inserted) if self.attributes else inserted

    @cached_property
    def _slipped(self) -> Floats:
        return self._flow.slipped[self._event_of_variant]

    @cached_property
    def _odd_cases(self) -> list[int]:
        """Return the numbers of the cases that are called odd, the oddest first."""
        scores = self.case_scores()
        order = np.argsort(-scores, kind="stable")
        return order[self.called[order]].tolist()

    def _least(self, case: int) -> float:
        """Return the score from which on a place of a case that is called odd is listed."""
        return min(ODD, float(self.case_scores()[case]) - log_of(2))

    @cached_property
    def _odd_places(self) -> list[OddEvent]:
        """Return all places with a score of ``ODD`` or more, the oddest first, also those that are not listed."""
        places = [one for case in self._odd_cases for one in self._reasons_of(case) if one.score >= self._least(case)]
        return sorted(places, key=lambda one: -one.score)

    def _reasons_of(self, case: int) -> Iterator[OddEvent]:
        """Yield what is odd about a case; without attributes, all cases of a variant are odd for the same reasons."""
        variant = int(self._variant_of_case[case])
        if self.attributes:
            reasons = self._flow.explain(variant, self._values_of(case))
        else:
            if variant not in self._reasons_of_variant:
                self._reasons_of_variant[variant] = self._flow.explain(variant)
            reasons = self._reasons_of_variant[variant]
        for one in reasons:
            same_time, cases = self._is_at_one_time(case, one), int(self.weights[case])
            part = float(np.expm1(one.score) / max(self._odds[case], np.expm1(one.score)))
            probability = round(part * float(self._of_cases[case]), _DIGITS)
            yield replace(
                one,
                case=self.log.case_ids[case],
                case_number=case,
                same_time=same_time,
                cases=cases,
                probability=probability,
                still_open=one.activity is None and self._may_go_on(case),
            )

    @cached_property
    def _reasons_of_variant(self) -> dict[int, list[OddEvent]]:
        return {}

    @cached_property
    def _of_cases(self) -> Floats:
        return self.probabilities()

    def _values_of(self, case: int) -> CaseValues:
        start, end = self.log.offsets[case : case + 2].tolist()
        return CaseValues(
            inserted=self._inserted[start:end],
            odds=self._values.odds[start:end],
            of_case=float(self._odds[case]),
            quote=lambda position, column: self._values.quote(start + position, column),
        )

    def _may_go_on(self, case: int) -> bool:
        """Return whether the log ends before the next event of a case must have come.

        That is so as long as one of twenty cases has to wait longer for the event after its last activity.
        """
        start, end = self.log.offsets[case : case + 2].tolist()
        if self.log.timestamps is None or start == end:
            return False
        last, longest = self.log.timestamps[end - 1], self._longest_waits.get(int(self.log.codes[end - 1]))
        return longest is not None and bool(self._end - last <= longest)  # a time that is missing is not comparable

    @cached_property
    def _end(self) -> np.datetime64:
        assert self.log.timestamps is not None
        return np.max(self.log.timestamps[~np.isnat(self.log.timestamps)])

    @cached_property
    def _longest_waits(self) -> dict[int, np.timedelta64]:
        """Return for each activity the time within which the next event of its case comes, in 19 of 20 cases."""
        times, codes = self.log.timestamps, self.log.codes
        assert times is not None
        gaps = np.diff(times)
        case = np.repeat(np.arange(self.log.n_cases), self.log.lengths)
        inside = (case[1:] == case[:-1]) & ~np.isnat(gaps)
        before, waits = codes[:-1][inside], gaps[inside]
        order = np.lexsort((waits, before))
        found, first, times_of = np.unique(before[order], return_index=True, return_counts=True)
        longest = waits[order][first + np.ceil(_LONGEST_WAIT * times_of).astype(np.int64) - 1]
        return dict(zip(found.tolist(), longest, strict=True))

    def _is_at_one_time(self, case: int, one: OddEvent) -> bool:
        """Return whether all events that a slip moves or jumps over have the same time: then their order says nothing."""
        if self.log.timestamps is None or one.belongs is None:
            return False
        start = int(self.log.offsets[case])
        times = self.log.timestamps[start + min(*one.events, one.belongs) : start + max(one.events[-1] + 1, one.belongs)]
        return bool((times == times[0]).all())  # a time that is missing equals none

    def _case_facts(self, number: int) -> dict[str, Any]:
        codes = self.log.codes[self.log.offsets[number] : self.log.offsets[number + 1]]
        return {
            "case": self.log.case_ids[number],
            "case_number": number + 1,
            "score": float(self.case_scores()[number]),
            "probability": round(float(self._of_cases[number]), _DIGITS),
            "rank": self.rank(number),
            "events": [self.log.activities[code] for code in codes],
        }

    def __repr__(self) -> str:
        of = self.variants or self.log
        return f"Oddities({of.n_cases:,} cases, {of.n_events:,} events{'' if self.variants is None else ', by variants'})"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return odd_card(self.most(None), self.log, self.attributes)


class OddModel:
    """Hold what is usual, as learned from a log: other logs are scored by its counts, and it can be saved.

    ``attributes`` are those of the events that were learned. :meth:`score` says how odd another log is, case by case: what its
    other cases are does not matter.

    >>> clean = EventLog.from_traces([["order", "check", "pay"]] * 50)
    >>> new = EventLog.from_traces([["order", "pay"], ["order", "check", "pay"]])
    >>> odd_model(clean).score(new).case_scores().round(1).tolist()
    [5.4, 0.0]
    """

    def __init__(self, log: EventLog | Variants, attributes: Sequence[str] = ()) -> None:
        self.attributes = tuple(attributes)
        self.events: EventLog | None = None
        self.begins: tuple[int, int] | None = None  # of the first and the last case, in microseconds
        if isinstance(log, Variants):
            self.variants = log.whole().in_order
            self.parts = self.variants.weights[:, None]
            return
        begins = case_beginnings(log)
        order = np.argsort(begins, kind="stable")  # those without a time come last
        known = begins[~np.isnat(begins)].astype(np.int64)
        if len(known):
            self.begins = int(known.min()), int(known.max())
        if self.attributes:  # neither ids nor times
            self.events = _cases_in_order(log, order, self.attributes)
        self.variants = log.variants
        _, variant = np.unique(first_equal_cases(log.codes, log.offsets), return_inverse=True)
        part = np.empty(log.n_cases, dtype=np.int64)
        part[order] = _parts(log.n_cases)
        self.parts = np.zeros((self.variants.n_variants, _PARTS), dtype=np.int64)
        np.add.at(self.parts, (variant, part), 1)

    @cached_property
    def usual(self) -> Oddities:
        """Return how odd the cases are that were learned from, each left out of the counts."""
        return Oddities(self.events or self.variants, self.attributes)

    def ordinary_scores(self, log: EventLog | Variants) -> tuple[Floats, NDArray[np.int64]]:
        """Return scores of the cases that were learned from and how many cases have each, to compare those of a log with.

        If at least half of the log's cases began in the time of the reference, each case is left out of the counts for itself.
        If not, or if that is not known, a fifth of the cases is left out at a time, those that came one after the other: what
        changes in the course of a log is as new to it as to the cases of another log.
        """
        few = min(self.variants.n_cases, self.parts.shape[1]) < _PARTS
        return (self.usual.case_scores(), self.usual.weights) if few or self._is_of_its_time(log) else self._scores_by_parts

    def _is_of_its_time(self, log: EventLog | Variants) -> bool:
        if isinstance(log, Variants) or self.begins is None:
            return False
        first, last = np.array(self.begins).astype("datetime64[us]")
        begins = case_beginnings(log)
        return bool(2 * ((begins >= first) & (begins <= last)).sum() >= log.n_cases)

    @cached_property
    def _scores_by_parts(self) -> tuple[Floats, NDArray[np.int64]]:
        if self.events is not None:
            scores, part = np.empty(self.events.n_cases), _parts(self.events.n_cases)
            for number in range(_PARTS):
                others = OddModel(cases_of(self.events, part != number), self.attributes)
                others.usual = self.usual  # how cases are judged is not found anew
                here = part == number
                scores[here] = Oddities(cases_of(self.events, here), self.attributes, others).case_scores()
            return scores, np.ones(len(scores), dtype=np.int64)
        found = []
        for own in self.parts.T:
            some, rest = (_weighted(self.variants, weights) for weights in (own, self.variants.weights - own))
            found.append((ControlFlow(some, rest, self.usual_flow).scores(), some.weights))
        scores, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return scores, weights

    @property
    def usual_flow(self) -> Usual:
        """Return what the cases that were learned from say of how others are judged by them."""
        return self.usual._flow.usual

    def score(self, log: LogLike | Variants, false_alarms: float | None = None) -> Oddities:
        """Return how odd a log is by what was learned."""
        return odd(log, reference=self, false_alarms=false_alarms)

    def save(self, path: str | Path) -> None:
        """Save the model as a ``.actalike`` file; :func:`actalike.load` opens it.

        The file names no cases, but rare sequences and the values of attributes can be personal data.
        """
        held = self.events or self.variants
        arrays: dict[str, NDArray[Any]] = {"codes": held.codes, "lengths": np.diff(held.offsets)}
        listed = []
        if self.events is None:
            arrays["weights"] = self.parts
        else:
            for place, (name, attribute) in enumerate(self.events.attributes.items()):
                arrays[f"value{place}"] = attribute.codes
                listed.append({"name": name, "values": attribute.values})
        begins = {"begins": self.begins} if self.begins else {}
        header = {"activities": held.activities, "attributes": listed, **begins}
        write_file(path, "odd-model", header, arrays, lambda file: file.header(_ModelHeader))

    @classmethod
    def from_file(cls, file: StoredFile) -> "OddModel":
        """Take a model from a saved file, or raise an error if its parts contradict each other."""
        header = file.header(_ModelHeader)
        names = [f"value{place}" for place in range(len(header.attributes))]
        file.check_names(["codes", "lengths", *(names or ["weights"])])
        codes, lengths = file.array("codes", np.int32, 1), file.array("lengths", np.int64, 1)
        columns = [file.array(name, np.int32, 1) for name in names]
        parts = None if names else file.array("weights", np.int64, 2)
        problem = _unsound_model(header, codes, lengths, columns, parts)
        if problem:
            raise file.unsound(problem)
        offsets = np.append(0, np.cumsum(lengths))
        if parts is not None:
            model = cls(Variants(header.activities, codes, offsets, parts.sum(axis=1)))
            model.variants, model.parts = Variants(header.activities, codes, offsets, parts.sum(axis=1)), parts
        else:
            attributes = {one.name: Attribute(one.values, column) for one, column in zip(header.attributes, columns, strict=True)}
            log = EventLog(header.activities, codes, offsets, [""] * len(lengths), attributes=attributes)
            model = cls(log, list(attributes))
        model.begins = (header.begins[0], header.begins[1]) if header.begins else None
        return model

    def __repr__(self) -> str:
        of = f", {', '.join(self.attributes)}" if self.attributes else ""
        return f"OddModel({self.variants.n_cases:,} cases, {self.variants.n_events:,} events{of})"


class _StoredAttribute(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    values: list[str]


class _ModelHeader(LabelledHeader, forbid_unknown_fields=True):
    attributes: list[_StoredAttribute]
    begins: list[int] = msgspec.field(default_factory=list)


def _parts(n_cases: int) -> NDArray[np.int64]:
    """Return the part of each case: as many parts as a reference has, of about as many cases, one after the other."""
    return np.arange(n_cases) * _PARTS // max(n_cases, 1)


def _cases_in_order(log: EventLog, order: NDArray[np.int64], attributes: Sequence[str]) -> EventLog:
    """Return the cases of a log in another order, with some attributes, and neither ids nor times."""
    codes, offsets = some_cases(log.codes, log.offsets, order)
    columns = {}
    for name in attributes:
        values, _ = some_cases(log.attributes[name].codes, log.offsets, order)
        columns[name] = Attribute(log.attributes[name].values, values)
    return EventLog(log.activities, codes, offsets, [""] * log.n_cases, attributes=columns)


def _weighted(variants: Variants, weights: NDArray[np.int64]) -> Variants:
    """Return the variants with other weights, without those that have none."""
    codes, offsets = some_cases(variants.codes, variants.offsets, np.flatnonzero(weights))
    return Variants(variants.activities, codes, offsets, weights[weights > 0])


def _unsound_model(
    header: _ModelHeader,
    codes: NDArray[Any],
    lengths: NDArray[Any],
    columns: Sequence[NDArray[Any]],
    parts: NDArray[Any] | None,
) -> str | None:
    """Return why the parts of a model contradict each other, None if they do not."""
    if not len(lengths) or lengths.min() < 0 or lengths.max() > len(codes) or int(lengths.sum()) != len(codes):
        return "its cases do not have as many events as there are"
    if len(codes) and (codes.min() < 0 or codes.max() >= len(header.activities)):
        return "an event has no activity"
    if len(header.begins) not in (0, 2):
        return "the time of its cases is not from one moment to another"
    if parts is not None:
        sound = len(parts) == len(lengths) and parts.size and parts.min() >= 0 and parts.sum(axis=1).min() > 0
        return None if sound else "a variant has no cases"
    if len({one.name for one in header.attributes}) < len(header.attributes):
        return "an attribute is there twice"
    if any(len(column) != len(codes) for column in columns):
        return "an attribute does not have as many values as there are events"
    sizes = [len(one.values) for one in header.attributes]
    if any(len(codes) and (column.min() < -1 or column.max() >= n) for column, n in zip(columns, sizes, strict=True)):
        return "an event has no value that is listed"
    return None


@tracked("learning what is usual")
def odd_model(log: LogLike | Variants, attributes: Sequence[str] | None = None) -> OddModel:
    """Learn what is usual from a log, which should have few odd cases, or from variants, or from a table of an engine.

    Which attributes are learned is as for :func:`odd`.

    >>> odd_model(EventLog.from_traces([["order", "pay"]] * 3))
    OddModel(3 cases, 6 events)
    """
    found, names = _with_attributes(log, attributes)
    return OddModel(found, names)


@tracked("looking for odd events")
def odd(
    log: LogLike | Variants,
    attributes: Sequence[str] | None = None,
    *,
    reference: "LogLike | Variants | OddModel | None" = None,
    false_alarms: float | None = None,
) -> Oddities:
    """Find which events are unusual in their context, and what was expected instead.

    A log is an EventLog, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py. ``attributes`` are those of
    the events that are looked at beside the activity. If it is None, these are all that an EventLog was read with, and of a frame
    or an event log of pm4py those whose names are usual for resources and organisations, as on the command line.

    Of Variants, and of a table of an engine (DuckDB, Spark, Ibis), whose variants are read, only the order of activities is
    looked at, and variants are what is odd (:class:`Oddities`).

    The cases are judged by each other, each left out of the counts, or by those of a ``reference``: another log, or what
    :func:`odd_model` learned of one. ``false_alarms`` is the share of ordinary cases that may be called odd by mistake: 0.01, and
    no case with a score below ln 100, if it is None.

    >>> log = EventLog.from_traces([["order", "check", "pay"]] * 50 + [["order", "pay"]])
    >>> oddest = odd(log).most(1)[0]
    >>> oddest.case, oddest.kind, oddest.missing
    ('51', 'skipped', ('check',))
    """
    if false_alarms is not None:
        _check_false_alarms(false_alarms)
    found, names = _with_attributes(log, attributes)
    model = reference
    if reference is not None and not isinstance(reference, OddModel):
        learned, known = _with_attributes(reference, names if attributes is not None else None)
        model = OddModel(learned, [name for name in names if name in known])
    assert model is None or isinstance(model, OddModel)
    if model is not None:
        lacking = [name for name in names if name not in model.attributes]
        if attributes is not None and lacking:
            raise ActalikeError(
                f"The reference has no attribute {_quoted(lacking)}: leave it out, or give a reference that has it."
            )
        names = [name for name in names if name in model.attributes]
        n_cases = model.variants.n_cases
        if false_alarms is not None and false_alarms * (n_cases + 1) < 1:
            raise ActalikeError(
                f"A reference of {counted(n_cases, 'case')} cannot promise that no more than {false_alarms:g} of the ordinary "
                f"cases are called odd: the least is 1 of {n_cases + 1:,}. Learn from more cases, or allow more false alarms."
            )
    return Oddities(found, names, model, false_alarms)


def _with_attributes(log: Any, attributes: Sequence[str] | None) -> tuple[EventLog | Variants, list[str]]:
    """Return a log or variants, and the attributes to look at."""
    names = _attribute_names(attributes)
    found = log_or_variants(log, "odd", ("people" if names is None else names) if how_to_fetch(log) is None else ())
    if not isinstance(found, Variants):
        return found, _checked_attributes(found, names)
    if names:
        raise ActalikeError("Variants have no attributes of events: odd looks at their control flow only. Leave attributes out.")
    return found, []


def _flow_of(variants: Variants, model: OddModel | None) -> ControlFlow:
    """Return what is odd about the control flow, by the other cases or by a model, with labels of both."""
    if model is None:
        return ControlFlow(variants)
    labels = list(dict.fromkeys([*variants.activities, *model.variants.activities]))
    return ControlFlow(_relabelled(variants, labels), _relabelled(model.variants, labels), model.usual_flow)


def _relabelled(variants: Variants, labels: Sequence[str]) -> Variants:
    """Return variants with codes that are positions among other labels, which include their own."""
    place = {label: i for i, label in enumerate(labels)}
    codes = np.array([place[label] for label in variants.activities], dtype=np.int32)[variants.codes]
    return Variants(labels, codes, variants.offsets, variants.weights)


def _most_frequent_first(variants: Variants) -> Variants:
    """Return the same variants, the most frequent first, equal ones by their labels, so that a name means one."""
    found = variants.whole().in_order
    order = np.argsort(-found.weights, kind="stable")
    codes, offsets = some_cases(found.codes, found.offsets, order)
    return Variants(found.activities, codes, offsets, found.weights[order], reading=variants.reading)


def _one_case_each(variants: Variants) -> EventLog:
    names = [f"variant {number}" for number in range(1, variants.n_variants + 1)]
    return EventLog(variants.activities, variants.codes, variants.offsets, names)


def find_cases(log: EventLog, case: str) -> list[int]:
    """Return the numbers of all cases with an id, from 0: files of type XES may have several.

    >>> find_cases(EventLog.from_traces([["a"], ["b"]]), "2")
    [1]
    """
    numbers = [number for number, known in enumerate(log.case_ids) if known == case]
    if not numbers:
        near = nsmallest(_COMPARED, dict.fromkeys(log.case_ids), key=_distance_from(case)) if len(case) <= _LONGEST else []
        meant = did_you_mean(case, near)
        first = f"; the first is {shortened(log.case_ids[0])!r}."
        raise ActalikeError(f"{_name(log)} has no case {shortened(case)!r}{f'.{meant}' if meant else first}")
    return numbers


def check_kind(kind: object, known: Sequence[str] = (*KINDS, *TIME_KINDS)) -> None:
    """Raise an error unless a kind of oddity is one that there is, or None."""
    if kind is not None and kind not in known:
        kinds = ", ".join(map(repr, known))
        what = "unusual time" if known == TIME_KINDS else "odd event"
        raise ActalikeError(f"{_shown(kind)} is no kind of {what}: there are {kinds}.{did_you_mean(str(kind), known)}")


def _is_listed(one: OddEvent) -> bool:
    """Return whether an odd place shows something: its order means something, and its context was seen often enough."""
    return not one.same_time and not one.still_open and one.total >= ENOUGH


def _number_of_case(log: EventLog, case: object) -> int:
    """Return the number of a case, which is given by its id, or by its number, from 0."""
    if isinstance(case, str):
        numbers = find_cases(log, case)
        if len(numbers) > 1:
            raise ActalikeError(
                f"{len(numbers):,} cases are called {shortened(case)!r}: give the number of one of them in place of the id, "
                f"{_quoted(numbers)}."
            )
        return numbers[0]
    if not _is_integer(case):
        raise ActalikeError(f"{_shown(case)} is no case: give the id of one, a string, or its number in the log, from 0.")
    if not 0 <= case < log.n_cases:
        raise ActalikeError(f"{_name(log)} has no case number {case:,}: they go from 0 to {log.n_cases - 1:,}.")
    return int(case)


def _attribute_names(attributes: object) -> list[str] | None:
    """Return names of attributes as a list, each once, and None as it is; anything but strings is an error."""
    if attributes is None:
        return None
    if isinstance(attributes, str | bytes) or not isinstance(attributes, Iterable):
        raise ActalikeError(f"attributes={_shown(attributes)} must be a list of names, such as ['org:resource'].")
    names = list(attributes)
    for name in names:
        if not isinstance(name, str):
            raise ActalikeError(f"attributes has {_shown(name)}, which is no name: names are strings.")
    return list(dict.fromkeys(names))


def _checked_attributes(log: EventLog, attributes: Sequence[str] | None) -> list[str]:
    """Return the names of the attributes to look at, all of the log's if none are named; one that it lacks is an error."""
    names = list(log.attributes) if attributes is None else attributes
    for name in names:
        if name not in log.attributes:
            has = f"It has {_quoted(log.attributes)}." if log.attributes else "It has none."
            quoted = repr(shortened(name))
            raise ActalikeError(
                f"{_name(log)} has no attribute {quoted}.{did_you_mean(name, log.attributes)} {has} Others have to be asked for "
                f"when the log is read: read_log(..., attributes=[{quoted}])."
            )
    return list(names)


def _check_topn(topn: object) -> None:
    if topn is not None and (not _is_integer(topn) or topn < 0):
        raise ActalikeError(f"topn={_shown(topn)} must be an integer >= 0, or None for all odd events.")


def _check_false_alarms(share: object) -> None:
    if isinstance(share, bool) or not isinstance(share, float | int | np.number) or not 0 <= share <= 1:
        raise ActalikeError(f"false_alarms={_shown(share)} must be a share from 0 to 1, such as 0.01.")


def _distance_from(case: str) -> Callable[[str], tuple[bool, int]]:
    """Return a measure of how unlike another id is: whether it has this one in it, and in how many places they differ."""
    lower = case.lower()

    def distance(known: str) -> tuple[bool, int]:
        return lower not in known.lower(), sum(map(ne, case, known)) + abs(len(case) - len(known))

    return distance


def _is_integer(number: object) -> TypeGuard[int]:
    """Return whether something is an integer: also one of numpy, but not a truth value, which Python counts as one."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def _shown(value: object) -> str:
    return shortened(repr(value))


def _name(log: EventLog) -> str:
    return "The log" if log.reading is None else log.reading.source


def _quoted(items: Iterable[str | int]) -> str:
    texts = [repr(shortened(item) if isinstance(item, str) else item) for item in items]
    return ", ".join(texts[:_SHOWN]) + (", ..." if len(texts) > _SHOWN else "")
