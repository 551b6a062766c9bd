"""Print a matching of two logs, and why two labels are a pair; as facts for JSON too."""

import os
from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from actalike.cli.console import plain, print_table
from actalike.cli.reading_options import ReadingOptions
from actalike.cli.relabel_command import relabel_command, relabelled_place, why_no_relabelling
from actalike.cli.second_names import with_name
from actalike.cli.shell import quoted
from actalike.labels import MatchingDecisions, Translation, translation
from actalike.support.text import percent, without_middle
from actalike.two_logs import SURE, Matching, MatchingRow, matching_sentences, term_words, told_terms

_FEW_CASES = 10
_HARDLY = 0.1  # a share of the labels of the smaller log
_SHOWN_NAMES = 3
LONGEST = 80  # characters of a label in a table
_SMALLEST_SHARE = 0.0005  # of a score that is worth a line


def matching_facts(matching: Matching, rows: Sequence[MatchingRow]) -> dict[str, Any]:
    """Return a matching for JSON."""
    alone = [row for row in rows if row.label_a is None or row.label_b is None]
    return {
        "activities_a": len(matching.activities_a),
        "activities_b": len(matching.activities_b),
        "use_labels": matching.use_labels,
        "pairs": [row._asdict() for row in rows if row.label_a is not None and row.label_b is not None],
        "splits": [split._asdict() for split in matching.splits],
        "without_partner_a": [row._asdict() for row in alone if row.label_b is None],
        "without_partner_b": [row._asdict() for row in alone if row.label_a is None],
    }


def print_matching(matching: Matching, rows: Sequence[MatchingRow], top: int, at_least: float | None) -> None:
    """Print the pairs, the most certain first, then doubtful pairs, splits, and labels without a partner."""
    pairs = [row for row in rows if row.label_a is not None and row.label_b is not None]
    sure = [row for row in pairs if row.known or row.probability >= SURE]
    doubtful = [row for row in pairs if not (row.known or row.probability >= SURE)]
    known = sum(row.known for row in pairs)
    labels = f"{_labels(len(matching.activities_a))} of A and {_labels(len(matching.activities_b))} of B"
    likely = f"{len(sure) - known:,} likely ({percent(SURE)} or more)"
    print(f"{_pairs(len(pairs))} among {labels}: {known:,} known, {likely}, {len(doubtful):,} doubtful.")
    _print_pairs("Likely the same step", sure, top)
    frequent_first = sorted(doubtful, key=lambda row: -(row.events_a or 0))  # a wrong one of these does most harm
    _print_pairs("Doubtful, the most frequent first", frequent_first, top)
    if matching.splits:
        print("\nOne label in one log, several in the other:\n")
        for split in matching.splits[:top]:
            own, other = ("A", "B") if split.side == "a" else ("B", "A")
            parts = " and ".join(map(repr, split.parts))
            print(plain(f"  {split.activity!r} of {own} is {parts} in {other} ({percent(split.probability)})"))
        _print_more(len(matching.splits) - top)
    for side, alone in (
        ("A", [row for row in rows if row.label_b is None]),
        ("B", [row for row in rows if row.label_a is None]),
    ):
        _print_alone(side, alone, top, at_least)


def matching_notes(matching: Matching) -> list[str]:
    """Return what to keep in mind about a matching: few cases, and logs that hardly match."""
    notes = []
    sides = (("A", matching.log_a), ("B", matching.log_b))
    few = [f"{_cases(log.n_cases)} of {side}" for side, log in sides if log.n_cases < _FEW_CASES]
    if few:
        notes.append(f"there are few cases ({' and '.join(few)}): the probabilities rest on little.")
    fewer = min(len(matching.activities_a), len(matching.activities_b))
    likely = sum(pair.probability >= SURE for pair in matching.pairs)
    if likely < _HARDLY * fewer:
        notes.append(
            f"hardly any pair is likely ({_pairs(likely)} of {percent(SURE)} or more, {_labels(fewer)} in the smaller log): "
            "do both logs record the same process? Matching assumes that they do."
        )
    return notes


def decision_words(decisions: MatchingDecisions) -> str:
    """Return how matching takes the decisions of a person.

    >>> from actalike import DecidedPair
    >>> pairs = DecidedPair("Check", "1"), DecidedPair("Check", "2"), DecidedPair("Pay", "P", "rejected"), DecidedPair(None, "Q")
    >>> print(decision_words(MatchingDecisions(pairs)))
    1 known, 1 rejected, 1 without a partner, 1 further label of a split step, which gets no other partner
    """
    known, by_person = decisions.known(), [pair for pair in decisions.pairs if pair.by == "person"]
    accepted = [pair for pair in by_person if pair.decision == "accepted"]
    alone = sum(pair.a is None or pair.b is None for pair in accepted)
    further = len(accepted) - alone - len(known)
    words = f"{len(known):,} known, {len(by_person) - len(accepted):,} rejected, {alone:,} without a partner"
    if not further:
        return words
    labels = "1 further label" if further == 1 else f"{further:,} further labels"
    return f"{words}, {labels} of a split step, which {'gets' if further == 1 else 'get'} no other partner"


def namesakes(matching: Matching, rows: Sequence[MatchingRow]) -> list[str]:
    """Return the labels of b without a partner that keep a name which a label of a has too."""
    labels_a = set(matching.activities_a)
    names = _names(matching, rows)
    return [row.label_b for row in rows if row.label_b in labels_a and row.label_a is None and row.label_b not in names]


def namesakes_words(labels: Sequence[str]) -> str:
    """Return how many labels of b keep a name that a has too, and what to do."""
    shown = [repr(without_middle(label, LONGEST)) for label in labels[:_SHOWN_NAMES]]
    more = ["..."] if len(labels) > _SHOWN_NAMES else []
    keep, it = ("keeps a name", "it") if len(labels) == 1 else ("keep names", "each")
    return (
        f"{_labels(len(labels))} of B without a partner {keep} that A has too ({', '.join(shown + more)}): together, the two "
        f"logs would have {it} as one step. Where that is wrong, write no into the column known of its row: then it gets '(b)'."
    )


def _names(matching: Matching, rows: Sequence[MatchingRow]) -> Translation:
    pairs = [(row.label_a, row.label_b) for row in rows if row.label_a is not None and row.label_b is not None]
    labels = [row.label_b for row in rows if row.label_b is not None]
    return translation(pairs, labels, {b for a, b in matching.apart if a == b})


def print_written(matching: Matching, rows: Sequence[MatchingRow], output: Path, log_b: Path, reading: ReadingOptions) -> None:
    """Print what the file does to log b, and what to do next, with a command to copy."""
    pairs = [(row.label_a, row.label_b) for row in rows if row.label_a is not None and row.label_b is not None]
    names = _names(matching, rows)
    renamed = sum(a != b for a, b in pairs)
    marked = len(names) - len({label for _, label in pairs})
    verbs = "gets '(b)' after its name, because another label has that name"
    if marked > 1:
        verbs = "get '(b)' after their names, because other labels have these names"
    without = f" {_labels(marked)} of B without a partner {verbs}." if marked else ""
    print(f"\n{plain(str(output))} gives {_labels(renamed)} of B another name, that of the partner in A.{without}")
    if same := namesakes(matching, rows):
        print(plain(namesakes_words(same)))
    place = relabelled_place(log_b, reading)
    free = (place.with_name(f"{number}{place.name}") for number in chain([""], (f"{i}-" for i in count(2))))
    command = relabel_command(log_b, output, next(path for path in free if not os.path.lexists(path)), reading)
    review = f"look through {quoted(str(output))}, clear the cell label_a where a pair is wrong"
    print(f"Next: {why_no_relabelling(log_b, reading)}" if command is None else f"Next: {review}, then: {command}")
    print(f"Or write yes into its column known where you are sure, and match again with --known {quoted(str(output))}.")


def explanation_facts(matching: Matching, a: str, b: str, top: int) -> dict[str, Any]:
    """Return why two labels are one step or not: sentences, the terms of the score, and the other candidates."""
    terms = told_terms(matching, a, b, top)
    place = matching.activities_a.index(a), matching.activities_b.index(b)
    candidates = matching.candidates(a, top)
    return {
        "a": a,
        "b": b,
        "probability": float(matching.probabilities()[place]),
        "known": matching.known.get(a) == b,
        "sentences": [sentence._asdict() for sentence in matching_sentences(matching, a, b)],
        "terms": [{**term._asdict(), "words": term_words(term)} for term in terms],
        "share_of_the_rest": 1 - sum(term.share for term in terms),
        "candidates": [{"b": candidate.b, "probability": candidate.probability} for candidate in candidates],
        "names_a": {label: name for label, name in matching.log_a.names.items() if label == a},
        "names_b": {label: name for label, name in matching.log_b.names.items() if label in {b, *(one.b for one in candidates)}},
    }


def print_explanation(facts: Mapping[str, Any]) -> None:
    """Print the facts that :func:`explanation_facts` returns."""
    a, b = plain(with_name(facts["a"], facts["names_a"])), plain(with_name(facts["b"], facts["names_b"]))
    known = " (known)" if facts["known"] else ""
    print(f"{a} = {b}?   {percent(facts['probability'])} likely one step{known}")
    for sentence in facts["sentences"]:
        print(f"  {sentence['sign']}  {plain(sentence['words'])}")
    rows = [[f"{term['share']:+.3f}", term["words"]] for term in facts["terms"]]
    if abs(facts["share_of_the_rest"]) >= _SMALLEST_SHARE:
        rows.append([f"{facts['share_of_the_rest']:+.3f}", "(all others)"])
    if rows:
        print()
        print_table(
            ["share of the score", "● is the activity, ≈ is between labels of A and B, … is up to four events away"],
            rows,
            right=(0,),
        )
    print()
    shown = [[percent(one["probability"]), with_name(one["b"], facts["names_b"])] for one in facts["candidates"]]
    print_table(["probability", f"candidates for {a}"], shown, right=(0,))


def _print_pairs(title: str, rows: Sequence[MatchingRow], top: int) -> None:
    if not rows:
        return
    print(f"\n{title}:\n")
    shown = [
        [
            "known" if row.known else percent(row.probability),
            _shown(row.label_a, row.name_a),
            f"{row.events_a:,}",
            _shown(row.label_b, row.name_b),
            f"{row.events_b:,}",
            without_middle(row.reason, 3 * LONGEST),
        ]
        for row in rows[:top]
    ]
    print_table(["probability", "label of A", "events", "label of B", "events", "why"], shown, right=(0, 2, 4))
    _print_more(len(rows) - top)


def _print_alone(side: str, rows: Sequence[MatchingRow], top: int, at_least: float | None) -> None:
    """Print the labels of a log without a partner, the most frequent first."""
    if not rows:
        return
    bound = "" if at_least is None else f" of {percent(at_least)} or more"
    print(f"\nWithout a partner{bound}, {_labels(len(rows))} of {side}:\n")
    shown = []
    for row in rows[:top]:
        label, name, events = (
            (row.label_a, row.name_a, row.events_a) if row.label_b is None else (row.label_b, row.name_b, row.events_b)
        )
        shown.append([_shown(label, name), f"{events:,}", without_middle(row.reason, 3 * LONGEST)])
    print_table([f"label of {side}", "events", "why"], shown, right=(1,))
    _print_more(len(rows) - top)


def _print_more(number: int) -> None:
    if number > 0:
        print(f"... and {number:,} more: --top shows more, --output writes all.")


def _shown(label: str | None, name: str | None) -> str:
    return "" if label is None else without_middle(with_name(label, {} if name is None else {label: name}), LONGEST)


def _labels(number: int) -> str:
    return "1 label" if number == 1 else f"{number:,} labels"


def _pairs(number: int) -> str:
    return "1 pair" if number == 1 else f"{number:,} pairs"


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number:,} cases"
