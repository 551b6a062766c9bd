"""The command odd: which events are unusual in their context, and what was expected instead."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from actalike.cli.console import plain, print_json, print_note, quoted, with_name
from actalike.cli.options import JsonOption, SourceArgument, SourceOptions, TopOption, read_facts, with_attribute_options
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, is_printed, writing, written_to
from actalike.errors import ActalikeError
from actalike.io import SOURCE
from actalike.loading import load
from actalike.log import EventLog, Variants
from actalike.oddities import (
    KIND_WORDS,
    KINDS,
    SCORE_WORDS,
    TIME_KINDS,
    TIME_SCORE_WORDS,
    TIME_WORDS,
    CaseNames,
    Kind,
    OddEvent,
    Oddities,
    OddModel,
    OddTime,
    TimeKind,
    by_reason,
    check_kind,
    find_cases,
    labels_of_case,
    left_out_words,
    odd_model,
    odd_sentence,
    odd_summary,
    place_words,
    time_summary,
    why_not_odd,
    write_odd_events,
    write_scores,
)
from actalike.oddities import odd as find_odd
from actalike.support.progress import tracked
from actalike.support.text import counted, percent

if TYPE_CHECKING:
    import polars as pl

_SAYS_NOTHING = "nearly every event has another value of it, or all have the same, or it is a copy of another attribute"
_AROUND = 2  # events on each side of an odd place that are shown in any case
_SHOWN_OTHERS = 3  # further odd places for the same reason
_SMALLEST = 0.05  # a score that is not rounded to 0
_LONG = 50  # events of a case that are all shown


@with_attribute_options
def odd(
    log: SourceArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write all odd events, not only the --top ones, to an odd.csv; with --explain, what is shown of the case. "
            "- prints it.",
        ),
    ] = None,
    top: TopOption = 20,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="|".join((*KINDS, *TIME_KINDS)), help="Show and write the odd events of one kind only."),
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="ID", help="Show one case, event by event, with what is odd about it.")
    ] = None,
    scores: Annotated[
        Path | None,
        typer.Option(
            "--scores", metavar="FILE", help="Write the score and the probability of each case, to a .csv or .parquet file."
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            "--reference",
            metavar="FILE",
            help="Judge the cases by those of another log, such as a clean one, or by what was learned of one (an .actalike "
            "file), and not by each other.",
        ),
    ] = None,
    false_alarms: Annotated[
        str | None,
        typer.Option(
            "--false-alarms",
            metavar="SHARE",
            help="Which share of ordinary cases may be called odd by mistake: 1% or 0.01. [1%, and scores of 4.6 or more]",
        ),
    ] = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Find odd events: those that are unusual in their context, and what was expected instead.

    The oddest come first: steps that were skipped, inserted or repeated, that come too early or too late, and attributes with
    an unusual value. Each has a reason with counts that you can check in the log. Rare is not wrong: look at the case before
    you judge it.

    Unusual times come after them: waits that are very long or short for their two steps, and events that are there twice.

    With --engine, and of saved variants (actalike count --variants), the order of the steps is looked at, and neither attributes
    nor times. What is odd are variants then: distinct cases, named with the number of cases that follow them. For --output
    and --scores the engine is asked once more, which cases these are.

    Examples:

    actalike odd orders.xes.gz

    actalike odd orders.xes.gz -o odd.csv --attributes org:resource

    actalike odd orders.xes.gz --kind skipped --top 5

    actalike odd orders.xes.gz --explain 4711

    actalike odd new.xes.gz --reference clean.xes.gz --false-alarms 0.5%

    actalike odd 'events/*.parquet' --engine duckdb --order at --scores scores.parquet
    """
    check_csv(output, "odd.csv")
    check_kind(kind)
    allowed = None if false_alarms is None else _share(false_alarms)
    chosen = cast("Kind | TimeKind | None", kind)
    if scores is not None and scores.suffix not in (".csv", ".parquet"):
        raise ActalikeError(f"The scores of cases are written to a .csv or .parquet file, and {scores} is none.")
    outputs = [file for file in (output, scores) if file is not None]
    printed = is_printed(output, as_json)
    check_outputs(outputs, reading.inputs(log, *outputs), overwrite)
    if reading.engine is not None:
        reading.reject(
            ("attributes",), f"cannot go with --engine {reading.engine}: odd looks at the order of the steps alone there"
        )
    source = reading.open(log, "people" if reading.engine is None else ())
    if isinstance(source, Variants) and reading.engine is None and outputs:
        raise ActalikeError(
            f"{log} does not name cases, so --output and --scores have none to write: give the log, with --engine."
        )
    with tracked("looking for odd events"):
        attributes = None if isinstance(source, Variants) else _attributes(source, reading)
        model = None if reference is None else _learned(reference, attributes, reading)
        if model is not None and attributes is not None:
            attributes = [name for name in attributes if name in model.attributes]
        result = find_odd(source, attributes, reference=model, false_alarms=allowed)
        cases = None if explain is None else find_cases(result.log, explain)
        if cases is None:
            events = [one for one in result.most(None) if kind in (None, one.kind)]
        else:
            events = [one for number in cases for one in result.explain(number) if kind in (None, one.kind)]
        times = _times(result, kind, cases)
    if allowed is None and result.allowed > 0.01:
        print_note(
            f"The reference has few cases, so up to {percent(result.allowed)} of ordinary cases may be called odd by mistake."
        )
    for name in result.ignored:
        print_note(f"{name} is not looked at: {_SAYS_NOTHING}.")
    written = events
    with writing(overwrite):
        if scores is not None:
            write_scores(result.score_cases(_cases(result, log, reading)), scores)
        if output is not None:
            written = events if result.variants is None else result.of_cases(events, _cases(result, log, reading))
            with written_to(output) as file:
                write_odd_events([*written, *times], result.log, file)
    if printed:
        return
    if as_json:
        facts = {"output": None if output is None else str(output), "read": read_facts(source.reading)}
        print_json({**result.to_dict(top, chosen, explain), **facts})
        return
    if cases is None:
        if kind not in TIME_KINDS:
            _print_odd_events(result, events, kind, top)
        if times or kind in TIME_KINDS:
            _print_times(result, times, top)
    else:
        for number in cases:
            _print_case(result, number, kind, top, [one for one in times if one.case_number == number])
    if kind not in TIME_KINDS:
        print(SCORE_WORDS)
    if times:
        print(TIME_SCORE_WORDS)
    if output is not None:
        content = f"what is shown here: {counted(len(written) + len(times), 'row')}"
        if cases is None:
            content = f"{odd_summary(written)}; {time_summary(times)}" if times else odd_summary(written)
        print(plain(f"{quoted(str(output))} has {content}."))
    if scores is not None:
        print(plain(f"{quoted(str(scores))} has the scores of {counted((result.variants or result.log).n_cases, 'case')}."))


def _times(result: Oddities, kind: str | None, cases: Sequence[int] | None) -> list[OddTime]:
    """Return the unusual times, of one kind or of some cases; an error if only these are asked for, and the log has no times."""
    if kind in KINDS or not (result.has_times or kind in TIME_KINDS):
        return []
    times = result.unusual_times(None, cast("TimeKind | None", kind))
    return [one for one in times if cases is None or one.case_number in cases]


def _cases(result: Oddities, log: str, reading: SourceOptions) -> "Iterator[pl.DataFrame]":
    """Return which case follows which variant: the engine is asked once more."""
    import polars as pl  # here: without --scores it need not be loaded yet

    if result.variants is not None:
        return reading.cases_of(log, result.variants)
    return iter([pl.DataFrame({"case": result.log.case_ids, "variant": range(result.log.n_cases)})])


def _share(text: str) -> float:
    """Return a share that is written as a percentage or as a number."""
    number = text.strip().removesuffix("%")
    try:
        share = float(number) / (100 if "%" in text else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ActalikeError(f"--false-alarms {quoted(text)} is no share of the cases: give a percentage, such as 1%.")
    return share


def _learned(path: Path, attributes: list[str] | None, reading: SourceOptions) -> OddModel:
    """Return what is usual in another log, or what a file holds that was learned of one."""
    if path.suffix == ".actalike":
        saved = load(path)
        if isinstance(saved, OddModel):
            return saved
        if not isinstance(saved, Variants):
            raise ActalikeError(f"{path} holds no log and no OddModel: give a log, or what odd_model(log).save(...) wrote.")
        return odd_model(saved)
    log = reading.read(path, "people" if attributes else ()) if reading.engine is None else reading.open(str(path))
    if isinstance(log, Variants):
        return odd_model(log)
    return odd_model(log, [name for name in attributes or () if name in log.attributes])


def _attributes(log: EventLog, reading: SourceOptions) -> list[str]:
    """Return the attributes that are looked at: all that were read, but for the file of each event."""
    return [name for name in log.attributes if name != SOURCE or name in (reading.attributes or ())]


def _print_odd_events(result: Oddities, events: Sequence[OddEvent], kind: str | None, top: int) -> None:
    """Print how many odd events there are of each kind, then the oddest with their reasons. Those of one reason are one entry."""
    log, listed = result.log, result.most(None)
    of_kind = odd_summary(events)
    if not events and listed:
        of_kind = f"no odd place of this kind; of other kinds {odd_summary(listed)}"
    whole = result.variants or log
    looked_at = f"{counted(whole.n_events, 'event')} of {counted(whole.n_cases, 'case')}"
    if result.variants is not None:
        looked_at += f" as {counted(log.n_cases, 'variant')}, the order of their steps alone: no attributes, and no times"
    print(f"{of_kind[0].upper()}{of_kind[1:]}. Looked at: {looked_at}.\n")
    names = CaseNames(log)
    _print_reasons(result, by_reason(events, log), top, "more odd place")
    if events:
        print(plain(f"A case, event by event: --explain {quoted(events[0].case)}"), end="\n\n")
    left_out = left_out_words(result.n_same_time, result.n_low_support, result.n_open)
    if left_out and kind is None:
        print(f"{left_out} --explain shows them.\n")
    if not listed:
        _print_oddest_case(result, names)


def _print_times(result: Oddities, times: Sequence[OddTime], top: int) -> None:
    """Print how many unusual times there are, then the most unusual with their reasons."""
    summary = time_summary(times)
    print(f"{summary[0].upper()}{summary[1:]}.\n")
    _print_reasons(result, by_reason(times, result.log), top, "more unusual time")


def _print_reasons(result: Oddities, groups: Sequence[Sequence[OddEvent] | Sequence[OddTime]], top: int, what: str) -> None:
    """Print odd places with their reasons. Those of one reason are one entry."""
    width = max((len(f"{group[0].score:.1f}") for group in groups[:top]), default=0)
    names = CaseNames(result.log)
    for first, *others in groups[:top]:
        print(f"{first.score:{width}.1f}  {plain(_place(first, names, result))}: {_kind_words(first)}")
        print(f"{'':{width}}  {plain(odd_sentence(first, result.log))}")
        if others:
            places = "; ".join(_place(one, names, result) for one in others[:_SHOWN_OTHERS])
            more = f"; and {len(others) - _SHOWN_OTHERS:,} more" if len(others) > _SHOWN_OTHERS else ""
            print(f"{'':{width}}  also {plain(places)}{more}")
        print()
    if len(groups) > top:
        rest = sum(map(len, groups[top:]))
        print(f"and {counted(rest, what)} for {counted(len(groups) - top, 'more reason')}: --top, or -o FILE\n")


def _kind_words(one: OddEvent | OddTime) -> str:
    if isinstance(one, OddTime):
        return TIME_WORDS[one.kind]
    return f"{KIND_WORDS[one.kind]} ({percent(one.probability)} probable)"


def _print_oddest_case(result: Oddities, names: CaseNames) -> None:
    """Print which case is the oddest where none is odd; cases that are all alike have none."""
    scores = result.case_scores()
    oddest = int(scores.argmax())
    if scores[oddest] >= max(_SMALLEST, float(scores.min()) + _SMALLEST):
        what = "The oddest case is " if result.variants is None else "The oddest is "
        case = plain(f"{what}{names.of(oddest)}: --explain {quoted(result.log.case_ids[oddest])}")
        print(case, end="\n\n")


def _place(one: OddEvent | OddTime, names: CaseNames, result: Oddities) -> str:
    if result.variants is not None:
        return f"{one.case} ({counted(one.cases, 'case')}), {place_words(one)}"
    return f"case {names.of(one.case_number)}, {place_words(one)}"


def _print_case(result: Oddities, number: int, kind: str | None, top: int, times: Sequence[OddTime] = ()) -> None:
    """Print a case event by event, with what is odd about it under each event. Of a long case only odd places are shown.

    If ``kind`` is not None, only places of this kind are shown.
    """
    log, label_at = result.log, labels_of_case(result.log, number)
    length, score = int(log.lengths[number]), float(result.case_scores()[number])
    rank = f"place {result.rank(number):,} of {counted((result.variants or log).n_cases, 'case')}, the oddest first"
    name = f"case {CaseNames(log).of(number)}"
    if result.variants is not None:
        name = f"{log.case_ids[number]} ({counted(int(result.weights[number]), 'case')})"
    probable = f"{percent(float(result.probabilities()[number]))} probable that something is wrong"
    print(f"{plain(name)}: {counted(length, 'event')}, score {score:.1f} ({rank}), {probable}\n")
    explained = result.explain(number)
    events = [one for one in explained if one.score >= _SMALLEST and kind in (None, one.kind)]
    reasons: dict[int, list[OddEvent | OddTime]] = {}
    for one in chain[OddEvent | OddTime](events[:top], times):
        reasons.setdefault(one.position, []).append(one)
    width = len(f"{length:,}")
    for position in _shown_positions(length, reasons):
        if position is None:
            print(f"{'':{width}}  ...")
            continue
        label = label_at(position)
        if label is not None:
            print(f"{position + 1:{width},}  {plain(with_name(label, log.names))}")
        for one in reasons.get(position, ()):
            print(f"{'':{width}}    {one.score:.1f}  {plain(odd_sentence(one, log))}")
    if len(events) > top:
        print(f"and {counted(len(events) - top, 'more place')}: --top")
    listed = [one for one in result.most(None) if one.case_number == number]
    if not listed and not times:
        print(why_not_odd(score, explained, bool(result.called[number])))
    elif listed and kind not in TIME_KINDS and not any(kind in (None, one.kind) for one in listed):
        print(f"no place of this kind is odd; {len(listed):,} of another kind: show all without --kind")
    print()


def _shown_positions(length: int, reasons: dict[int, list[OddEvent | OddTime]]) -> Iterator[int | None]:
    """Yield the positions of a case to show, and None where some are left out; the end of the case is a position too."""
    if length <= _LONG:
        yield from range(length + 1)
        return
    near = {position + step for position in reasons for step in range(-_AROUND, _AROUND + 1)}
    kept = sorted({0, length - 1, *(position for position in near if 0 <= position <= length)})
    for last, position in zip([-1, *kept], kept, strict=False):
        if position > last + 1:
            yield None
        yield position
