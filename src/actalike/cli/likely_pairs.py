"""The labels of a log that are most likely one step, as the command similar shows them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from actalike.cli.console import print_note, print_table
from actalike.cli.second_names import with_name
from actalike.embedding import ENOUGH_CASES
from actalike.labels import LikelyPair, Relation, SameStep, judge, same_step, same_step_of
from actalike.log import AnyLog
from actalike.support.progress import tracked
from actalike.support.text import percent

_VERDICTS: dict[Relation | None, str] = {"synonyms": "one step", None: "different steps"}  # the others are words for a table


class JudgedPair(NamedTuple):
    """Hold two labels, the events and cases of each, and how they are related; None if they are different steps."""

    pair: LikelyPair
    counts: tuple[int, int]
    cases: tuple[int, int]
    relation: Relation | None


def find_likely_pairs(log: AnyLog, activity: str | None, top: int, min_cases: int) -> list[JudgedPair]:
    """Return the most likely pairs of all labels, or with one; those with a label that is too rare to judge come last."""
    with tracked("comparing labels"):
        same = same_step(log) if activity is None else same_step_of(log, [activity])
        pairs = _rare_last(same, activity, top, min_cases)
        verdicts = judge(same, [(pair.a, pair.b) for pair in pairs])
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    return [
        JudgedPair(pair, (events[pair.a], events[pair.b]), (cases[pair.a], cases[pair.b]), verdict.relation)
        for pair, verdict in zip(pairs, verdicts, strict=True)
    ]


def _rare_last(same: SameStep, activity: str | None, top: int, min_cases: int) -> list[LikelyPair]:
    pairs = same.most_likely(top, activity, min_cases=max(min_cases, ENOUGH_CASES))
    if len(pairs) < top and min_cases < ENOUGH_CASES:
        known = set(pairs)
        pairs += [pair for pair in same.most_likely(top + len(pairs), activity, min_cases=min_cases) if pair not in known]
    return pairs[:top]


def likely_pair_facts(activity: str | None, judged: list[JudgedPair]) -> dict[str, Any]:
    """Return the pairs, or the neighbours of an activity, for JSON."""
    facts = [
        {
            **one.pair._asdict(),
            "relation": one.relation,
            "count_a": one.counts[0],
            "count_b": one.counts[1],
            "cases_a": one.cases[0],
            "cases_b": one.cases[1],
        }
        for one in judged
    ]
    if activity is None:
        return {"pairs": facts}
    neighbours = [
        {
            "activity": one.pair.b,
            "probability": one.pair.probability,
            "overlap": one.pair.overlap,
            "relation": one.relation,
            "count": one.counts[1],
            "cases": one.cases[1],
        }
        for one in judged
    ]
    return {"activity": activity, "most_similar": neighbours}


def print_likely_pairs(activity: str | None, judged: list[JudgedPair], names: Mapping[str, str]) -> None:
    """Print the pairs, or the neighbours of an activity, as a table."""
    if not judged:
        print("There are no two activities to compare.")
        return
    header, right = ["same neighbours", "probability"], (0, 1, 3, 5)
    rows = []
    for one in judged:
        labels = [
            with_name(one.pair.a, names),
            f"{one.counts[0]:,}",
            with_name(one.pair.b, names),
            f"{one.counts[1]:,}",
        ]
        verdict = _VERDICTS.get(one.relation) or str(one.relation)
        rows.append([percent(one.pair.overlap), percent(one.pair.probability), *labels[0 if activity is None else 2 :], verdict])
    columns = ["activity", "events"] * (2 if activity is None else 1)
    print_table([*header, *columns, "verdict"], rows, right if activity is None else right[:3])
    if activity is None and all(one.relation == "too rare to judge" for one in judged):
        print_note(f"all of these are too rare to judge: --min-cases {ENOUGH_CASES} leaves such activities out.")
