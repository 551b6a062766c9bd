"""The commands of two logs: match and drift.

The sentences come from the package two_logs; here they become tables and lines.
"""

import os
from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import plain, print_json, print_note, print_table, quoted, with_name
from actalike.cli.help import EVIDENCE
from actalike.cli.options import (
    JsonOption,
    ReadingOptions,
    SourceOptions,
    TopOption,
    read_facts,
    read_second,
    with_options_of_two_logs,
    with_reading_options,
)
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, is_printed, writing, written_to
from actalike.errors import ActalikeError
from actalike.labels import PERIOD, Translation, begins_as_json, check_probability, spellings, translation
from actalike.log import AnyLog
from actalike.support.progress import tracked
from actalike.support.text import counted, percent, without_middle
from actalike.two_logs import (
    SURE,
    ChangedActivity,
    ChangePoint,
    ChangePoints,
    Drift,
    Matching,
    MatchingDecisions,
    MatchingRow,
    MatchingWords,
    chance_words,
    change_point_title,
    change_point_words,
    change_points,
    change_points_headline,
    change_points_limits,
    change_sizes,
    change_words,
    drift_at,
    drift_headline,
    drift_limits,
    explanation_facts,
    first_side,
    has_order,
    matching_facts,
    matching_notes,
    matching_rows,
    moment_of,
    namesakes_words,
    presence_groups,
    presence_words,
    read_apart_pairs,
    read_known_pairs,
    read_matching_decisions,
    replacement_words,
    sides_words,
    write_matching,
)
from actalike.two_logs import drift as find_drift
from actalike.two_logs import match as match_logs

LONGEST = 80  # characters of a label in a table
_SHOWN_CHANGES = 3  # of the neighbours of an activity, without --why
_SMALLEST_SHARE = 0.0005  # of a score that is worth a line


def _log_argument(name: str) -> object:
    return typer.Argument(metavar=name, help=f"Log {name} (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder.")


@with_options_of_two_logs
def match(
    log_a: Annotated[str, _log_argument("A")],
    log_b: Annotated[str | None, _log_argument("B")] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Match two parts of one log, without B: by a column such as the site, or 'period'.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write a matching.csv to review, edit, and relabel B with; - prints it."
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            "--known",
            metavar="FILE",
            help="Pairs that are certain, or certainly wrong: a CSV (label_a, label_b, known), or decisions.json.",
            rich_help_panel=EVIDENCE,
        ),
    ] = None,
    labels: Annotated[
        bool, typer.Option("--labels", help="Use the text of the labels as further evidence.", rich_help_panel=EVIDENCE)
    ] = False,
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least", metavar="P", help="Leave out pairs that are less likely than this, above 0 and up to 1. [above 0.5]"
        ),
    ] = None,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option("--explain", metavar="LABEL_A LABEL_B", help="Say why a label of A and one of B are one step, or why not."),
    ] = None,
    top: TopOption = 10,
    why: Annotated[
        bool, typer.Option("--why", help="Show all reasons of each pair, not only the strongest.", rich_help_panel=EVIDENCE)
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
    reading_b: SourceOptions,
) -> None:
    """Match the activities of two logs by what is around them, not by their labels.

    Two municipalities, two systems, before and after: which label of B is the step that A calls by another name? Each pair has
    a probability and a reason. Labels of one log that the other has not stay without a partner. Both logs must record the same
    process: the form of another one may match too. If you know some pairs, give them: they are kept. In matching.csv, write yes
    into the column known of the rows that you are sure of, or no where a pair is wrong, and match again with --known
    matching.csv.

    The options for reading hold for both logs. Where B needs another one, give it with -b after its name, such as --case-b.

    With --by, the parts of one log are matched, such as two offices: a label that both use is known to be one step in both.

    Examples:

    actalike match ours.xes.gz theirs.xes.gz -o matching.csv

    actalike match ours.xes.gz theirs.xes.gz --known matching.csv -o better.csv

    actalike match ours.xes.gz theirs.csv --case-b OrderId --activity-b Step --labels

    actalike match orders.csv --by site

    actalike match ours.xes.gz theirs.xes.gz --explain "Register claim" "Schaden anlegen"

    actalike relabel theirs.xes.gz matching.csv -o theirs-in-our-words.xes.gz
    """
    if at_least is not None:
        check_probability(at_least)
    outputs = [] if output is None else [output]
    printed = is_printed(output, as_json)
    check_csv(output, "matching.csv")
    if (log_b is None) == (by is None):
        raise ActalikeError("match takes two logs, or one log and a column that divides it (--by).")
    if reading_b != reading and by is not None:
        raise ActalikeError("Options that end in -b say how the second log is read. With --by there is one: leave them out.")
    inputs_b = [] if log_b is None else reading_b.inputs(log_b, *outputs)
    check_outputs(outputs, [*reading.inputs(log_a, *outputs), *inputs_b, *([] if known is None else [known])], overwrite)
    first = reading.open(log_a, None if by in (None, PERIOD) else [str(by)], by)
    second = None if log_b is None else read_second(reading_b, log_b)
    labels_of_both = first.activities, (second or first).activities
    pairs = None if known is None else read_known_pairs(known, *labels_of_both)
    apart = [] if known is None else read_apart_pairs(known, *labels_of_both)
    with tracked("matching activities"):
        matching = match_logs(first, second, pairs, use_labels=labels, apart=apart, by=by)
    if first == second and not reading.quiet:
        print_note(f"{log_a} and {log_b} have the same cases: the logs are one and the same.")
    if not reading.quiet:
        for note in matching_notes(matching):
            print_note(note)
        if matching.parts is not None:
            print_note(f"the parts by {by}: A is {matching.parts[0]}, B is {matching.parts[1]}; what both use is known.")
            if number := len(spellings(first)):
                others = "1 spelling of another label is" if number == 1 else f"{number:,} spellings of other labels are"
                print_note(f"{others} matched apart: actalike group merges {'it' if number == 1 else 'them'}.")
    rows = matching_rows(matching, at_least or 0.0)
    explained = None if explain is None else explanation_facts(matching, *explain, top)
    if output is not None:
        with writing(overwrite), written_to(output) as file:
            write_matching(matching, file, rows)
    if printed:
        return
    if as_json:
        read = {"read_a": read_facts(first.reading), "read_b": read_facts((second or first).reading)}
        written = {"output": None if output is None else str(output)}
        print_json({**(explained or matching_facts(matching, rows)), **written, **read})
        return
    if explained is not None:
        print_explanation(explained)
    else:
        print_matching(matching, rows, top, at_least, why)
        if known is not None and begins_as_json(known):
            print(f"\n{plain(str(known))}: {decision_words(read_matching_decisions(known))}.")
    if output is not None:
        print_written(matching, rows, output, Path(log_b or log_a), reading_b)


@with_reading_options
def drift(
    before: Annotated[
        str, typer.Argument(metavar="BEFORE", help="A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder.")
    ],
    after: Annotated[
        str | None, typer.Argument(metavar="AFTER", help="The log to compare with it; not with --at and --by.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="DATE",
            help="Divide one log: the cases that begin before this date, and the others. In UTC, unless it has an offset: "
            "2024-01-01T00:00+02:00.",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Divide one log by a column or attribute with two values, one a case. XES traces: case:NAME.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the shuffles that show what chance does.")] = 0,
    top: TopOption = 10,
    why: Annotated[
        bool, typer.Option("--why", help="Show all neighbours that came and went, not only three.", rich_help_panel=EVIDENCE)
    ] = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Find when a log changed and what, or what changed between two logs, or two parts of a log.

    One log alone is searched for the times at which the process changed. What changed is then shown for the clearest of them,
    compared with the time since the change before it, up to the next one.

    Replaced labels come first: a new name alone is not a change. Then come the activities that now have different neighbours,
    with the neighbours that came and went, and last the labels that appeared, vanished, or are in more or fewer cases.
    Everything is tested against chance, by shuffling cases between the two sides: if nothing changed, nothing is shown. The
    reading options apply to both logs.

    Examples:

    actalike drift orders.xes.gz

    actalike drift orders_2023.xes.gz orders_2024.xes.gz

    actalike drift orders.xes.gz --at 2024-01-01

    actalike drift orders.csv --by region --json
    """
    logs = _read_sides(before, after, at, by, reading)
    if after is None and at is None and by is None and has_order(logs[0]):
        _drift_in_time(logs[0], seed, top, why, as_json)
        return
    result = find_drift(*logs, at=at, by=by, seed=seed)
    if as_json:
        print_json({**result.to_dict(), "read": [read_facts(log.reading) for log in logs]})
        return
    print_drift(result, top, why)


def print_matching(matching: Matching, rows: Sequence[MatchingRow], top: int, at_least: float | None, why: bool = False) -> None:
    """Print the pairs, the most certain first, then doubtful pairs, splits, and labels without a partner.

    A pair has its strongest reason, or with ``why`` all of them.
    """
    words = MatchingWords(matching) if why else None
    pairs = [row for row in rows if row.pair]
    sure = [row for row in pairs if row.known or row.probability >= SURE]
    doubtful = [row for row in pairs if not (row.known or row.probability >= SURE)]
    known = sum(row.known for row in pairs)
    labels = f"{counted(len(matching.activities_a), 'label')} of A and {counted(len(matching.activities_b), 'label')} of B"
    likely = f"{len(sure) - known:,} likely ({percent(SURE)} or more)"
    print(f"{counted(len(pairs), 'pair')} among {labels}: {known:,} known, {likely}, {len(doubtful):,} doubtful.")
    _print_pairs("Likely the same step", sure, top, words)
    frequent_first = sorted(doubtful, key=lambda row: -(row.events_a or 0))  # a wrong one of these does most harm
    _print_pairs("Doubtful, the most frequent first", frequent_first, top, words)
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
    gets = "gets" if further == 1 else "get"
    return f"{words}, {counted(further, 'further label')} of a split step, which {gets} no other partner"


def namesakes(matching: Matching, rows: Sequence[MatchingRow]) -> list[str]:
    """Return the labels of b without a partner that keep a name which a label of a has too."""
    labels_a = set(matching.activities_a)
    names = _names(matching, rows)
    return [row.label_b for row in rows if row.label_b in labels_a and row.label_a is None and row.label_b not in names]


def _names(matching: Matching, rows: Sequence[MatchingRow]) -> Translation:
    pairs = [row.pair for row in rows if row.pair]
    labels = [row.label_b for row in rows if row.label_b is not None]
    return translation(pairs, labels, {b for a, b in matching.apart if a == b})


def print_written(matching: Matching, rows: Sequence[MatchingRow], output: Path, log_b: Path, reading: ReadingOptions) -> None:
    """Print what the file does to log b, and what to do next, with a command to copy."""
    # here: it loads the pages, which take a second that drift, and match without a file, do not need
    from actalike.cli.labels import relabel_command, relabelled_place, why_no_relabelling

    pairs = [row.pair for row in rows if row.pair]
    names = _names(matching, rows)
    renamed = sum(a != b for a, b in pairs)
    marked = len(names) - len({label for _, label in pairs})
    verbs = "gets '(b)' after its name, because another label has that name"
    if marked > 1:
        verbs = "get '(b)' after their names, because other labels have these names"
    without = f" {counted(marked, 'label')} of B without a partner {verbs}." if marked else ""
    print(f"\n{plain(str(output))} gives {counted(renamed, 'label')} of B another name, that of the partner in A.{without}")
    if same := namesakes(matching, rows):
        print(plain(namesakes_words(same)))
    place = relabelled_place(log_b, reading)
    free = (place.with_name(f"{number}{place.name}") for number in chain([""], (f"{i}-" for i in count(2))))
    command = relabel_command(log_b, output, next(path for path in free if not os.path.lexists(path)), reading)
    review = f"look through {quoted(str(output))}, clear the cell label_a where a pair is wrong"
    print(f"Next: {why_no_relabelling(log_b, reading)}" if command is None else f"Next: {review}, then: {command}")
    print(f"Or write yes into its column known where you are sure, and match again with --known {quoted(str(output))}.")


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


def _print_pairs(title: str, rows: Sequence[MatchingRow], top: int, words: MatchingWords | None) -> None:
    if not rows:
        return
    print(f"\n{title}:\n")
    if words is not None:
        for row in rows[:top]:
            _print_reasons(row, words)
        _print_more(len(rows) - top)
        return
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


def _print_reasons(row: MatchingRow, words: MatchingWords) -> None:
    """Print a pair with everything that speaks for and against it."""
    verdict = "known" if row.known else f"{percent(row.probability)} likely one step"
    a, b = _shown(row.label_a, row.name_a), _shown(row.label_b, row.name_b)
    print(plain(f"{a} ({row.events_a:,}) = {b} ({row.events_b:,})?   {verdict}"))
    for sentence in words.of_pair(str(row.label_a), str(row.label_b)):
        print(plain(f"  {sentence.sign}  {sentence.words}"))


def _print_alone(side: str, rows: Sequence[MatchingRow], top: int, at_least: float | None) -> None:
    """Print the labels of a log without a partner, the most frequent first."""
    if not rows:
        return
    bound = "" if at_least is None else f" of {percent(at_least)} or more"
    print(f"\nWithout a partner{bound}, {counted(len(rows), 'label')} of {side}:\n")
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


def _drift_in_time(log: AnyLog, seed: int, top: int, why: bool, as_json: bool) -> None:
    """Find when a log changed, and what changed at the clearest change."""
    changes = change_points(log, seed=seed)
    result = drift_at(changes, changes.points[0], seed) if changes.points else None
    if as_json:
        facts = {**changes.to_dict(), "drift": None if result is None else result.to_dict()}
        print_json({**facts, "read": [read_facts(log.reading)]})
        return
    print_change_points(changes, top, why)
    if result is not None:
        print(f"\nWhat changed at the clearest change, {change_point_title(changes.points[0])}\n")
        print_drift(result, top, why)


def print_change_points(changes: ChangePoints, top: int, why: bool = False) -> None:
    """Print when a process changed, the clearest change first, then what only looks like one."""
    print(plain(change_points_headline(changes)))
    for point in changes.points[:top]:
        _print_change_point(point, why)
    _print_more_changes(len(changes.points) - top)
    if changes.explained:
        print("\nProbably not changes of the process")
        for point in changes.explained[:top]:
            _print_change_point(point, why)
        _print_more_changes(len(changes.explained) - top)
    print(f"\n{chance_words(changes)}")
    for sentence in change_points_limits(changes):
        print_note(sentence)


def _print_change_point(point: ChangePoint, why: bool) -> None:
    print(f"\n{change_point_title(point)}")
    for line in change_point_words(point) if not why else change_point_words(point, len(point.differences)):
        print(f"  {plain(line)}")


def _read_sides(before: str, after: str | None, at: str | None, by: str | None, reading: SourceOptions) -> list[AnyLog]:
    """Read one log or two, with the attribute that divides it."""
    given = [name for name, value in (("AFTER", after), ("--at", at), ("--by", by)) if value is not None]
    if len(given) > 1:
        raise ActalikeError(
            f"{' and '.join(given)} cannot go together: give two logs (actalike drift BEFORE AFTER), or one log, alone or with "
            "--at DATE or --by COLUMN; nothing was read."
        )
    if at is not None:
        moment_of(at)  # a wrong date is an error before anything is read
    if after is not None:
        reading.reject(("also", "cases"), "cannot go with two logs: which of them would it belong to? Give a folder for each")
    is_source = by == "source" and reading.takes_several(Path(before))  # every log of several files has it
    attributes = None if by is None or is_source else [by]
    strata = by or ("day" if after is None else None)
    return [reading.open(path, attributes, strata) for path in (before, after) if path is not None]


def print_drift(result: Drift, top: int, why: bool = False) -> None:
    """Print what changed, the largest change first, then the labels that came and went."""
    names = {**result.before.names, **result.after.names}
    print(plain(drift_headline(result)))
    print(plain(sides_words(result)))
    if result.replaced:
        print("\nReplaced labels (old and new are compared as one step, under the old label)")
        for pair in result.replaced[:top]:
            print(f"  {plain(replacement_words(pair, result))}")
        _print_more_changes(len(result.replaced) - top)
    own = [one for one in result.changed if why or one.because_of is None]
    for one in own[:top]:
        print()
        _print_changed(one, result, names, why)
    _print_more_changes(len(own) - top)
    if len(own) < len(result.changed):
        print("\nExplained by the number of cases with another label (--why shows how)")
        for cause in dict.fromkeys(one.because_of for one in result.changed if one.because_of is not None):
            follows = [with_name(one.activity, names) for one in result.changed if one.because_of == cause]
            print(f"  {plain(with_name(cause, names))}: {plain(', '.join(follows))}")
    for title, group in presence_groups(result):
        print(f"\n{plain(title)}")
        for presence in group[:top]:
            print(f"  {plain(with_name(presence.activity, names))}: {plain(presence_words(presence, result))}")
        _print_more_changes(len(group) - top)
    for sentence in drift_limits(result):
        print_note(sentence)


def _print_changed(one: ChangedActivity, result: Drift, names: Mapping[str, str], why: bool) -> None:
    change, by_chance = change_sizes(one)
    print(f"{plain(with_name(one.activity, names))}   change {change} of 1 (by chance up to {by_chance})")
    for line in change_words(one, first_side(result))[: None if why else _SHOWN_CHANGES]:
        print(f"  {plain(line)}")


def _print_more_changes(number: int) -> None:
    if number > 0:
        print(f"  and {number:,} more: --top")
