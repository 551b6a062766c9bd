"""Print what look has seen: the kind of a file, its first rows, what is proposed, and the next command."""

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from actalike.cli.console import plain, print_table
from actalike.cli.shell import command_line, quoted
from actalike.io import Look, Proposal

_KINDS = {
    "parquet": "Parquet",
    "ocel-json": "object-centric (OCEL 2.0, JSON)",
    "ocel-xml": "object-centric (OCEL 2.0, XML)",
    "ocel-sqlite": "object-centric (OCEL 2.0, SQLite)",
}
_SHOWN_TYPES = 30
_SHOWN_COLUMNS = 12  # of the first rows


def kind_words(seen: Look) -> str:
    """Return in words of which kind a file is."""
    is_tsv = seen.path.lower().removesuffix(".gz").endswith(".tsv")
    parts = ["TSV" if is_tsv else _KINDS.get(seen.kind, seen.kind.upper()), f"{seen.size:,} bytes"]
    if seen.encoding is not None:
        parts.append(seen.encoding)
    if seen.separator is not None:
        line = ", as its first line says" if seen.separator_line else ""
        parts.append(f"separated by {'tabs' if seen.separator == chr(9) else repr(seen.separator)}{line}")
    return ", ".join(parts)


def print_first_rows(seen: Look, of: str = "") -> None:
    """Print the first rows of a file, with its first columns; ``of`` names the file, if there are several."""
    shown = [column for column in seen.columns if column.scope != "case"]
    print(f"\nThe first {'events' if seen.kind == 'xes' else 'rows'}{plain(of)}:\n")
    rows = [[cell or "" for cell in row[:_SHOWN_COLUMNS]] for row in seen.first_rows]
    print_table([column.name for column in shown[:_SHOWN_COLUMNS]], rows)
    if len(shown) > _SHOWN_COLUMNS:
        print(f"(and {len(shown) - _SHOWN_COLUMNS:,} more columns: --json has {'these' if seen.columns_left_out else 'all'})")


def print_object_types(seen: Look) -> None:
    """Print the types of objects of an object-centric log with their figures; nothing for any other."""
    if not seen.object_types:
        return
    print("\nIts types of objects, each of which could be the case:")
    types = sorted(seen.object_types, key=lambda each: -each.relations)
    rows = [
        [each.name, *(f"{number:,}" for number in (each.objects, each.with_events, each.events, each.relations)),
         f"{each.events_per_object:.1f}"]
        for each in types[:_SHOWN_TYPES]
    ]  # fmt: skip
    headings = ["object type", "objects", "with events", "events", "relations", "events a case"]
    print_table(headings, rows, right=(1, 2, 3, 4, 5))
    if len(types) > _SHOWN_TYPES:
        print(f"(and {len(types) - _SHOWN_TYPES:,} more types: --json has all)")


def print_proposals(proposals: Sequence[Proposal]) -> None:
    """Print the options that would settle what is doubtful."""
    if not proposals:
        return
    print("\nProposed, not used:")
    values = _values(proposals)
    for proposal in proposals:
        optional = "" if proposal.needed or len(values[proposal.option]) > 1 else " (optional)"
        print(f"  {proposal.option} {quoted(proposal.value)}: {plain(proposal.why)}{optional}")


def print_next(log: Path, proposals: Sequence[Proposal] | None, given: Mapping[str, str]) -> None:
    """Print the command that reads the log with all that is proposed; of an option with several values, one for each.

    ``proposals`` are None if the log cannot be read with them either.
    """
    if proposals is None:
        print("\nNothing that is proposed here would make it readable.")
        return
    values = _values(proposals)
    commands = [
        command_line("report", log, "-o", Path("report.html"), options={**given, **dict(zip(values, chosen, strict=True))})
        for chosen in product(*values.values())
    ]
    if len(commands) == 1:
        print(f"\nNext: {commands[0]}")
    else:
        print("\nNext, one of:", *commands, sep="\n  ")


def _values(proposals: Sequence[Proposal]) -> dict[str, list[str]]:
    """Return the values of each option that is proposed; several are rivals, of which a person chooses one."""
    values: dict[str, list[str]] = {}
    for proposal in proposals:
        values.setdefault(proposal.option, []).append(proposal.value)
    return values
