"""The command explain: why two labels are likely one step or not, or why two activities are similar by a method."""

from typing import Annotated, Any, NamedTuple

import typer

from actalike.cli.console import plain, print_json, print_table
from actalike.cli.intervals import ResamplesOption, find_intervals, interval_facts, interval_words, refuse_resamples
from actalike.cli.pair_verdict import (
    find_pair_verdict,
    pair_verdict_facts,
    print_common_contexts,
    print_comparison,
    print_pair_verdict,
)
from actalike.cli.reading_options import SourceOptions, with_attribute_options
from actalike.cli.second_names import names_of, print_names
from actalike.cli.sources import JsonOption, MethodOption, Source, SourceArgument, TopOption, embed_source, open_source
from actalike.counting import WindowCounts, count_windows
from actalike.embedding import RESAMPLES, Confidence, Embedding, Share
from actalike.errors import ActalikeError
from actalike.labels import CommonContext, common_contexts
from actalike.log import AnyLog, EventLog, Variants
from actalike.methods import DEFAULT_METHOD, MethodName, full_name, make_method

_MANY_ACTIVITIES = 1000  # of which there are millions of pairs of neighbours


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


@with_attribute_options
def explain(
    log: SourceArgument,
    a: Annotated[str, typer.Argument(metavar="A", help="An activity.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another activity.")],
    method: MethodOption = None,
    top: TopOption = 10,
    resamples: ResamplesOption = RESAMPLES,
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
    shares belong to activities that A and B both resemble. With --engine, and of saved variants, how they are used is left out:
    times between events and example cases need the events. Saved window counts need --method.

    Examples:

    actalike explain orders.xes.gz "Check invoice" "Verify invoice"

    actalike explain orders.xes.gz "Check invoice" "Verify invoice" --method ac-sequence-pmi-w3 --json
    """
    if not make_method(method or DEFAULT_METHOD).explains:  # before it is fitted
        raise ActalikeError(f"{method} cannot explain itself: take {DEFAULT_METHOD}, or one of the count methods.")
    source, read = open_source(log, reading, method, attributes="people" if method is None else None, compares_labels=True)
    if isinstance(source, EventLog | Variants) and method is None:
        refuse_resamples(resamples)
        verdict = find_pair_verdict(source, a, b, top)
        if as_json:
            print_json({**pair_verdict_facts(verdict), "names": source.names, "read": read})
        else:
            print_names([a, b], source.names)
            print_pair_verdict(verdict)
            if verdict.comparison is not None:
                print_comparison(verdict.comparison)
        return
    explanation = find_explanation(source, method, a, b, top, resamples)
    if as_json:
        print_json({**_facts(explanation), "names": names_of(source), "read": read})
    else:
        print_names([a, b], names_of(source))
        _print_explanation(explanation)


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


def _facts(explanation: Explanation) -> dict[str, Any]:
    return {
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
