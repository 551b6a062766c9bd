"""The verdict about two labels, with its reasons and contexts, as the commands explain and demo show it."""

import re
import textwrap
from dataclasses import asdict
from typing import Any, NamedTuple

from actalike.cli.console import plain, print_table
from actalike.counting import count_windows
from actalike.labels import (
    CommonContext,
    Comparison,
    Reason,
    Verdict,
    common_contexts,
    compare,
    comparison_sentences,
    differing_contexts,
    in_words,
    judge,
    no_witness_words,
    reason_words,
    same_step_of,
    text_difference,
    text_difference_words,
    verdict_words,
    with_people_together,
    witness_facts,
)
from actalike.log import AnyLog, EventLog
from actalike.support.progress import tracked
from actalike.support.text import percent

_WINDOW = 5  # of the windows that are compared
_CONTEXT = 3  # the activity and its two neighbours, in the tables of contexts
_DIFFERING = 5  # differences shown, or fewer
_COLUMNS = 80  # of a line of sentences


class PairVerdict(NamedTuple):
    """Hold the verdict about two labels, its reasons, the contexts of both, the neighbours that differ, and how they are used.

    How they are used is None without the events.
    """

    a: str
    b: str
    probability: float
    overlap: float
    verdict: Verdict
    reasons: list[Reason]
    common: list[CommonContext]
    differing: list[CommonContext]
    comparison: Comparison | None


def find_pair_verdict(log: AnyLog, a: str, b: str, top: int) -> PairVerdict:
    """Judge two labels of a log. The windows are counted once."""
    with tracked("comparing labels"):
        counts = count_windows(log, _WINDOW)
        same = same_step_of(log, [a, b], counts=counts)
        reasons = same.evidence(a, b)
        return PairVerdict(
            a,
            b,
            same.probability(a, b),
            same.overlap(a, b),
            judge(same, [(a, b)], counts=counts)[0],
            reasons,
            common_contexts(counts.marginal(_CONTEXT), a, b, topn=top),
            differing_contexts(counts, a, b, min(top, _DIFFERING)),
            compare(log, a, b, counts=counts, same=same) if isinstance(log, EventLog) else None,
        )


def pair_verdict_facts(pair: PairVerdict) -> dict[str, Any]:
    """Return a verdict for JSON."""
    return {
        "a": pair.a,
        "b": pair.b,
        "probability": pair.probability,
        "overlap": pair.overlap,
        "relation": pair.verdict.relation,
        "verdict": verdict_words(pair.verdict.relation, pair.probability),
        "witnesses": [witness_facts(witness) for witness in pair.verdict.witnesses],
        "cautions": [in_words(caution) for caution in pair.verdict.cautions],
        "texts": {**asdict(text_difference(pair.a, pair.b)), "words": text_difference_words(pair.a, pair.b)},
        "reasons": [{**reason._asdict(), "words": reason_words(reason)} for reason in pair.reasons],
        "common_contexts": [context.as_dict() for context in pair.common],
        "differing_contexts": [context.as_dict() for context in pair.differing],
        **({} if pair.comparison is None else {"comparison": pair.comparison.as_dict()}),
    }


def print_pair_verdict(pair: PairVerdict) -> None:
    """Print a verdict: first the answer, then witnesses, cautions and texts, the reasons with their sum, and the contexts."""
    a, b = plain(pair.a), plain(pair.b)
    print(f"{a} = {b}?   {verdict_words(pair.verdict.relation, pair.probability)}")
    for witness in with_people_together(pair.verdict.witnesses):
        print(f"  +  {plain(in_words(witness))}")
    if pair.verdict.relation == "alternatives" and not pair.verdict.witnesses:
        print(f"  -  {no_witness_words()}")
    for caution in pair.verdict.cautions:
        print(f"  -  {plain(in_words(caution))}")
    if texts := text_difference_words(pair.a, pair.b):
        print(f"     {plain(texts)}")  # no sign: what it means depends on the log
    print()
    rows = [[f"{reason.log_odds:+.2f}", reason_words(reason)] for reason in pair.reasons]
    total = sum(reason.log_odds for reason in pair.reasons)
    print_table(
        ["log-odds", "reason"], [*rows, [f"{total:+.2f}", f"sum: a probability of {percent(pair.probability)}"]], right=(0,)
    )
    print()
    print_common_contexts(a, b, pair.common)
    if pair.differing:
        print("\nWhat differs most, as a share of their events:\n")
        rows = [[f"{context.count_a:,}", f"{context.count_b:,}", context.context] for context in pair.differing]
        print_table([a, b, "times next to (● is the activity)"], rows, right=(0, 1))


def print_comparison(comparison: Comparison) -> None:
    """Print in sentences how two labels differ in use: neighbours, time, people, cases, examples."""
    print("\nHow they are used:\n")
    subjects = comparison_sentences(comparison)._asdict()
    width = max(map(len, subjects)) + 4
    for subject, sentences in subjects.items():
        for i, sentence in enumerate(sentences):
            lead = f"  {subject if i == 0 else ''}".ljust(width)
            unbroken = re.sub(r"(?<=\d) (?=(?:s|min|h|days)\b|%)", "\0", plain(sentence))  # a number stays with its unit
            lines = textwrap.fill(unbroken, _COLUMNS, initial_indent=lead, subsequent_indent=" " * width)
            print(lines.replace("\0", " "))


def print_common_contexts(a: str, b: str, contexts: list[CommonContext]) -> None:
    """Print how often two activities occur in the same contexts."""
    if not contexts:
        print("They have no context in common.")
        return
    rows = [[f"{context.count_a:,}", f"{context.count_b:,}", context.context] for context in contexts]
    print_table([a, b, "times in the context (● is the activity)"], rows, right=(0, 1))
