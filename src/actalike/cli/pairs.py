"""The commands similar and explain: which labels of a log are most likely one step, and why two of them are or are not."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, NamedTuple

import typer

from actalike.cli.console import plain, print_json, print_names, print_note, print_table, with_name
from actalike.cli.help import EVIDENCE
from actalike.cli.options import (
    SOURCE_HELP,
    JsonOption,
    MethodOption,
    Source,
    SourceArgument,
    SourceOptions,
    TopOption,
    embed_source,
    names_of,
    open_source,
    with_attribute_options,
)
from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES, RESAMPLES, Confidence, Embedding, Share
from actalike.errors import ActalikeError
from actalike.grouping import judge_pair, likely_pairs
from actalike.labels import (
    CommonContext,
    Comparison,
    EvidenceModel,
    LikelyPairs,
    LogInModel,
    PairVerdict,
    Reason,
    Relation,
    common_contexts,
    comparison_sentences,
    evidence_model,
    in_words,
    no_witness_words,
    reason_words,
    text_difference_words,
    unproven_use,
    verdict_words,
    with_people_together,
)
from actalike.log import AnyLog, EventLog, Variants
from actalike.methods import DEFAULT_METHOD, MethodName, full_name, has_checked_intervals, make_method
from actalike.support.progress import tracked
from actalike.support.text import percent

ResamplesOption = Annotated[
    int,
    typer.Option(
        "--resamples",
        metavar="N",
        min=0,
        help="With --method: resample the cases N times (20 or more) for intervals; 0: none.",
        rich_help_panel=EVIDENCE,
    ),
]


class ComparedPair(NamedTuple):
    """Two activities, their similarity, the events of each (None if they were not counted), and the interval."""

    a: str
    b: str
    similarity: float
    count_a: int | None
    count_b: int | None
    confidence: Confidence | None


_VERDICTS: dict[Relation | None, str] = {"synonyms": "one step", None: "different steps"}  # the others are words for a table


_SIMILAR_BY_METHOD = "actalike/similar-by-method/1"
_MANY_ACTIVITIES = 1000  # of which pairs of neighbours are counted in millions


class Explanation(NamedTuple):
    """The similarity of two activities and what it is made of; ``common`` is None if the contexts were not counted."""

    method: str | None
    a: str
    b: str
    similarity: float
    confidence: Confidence | None
    shares_are_activities: bool
    shown: list[Share]
    share_of_the_rest: float  # the sum of the shares that are not shown
    rest: int | None  # how many these are; None if there are too many to list
    common: list[CommonContext] | None


_COLUMNS = 80  # of a line of sentences


@with_attribute_options
def similar(
    log: SourceArgument,
    activity_name: Annotated[str | None, typer.Argument(metavar="[ACTIVITY]", help="An activity of the log.")] = None,
    method: MethodOption = None,
    top: TopOption = 10,
    min_cases: Annotated[
        int, typer.Option("--min-cases", metavar="N", min=1, help="Leave out activities that occur in fewer cases.")
    ] = 1,
    resamples: ResamplesOption = RESAMPLES,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """List the activities most like one activity, or the most similar pairs of a log.

    For a log: how likely two labels are one step, how likely they are interchangeable in the control flow, and a verdict.
    Pairs with a label in fewer than 5 cases, too rare to judge, come last. With --method: the similarity by a method, with its
    95 % interval from resampling the cases of the log. Saved window counts need --method; a
    saved embedding is compared by its own method.

    Examples:

    actalike similar orders.xes.gz

    actalike similar orders.csv "Check invoice" --case OrderId --activity Step

    actalike similar orders.xes.gz --min-cases 5

    actalike similar orders.xes.gz --method ac-sequence-pmi-w5 --json
    """
    if reading.engine is not None and method is not None and min_cases != 1:  # before anything is counted
        raise _no_cases(f"--engine {reading.engine}")
    source, read = open_source(log, reading, method, attributes="people" if method is None else None, compares_labels=True)
    if isinstance(source, EventLog | Variants) and method is None:
        check_resamples(resamples)
        likely = likely_pairs(source, activity_name, top, min_cases)
        if as_json:
            print_json({**likely.to_dict(), "read": read})
        else:
            print_likely_pairs(likely, source.names)
        return
    among = None if min_cases == 1 else _activities_in(source, min_cases, log)
    embedding = embed_source(source, method)
    names = names_of(source)
    pairs = compare_by_method(source, embedding, activity_name, among, top, resamples)
    if as_json:
        print_json({**_compared_facts(embedding.method, activity_name, pairs), "names": names, "read": read})
    elif activity_name is None:
        _print_compared(pairs, names, embedding.method)
    else:
        _print_neighbours(pairs, names, embedding.method)


@with_attribute_options
def explain(
    log: Annotated[str | None, typer.Argument(metavar="LOG", help=SOURCE_HELP)] = None,
    a: Annotated[str | None, typer.Argument(metavar="A", help="An activity.")] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="Another activity.")] = None,
    method: MethodOption = None,
    top: TopOption = 10,
    resamples: ResamplesOption = RESAMPLES,
    model: Annotated[
        bool, typer.Option("--model", help="Show the weights of all evidence, and with LOG what depends on it; no A and B.")
    ] = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Explain whether two labels of a log are one step.

    First comes the verdict, with how the texts differ if that is telling; then the reasons as log-odds that sum to the
    probability, what the two have in common, and what differs; at last how they are used: after and before what, when, how fast,
    by whom, in the same cases or not, with example cases. With --method, and for a saved embedding, the similarity by a
    method is explained instead: each context has a share of it, and all shares sum to it exactly. With kin, "x ≈ y → ●" means
    that one activity follows x, the other follows y, and x and y are alike. With an activity-activity method (aa-...), the
    shares belong to activities that A and B both resemble. Engines and saved window counts have no events, so they need --method.

    Examples:

    actalike explain orders.xes.gz "Check invoice" "Verify invoice"

    actalike explain orders.xes.gz "Check invoice" "Verify invoice" --method ac-sequence-pmi-w3 --json

    actalike explain --model orders.xes.gz
    """
    if model:
        if a is not None or method is not None or resamples != RESAMPLES:
            raise typer.BadParameter("--model explains no pair and no method: give it a LOG, or nothing.")
        _explain_model(log, as_json, reading)
        return
    if log is None or a is None or b is None:
        raise typer.BadParameter("Give a LOG and two activities, A and B; or --model.")
    if not make_method(method or DEFAULT_METHOD).explains:  # before it is fitted
        raise ActalikeError(f"{method} cannot explain itself: take {DEFAULT_METHOD}, or one of the count methods.")
    source, read = open_source(log, reading, method, attributes="people" if method is None else None, compares_labels=True)
    if isinstance(source, EventLog | Variants) and method is None:
        check_resamples(resamples)
        verdict = judge_pair(source, a, b, top)
        if as_json:
            print_json({**verdict.to_dict(), "names": source.names, "read": read})
        else:
            print_names([a, b], source.names)
            print_pair_verdict(verdict)
            if verdict.comparison is not None:
                print_comparison(verdict.comparison)
        return
    explanation = find_explanation(source, method, a, b, top, resamples)
    if as_json:
        print_json({**_explanation_facts(explanation), "names": names_of(source), "read": read})
    else:
        print_names([a, b], names_of(source))
        _print_explanation(explanation)


def _explain_model(log: str | None, as_json: bool, reading: SourceOptions) -> None:
    """Print the weights of all evidence, and what depends on a log."""
    read: dict[str, Any] = {}
    source: Source | None = None
    if log is not None:
        source, facts = open_source(log, reading, None, attributes="people", compares_labels=True)
        read = {"read": facts}
    if not isinstance(source, EventLog | Variants | None):
        raise ActalikeError(f"{log} has no cases, so nothing of the model depends on it: give a log, or leave it out.")
    found = evidence_model(source)
    if as_json:
        print_json({**found.to_dict(), **read})
    else:
        print_evidence_model(found)


def find_intervals(embedding: Embedding, pairs: list[tuple[str, str]], resamples: int) -> Sequence[Confidence | None]:
    """Return the intervals of some similarities; None for each if there are no cases to resample."""
    if not resamples or embedding.resampler is None:
        return [None] * len(pairs)
    if not has_checked_intervals(embedding.method):
        print_note(f"the intervals of {embedding.method} may be too narrow: only those of kin were validated (docs/concepts.md).")
    return embedding.confidences(pairs, resamples)


def check_resamples(resamples: int) -> None:
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


def compare_by_method(
    source: Source, embedding: Embedding, activity: str | None, among: list[str] | None, top: int, resamples: int
) -> list[ComparedPair]:
    """Return the pairs of an activity with its nearest ones, or the most similar pairs of all; only activities ``among``."""
    if activity is None:
        with tracked("comparing all pairs"):
            nearest = embedding.most_similar_pairs(top, among)
    else:
        neighbours = embedding.most_similar(activity, None)
        nearest = [(activity, label, value) for label, value in neighbours if among is None or label in among][:top]
    confidences = find_intervals(embedding, [(a, b) for a, b, _ in nearest], resamples)
    events: dict[str, int] = {}
    if isinstance(source, EventLog | WindowCounts):
        events = dict(zip(source.activities, source.activity_counts.tolist(), strict=True))
    return [
        ComparedPair(a, b, value, events.get(a), events.get(b), confidence)
        for (a, b, value), confidence in zip(nearest, confidences, strict=True)
    ]


def _activities_in(source: Source, min_cases: int, name: str) -> list[str]:
    """Return the activities that occur in so many cases."""
    if not isinstance(source, EventLog):
        raise _no_cases(name)
    return [label for label, cases in zip(source.activities, source.activity_cases, strict=True) if cases >= min_cases]


def _no_cases(source: str) -> ActalikeError:
    return ActalikeError(f"{source} does not have the cases, so --min-cases cannot be used: leave it out.")


def _compared_facts(method: str | None, activity: str | None, pairs: list[ComparedPair]) -> dict[str, Any]:
    if activity is None:
        facts = [
            {
                "a": pair.a,
                "b": pair.b,
                "similarity": pair.similarity,
                "count_a": pair.count_a,
                "count_b": pair.count_b,
                **interval_facts(pair.confidence),
            }
            for pair in pairs
        ]
        return {"schema": _SIMILAR_BY_METHOD, "method": method, "pairs": facts}
    neighbours = [
        {"activity": pair.b, "similarity": pair.similarity, "count": pair.count_b, **interval_facts(pair.confidence)}
        for pair in pairs
    ]
    return {"schema": _SIMILAR_BY_METHOD, "method": method, "activity": activity, "most_similar": neighbours}


def _print_compared(pairs: list[ComparedPair], names: Mapping[str, str], method: str | None) -> None:
    if not pairs:
        print("Fewer than two activities: nothing to compare.")
        return
    rows = [
        [*_figures(pair), with_name(pair.a, names), _number(pair.count_a), with_name(pair.b, names), _number(pair.count_b)]
        for pair in pairs
    ]
    header = [_heading(method), "95 % interval", "activity", "events", "activity", "events"]
    _print_without_empty_intervals(header, rows, right=(0, 3, 5))
    if all(pair.confidence is not None and pair.confidence.too_rare for pair in pairs):
        print_note(f"all of these are too rare to judge: --min-cases {ENOUGH_CASES} leaves such activities out.")


def _print_neighbours(pairs: list[ComparedPair], names: Mapping[str, str], method: str | None) -> None:
    rows = [[*_figures(pair), with_name(pair.b, names), _number(pair.count_b)] for pair in pairs]
    _print_without_empty_intervals([_heading(method), "95 % interval", "activity", "events"], rows, right=(0, 3))


def _heading(method: str | None) -> str:
    return "alike" if method is None else f"alike ({method})"


def _figures(pair: ComparedPair) -> tuple[str, str]:
    return f"{pair.similarity:.3f}", "" if pair.confidence is None else str(pair.confidence)


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _print_without_empty_intervals(header: list[str], rows: list[list[str]], right: tuple[int, ...]) -> None:
    """Print a table, without the second column, the intervals, if there are none."""
    if not any(row[1] for row in rows):
        header, rows = [header[0], *header[2:]], [[row[0], *row[2:]] for row in rows]
        right = tuple(place - (place > 1) for place in right)
    print_table(header, rows, right)


def print_likely_pairs(pairs: LikelyPairs, names: Mapping[str, str]) -> None:
    """Print the pairs, or the neighbours of an activity, as a table."""
    if not pairs:
        print("Fewer than two activities: nothing to compare.")
        return
    header, right = ["one step", "interchangeable", "same neighbours"], (0, 1, 2, 4, 6)
    rows = []
    for pair in pairs:
        labels = [with_name(pair.a, names), f"{pair.count_a:,}", with_name(pair.b, names), f"{pair.count_b:,}"]
        verdict = _VERDICTS.get(pair.relation) or str(pair.relation)
        figures = [percent(figure) for figure in (pair.probability, pair.interchangeable, pair.overlap)]
        rows.append([*figures, *labels[0 if pairs.activity is None else 2 :], verdict])
    columns = ["activity", "events"] * (2 if pairs.activity is None else 1)
    print_table([*header, *columns, "verdict"], rows, right if pairs.activity is None else right[:4])
    if pairs.activity is None and all(pair.relation == "too rare to judge" for pair in pairs):
        print_note(f"all of these are too rare to judge: --min-cases {ENOUGH_CASES} leaves such activities out.")


def find_explanation(source: Source, method: str | None, a: str, b: str, top: int, resamples: int) -> Explanation:
    """Return the largest shares and the most frequent common contexts of two activities."""
    counts = None if isinstance(source, Embedding) else _count(source, method)
    embedding = embed_source(source, method, counts if isinstance(source, EventLog) else None)
    similarity = embedding.similarity(a, b)
    # kin has a share for each pair of neighbours: of many activities, only the largest are listed, and the rest is a difference
    are_listed = embedding.cosines is None or len(embedding.activities) <= _MANY_ACTIVITIES
    shares = embedding.explain(a, b, None if are_listed else top)
    (confidence,) = find_intervals(embedding, [(a, b)], resamples) if a != b else (None,)
    is_multiset = "multiset" in MethodName.parse(embedding.method or "").stem.split("-")
    return Explanation(
        method=embedding.method,
        a=a,
        b=b,
        similarity=similarity,
        confidence=confidence,
        shares_are_activities=embedding.contexts is not None and embedding.contexts.kind == "activity",
        shown=shares[:top],
        share_of_the_rest=sum(share.share for share in shares[top:])
        if are_listed
        else similarity - sum(share.share for share in shares),
        rest=len(shares[top:]) if are_listed else None,
        common=None if counts is None else common_contexts(counts, a, b, "multiset" if is_multiset else "sequence", top),
    )


def _count(source: AnyLog | WindowCounts, method: str | None) -> WindowCounts:
    """Count the windows of the method's size; of 3 symbols if its windows are something else, or it has none."""
    name = MethodName.parse(full_name(method or DEFAULT_METHOD))
    window = name.window if name.window is not None and name.marker == "w" else 3
    return source.marginal(min(window, source.window)) if isinstance(source, WindowCounts) else count_windows(source, window)


def _explanation_facts(explanation: Explanation) -> dict[str, Any]:
    return {
        "schema": "actalike/explain-by-method/1",
        "method": explanation.method,
        "a": explanation.a,
        "b": explanation.b,
        "similarity": explanation.similarity,
        **interval_facts(explanation.confidence),
        "shares": [{"context": s.context, "symbols": s.symbols, "share": s.share} for s in explanation.shown],
        "share_of_the_rest": explanation.share_of_the_rest,
        "common_contexts": [context.as_dict() for context in explanation.common or []],
    }


def _print_explanation(explanation: Explanation) -> None:
    a, b, interval = plain(explanation.a), plain(explanation.b), interval_words(explanation.confidence)
    print(f"{a} and {b} are alike by {explanation.similarity:.3f} ({explanation.method}){interval}.")
    rows = [[f"{share.share:+.3f}", share.context] for share in explanation.shown]
    if explanation.rest != 0:
        more = "all others" if explanation.rest is None else f"{explanation.rest:,} more"
        rows.append([f"{explanation.share_of_the_rest:+.3f}", f"({more})"])
    if rows:
        print()
        print_table(["share", "like both" if explanation.shares_are_activities else "context"], rows, right=(0,))
    if explanation.common is not None:
        print()
        print_common_contexts(a, b, explanation.common)


def print_pair_verdict(pair: PairVerdict) -> None:
    """Print a verdict: first the answer, then witnesses, cautions and texts, the reasons with their sum, and the contexts."""
    a, b = plain(pair.a), plain(pair.b)
    print(f"{a} = {b}?   {verdict_words(pair.verdict.relation, pair.probability)}")
    for witness in with_people_together(pair.verdict.witnesses):
        print(f"  +  {plain(in_words(witness))}")
    if pair.verdict.relation == "alternatives" and not (pair.verdict.witnesses or unproven_use(pair.reasons)):
        print(f"  -  {no_witness_words()}")
    for caution in pair.verdict.cautions:
        print(f"  -  {plain(in_words(caution))}")
    if texts := text_difference_words(pair.a, pair.b):
        print(f"     {plain(texts)}")  # no sign: what it means depends on the log
    print()
    behaviour = [reason for reason in pair.reasons if reason.is_behaviour]
    further = [reason for reason in pair.reasons if not reason.is_behaviour]
    rows = [[f"{reason.log_odds:+.2f}", reason_words(reason)] for reason in behaviour]
    rows.append([_sum_of(behaviour), f"sum: interchangeable with a probability of {percent(pair.interchangeable)}"])
    rows += [[f"{reason.log_odds:+.2f}", reason_words(reason)] for reason in further]
    rows.append([_sum_of(pair.reasons), f"sum: one step with a probability of {percent(pair.probability)}"])
    print_table(["log-odds", "reason"], rows, right=(0,))
    print()
    print_common_contexts(a, b, pair.common)
    if pair.differing:
        print("\nWhat differs most, as a share of their events:\n")
        rows = [[f"{context.count_a:,}", f"{context.count_b:,}", context.context] for context in pair.differing]
        print_table([a, b, "times next to (● is the activity)"], rows, right=(0, 1))


def _sum_of(reasons: Sequence[Reason]) -> str:
    return f"{sum(reason.log_odds for reason in reasons):+.2f}"


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


def print_evidence_model(model: EvidenceModel) -> None:
    """Print every level of all evidence with its weight and a bar, what the weights were fitted on, and what depends on a log."""
    headings = {
        "interchangeable": "Interchangeable in the control flow: the log-odds are the sum of",
        "same step": "One step: the log-odds are the sum of",
    }
    for part, heading in headings.items():
        print(f"{heading}\n")
        for about, levels in groupby((one for one in model.levels if one.part == part), key=lambda one: one.about):
            print(f"  {about}")
            for one in levels:
                print(f"    {one.level:<16}{one.log_odds:+7.2f}  {weight_bar(one.log_odds)}".rstrip())
        print()
    _print_sentences(
        "Between two levels the weight is linear, and beyond the outermost it is constant. Bars end at "
        f"±{_BAR * _PER_CELL:g}: an arrow marks longer ones.",
        f"Behaviour counts in full from {model.full_cases} cases of the rarer label on; below {model.judged_cases}, no pair is "
        "judged.",
        "Labels that two parts of the log use for one step have at least the probability of the comparison of the parts.",
    )
    print("\nWhat the weights were fitted on:\n")
    for name, value in model.fitted.items():
        words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        _print_sentences(f"{name.replace('_', ' ')}: {words}")
    if model.log is not None:
        _print_log_in_model(model.log, model)


_BAR, _PER_CELL = 20, 0.5  # cells on either side of 0, and the log-odds of each


def weight_bar(log_odds: float) -> str:
    """Return log-odds as a bar to the left or the right of 0; one that is too long ends in an arrow.

    >>> weight_bar(1.0), weight_bar(-2.0).strip(), weight_bar(14.0)[-3:]
    ('                    │██', '████│', '██▶')
    """
    cells = round(abs(log_odds) / _PER_CELL)
    bar = "█" * min(cells, _BAR)
    if log_odds < 0:
        return f"{bar if cells <= _BAR else '◀' + bar[1:]}│".rjust(_BAR + 1)
    return " " * _BAR + f"│{bar if cells <= _BAR else bar[1:] + '▶'}"


def _print_log_in_model(log: LogInModel, model: EvidenceModel) -> None:
    print("\nIn this log:\n")
    rare = [
        (log.too_rare, f"fewer than {model.judged_cases} cases: never judged"),
        (log.in_part, f"fewer than {model.full_cases} cases: behaviour counts in part, or they are never judged"),
    ]
    rows = [[f"{number:,}", percent(number / max(log.labels, 1)), cases] for number, cases in rare]
    print_table(["labels", "share", "in"], rows, right=(0, 1))
    print()
    for one in log.weights:
        used = "one before the other" if one.evidence == "periods" else "by different people"
        if one.share is None or one.log_odds is None:
            _print_sentences(f"The log does not record whether labels are used {used}.")
        else:
            pairs = f"About {percent(one.share)} of the unrelated pairs are used {used}"
            _print_sentences(f"{pairs}: where two labels are, it weighs {one.log_odds:+.2f}.")
    for side, outside in (("before", "the start of a case"), ("after", "the end of a case")):
        found = [one for one in log.neighbours if one.side == side]
        if found:
            first, middle, last = (
                f"{outside if one.neighbour is None else repr(one.neighbour)} {one.surprise:.2f}"
                for one in (found[0], found[len(found) // 2], found[-1])
            )
            _print_sentences(f"A neighbour in common {side} counts, from the commonest to the rarest: {first}; {middle}; {last}.")


def _print_sentences(*sentences: str) -> None:
    for sentence in sentences:
        print(textwrap.fill(plain(sentence), _COLUMNS, initial_indent="  ", subsequent_indent="    "))


def print_common_contexts(a: str, b: str, contexts: list[CommonContext]) -> None:
    """Print how often two activities occur in the same contexts."""
    if not contexts:
        print("They have no context in common.")
        return
    rows = [[f"{context.count_a:,}", f"{context.count_b:,}", context.context] for context in contexts]
    print_table([a, b, "times in the context (● is the activity)"], rows, right=(0, 1))
