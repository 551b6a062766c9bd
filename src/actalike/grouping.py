"""Compare and group the labels of a log by all that speaks for one step: what they do, and the words of the log's parts.

It stands below the rooms of one log and of two, because it uses both: :mod:`actalike.labels` proposes groups, and
:mod:`actalike.two_logs` finds the labels that two parts of the log use for one step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from actalike.counting import WindowCounts, count_windows, log_or_variants
from actalike.errors import ActalikeError
from actalike.io import LogLike, WantedAttributes, as_log
from actalike.labels import (
    AT_LEAST,
    PERIOD,
    WINDOW,
    Comparison,
    Decisions,
    Group,
    Groups,
    LikelyPairs,
    PairVerdict,
    PartnerLabels,
    SameStep,
    check_probability,
    compare_labels,
    compare_uses,
    labels_of_sides,
    learn,
    propose_groups,
    same_step_of,
    with_spellings_merged,
)
from actalike.labels import judge_pair as verdict_of
from actalike.labels import likely_pairs as pairs_of
from actalike.log import Variants, names_people
from actalike.support.progress import tracked
from actalike.two_logs import Vocabularies, partner_labels, vocabularies, words_of_people

_REPLACING = 0.1  # of their neighbours, that a label and what replaced it have in common

__all__ = ["compare", "group", "judge_pair", "likely_pairs", "same_step", "with_vocabularies"]


def same_step(log: LogLike | Variants, *, counts: WindowCounts | None = None, by: str | None = None) -> SameStep:
    """Estimate for every two labels the probability that they are one step.

    ``log`` is an EventLog, Variants, a frame of events (pandas, Polars, pyarrow, ...), a table of an engine (DuckDB, Spark,
    Ibis), whose variants are read, or an event log of pm4py. If you have already counted its windows (of size 5 or more), pass
    the ``counts`` to save the work. ``by`` is the column by which parts of the log may
    differ in their words, as in :func:`group`.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same = same_step(log)
    >>> same.interchangeable("a", "b") > 0.5 > same.interchangeable("a", "c")
    True
    """
    whole = log_or_variants(log, "same_step", attributes=_attributes(by))
    counts = count_windows(whole, WINDOW) if counts is None else counts
    return with_vocabularies(compare_labels(whole, counts), counts, by, log if isinstance(log, Variants) else None)


def with_vocabularies(same: SameStep, counts: WindowCounts, by: str | None = None, strata: Variants | None = None) -> SameStep:
    """Add the labels that two parts of the log use for one step to what is known of the labels.

    ``counts`` are the windows of the log. ``strata`` are its variants, if they were read by a column. Spellings of a label are
    merged before.
    """
    if same.merged is not None:
        strata = None if strata is None else with_spellings_merged(strata, same.spelled).variants
        counts = counts.relabel(lambda label: same.spelled.get(label, label))
        return replace(same, merged=with_vocabularies(same.merged, counts, by, strata))
    partners = partner_labels(_vocabularies(same, counts, by, strata))
    known = {label for pair in partners if pair.is_likely for label in pair[:2]}
    of_people = [pair for pair in words_of_people(same, by, counts) if known.isdisjoint(pair[:2])]
    partners = (*partners, *of_people)
    return replace(same, partners=(*partners, *_of_later_words(same, partners)))


def _vocabularies(same: SameStep, counts: WindowCounts, by: str | None, strata: Variants | None) -> list[Vocabularies]:
    """Return the vocabularies of a log; those of columns with later words as the earlier ones, which else share their partner."""
    log = strata or same.log
    found = vocabularies(log, by)
    if all(one.by == PERIOD for one in found):
        return found
    earlier = _earlier_words(same if same.of is None else compare_labels(same.log, counts))
    if not earlier:
        return found
    of_columns = vocabularies(log.relabel(lambda label: earlier.get(label, label)), by)
    return [*(one for one in of_columns if one.by != PERIOD), *(one for one in found if one.by == PERIOD)]


def _earlier_words(same: SameStep) -> dict[str, str]:
    """Return labels that replaced a more frequent one or were replaced by it, with that one."""
    word_of: dict[str, str] = {}
    frequent = np.argsort(-same.log.activity_counts, kind="stable").tolist()
    for rank, i in enumerate(frequent):
        for j in frequent[rank + 1 :]:
            word, label = same.activities[i], same.activities[j]
            if label not in word_of and word not in word_of and _replace_each_other(same, i, j):
                word_of[label] = word
    return word_of


def _replace_each_other(same: SameStep, i: int, j: int) -> bool:
    are_near = same.figures.overlap[j, i] >= _REPLACING and same.log_odds[j, i] > 0
    return bool(are_near) and any(one.kind == "periods" for one in same.uses_apart(i, j))


def _of_later_words(same: SameStep, partners: Sequence[PartnerLabels]) -> Iterator[PartnerLabels]:
    """Yield the labels that replaced one of two partners, each with the other one: what a part of the log says later."""
    place = {label: i for i, label in enumerate(same.activities)}
    known = {frozenset(pair[:2]) for pair in partners}
    for pair in [pair for pair in partners if pair.is_likely and pair.by != PERIOD]:
        for word, partner in (pair[:2], pair[1::-1]):
            i = place[word]
            for j in range(len(place)) if same.of is None else same.of:
                label = same.activities[j]
                is_new = label not in pair[:2] and frozenset((label, partner)) not in known
                if is_new and _replace_each_other(same, i, j):
                    known.add(frozenset((label, partner)))
                    probability = pair.probability * same.probability(label, word)
                    parts = pair.parts if word == pair.a else pair.parts[::-1]
                    yield PartnerLabels(label, partner, probability, pair.by, parts, pair.steps)


@tracked("comparing labels")
def likely_pairs(log: LogLike | Variants, activity: str | None = None, topn: int = 10, min_cases: int = 1) -> LikelyPairs:
    """Return the most likely pairs of all labels, or with one, each judged; those with a label that is too rare come last.

    Labels in fewer cases than ``min_cases`` are left out.
    """
    log = log_or_variants(log, "likely_pairs", attributes="people")
    counts = count_windows(log, WINDOW)
    same = compare_labels(log, counts) if activity is None else same_step_of(log, [activity], counts=counts)
    return pairs_of(with_vocabularies(same, counts), counts, activity, topn, min_cases)


@tracked("comparing labels")
def judge_pair(log: LogLike | Variants, a: str, b: str, topn: int = 10) -> PairVerdict:
    """Judge two labels of a log, and say why. The windows of the log are counted once."""
    log = log_or_variants(log, "judge_pair", attributes="people")
    counts = count_windows(log, WINDOW)
    return verdict_of(with_vocabularies(same_step_of(log, [a, b], counts=counts), counts), counts, a, b, topn)


@tracked("comparing two labels")
def compare(
    log: LogLike,
    a: str | Sequence[str] | Group,
    b: str | Sequence[str] | Group,
    *,
    counts: WindowCounts | None = None,
    same: SameStep | None = None,
) -> Comparison:
    """Compare two labels of a log, or two groups of labels. A group is used as its members together are.

    A side is a label, a list of labels, or a group as :func:`actalike.group` returns it.
    ``log`` is an EventLog, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py.
    Two single labels also get the verdict, as :func:`same_step` and ``actalike explain`` say it. If you have already counted the
    log's windows (of size 5 or more) or compared its labels, pass the ``counts`` or ``same`` to save the work.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "b", "z"]] * 20)
    >>> comparison = compare(log, "a", "b")
    >>> comparison
    Comparison('a' (20 events, 20 cases), 'b' (40 events, 40 cases); 0 cases with both)
    >>> [(context.context, context.count_a, context.count_b) for context in comparison.differing]
    [('● → y', 20, 20), ('● → z', 0, 20), ('x → ● → y', 20, 20), ('x → ● → z', 0, 20)]
    """
    log = as_log(log, "compare", attributes="people")
    sides = labels_of_sides(log, a, b)
    if any(len(labels) > 1 for labels in sides):
        return compare_uses(log, sides)
    counts = count_windows(log, WINDOW) if counts is None else counts
    same = same or with_vocabularies(same_step_of(log, [*sides[0], *sides[1]], counts=counts), counts)
    return compare_uses(log, sides, same, counts)


@tracked("grouping labels")
def group(
    log: LogLike | Variants,
    at_least: float = AT_LEAST,
    *,
    by: str | None = None,
    steps: int | None = None,
    counts: WindowCounts | None = None,
    same: SameStep | None = None,
    decisions: Decisions | str | Path | None = None,
) -> Groups:
    """Return groups of labels: synonyms first, then alternatives, those that belong together, and those too rare to judge.

    ``log`` is an EventLog, Variants, a frame of events (pandas, Polars, pyarrow, ...), a table of an engine (DuckDB, Spark,
    Ibis), whose variants are read, or an event log of pm4py. ``at_least`` is the mean probability that the members of a group
    must have. ``by`` is the column by which parts of the log may name the same steps
    differently, such as the site, or ``"period"``: by default all columns that were read and name people, organisations or sites
    are tried, and the period. ``steps=K`` merges until K labels are left, however unlikely the groups are. If you have already
    counted the log's windows (of size 5 or more) or compared its labels (:func:`same_step`), pass the ``counts`` or ``same`` to
    save the work. No label is in two groups.

    ``decisions``, or the path of their file (:func:`actalike.read_decisions`), are what a person decided about groups of this
    log. They adjust the weights of evidence (:mod:`actalike.labels.learning`); ``groups.learned`` says what was learned.
    Groups that were accepted come first, and labels that were rejected are not proposed again.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(proposal.activities, proposal.relation, proposal.evidence[0]) for proposal in group(log)]
    [(('a', 'b'), 'alternatives', SharedNeighbours(before='x', after='y', counts=(20, 20)))]
    """
    check_probability(at_least)
    strata = log if isinstance(log, Variants) else None
    log = log_or_variants(log, "group", attributes=_attributes(by))
    if same is not None and by is not None:
        raise ActalikeError("by= is for same_step then, which compares the labels: give it there, or leave same out.")
    if same is None:
        counts = count_windows(log, WINDOW) if counts is None else counts
        same = same_step(strata or log, counts=counts, by=by)
    elif same.log is not log and same.log != log:
        raise ActalikeError("The probabilities are those of another log: give same_step of this log.")
    learned = None
    if decisions is not None:
        if steps is not None:
            raise ActalikeError("steps= merges even what was rejected in decisions=: leave one of them out.")
        same, learned = learn(same, decisions)
    groups = propose_groups(same, at_least, steps=steps, counts=counts, learned=learned)
    groups.by = by
    return groups


def _attributes(by: str | None) -> WantedAttributes:
    """Return the attributes to read of a frame: the column that divides it, and who does a step."""
    return "people" if by is None or by == PERIOD or names_people(by) else [by]
