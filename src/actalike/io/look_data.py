"""Hold what a look at a file has seen."""

from dataclasses import asdict, dataclass
from typing import Any

from actalike.io.column_facts import ColumnFacts
from actalike.io.look_proposals import Proposal
from actalike.io.object_centric.object_types import ObjectTypeFacts
from actalike.log import Reading


@dataclass(frozen=True)
class Look:
    """Hold what the beginning of a file shows. Nothing is said of what comes after the rows that were looked at.

    ``reading`` is what would be read as it is, None if that fails; ``error`` says why. ``proposed_reading`` is what would be read
    with the options that are proposed.
    """

    path: str
    kind: str
    size: int
    encoding: str | None
    separator: str | None
    separator_line: bool
    looked_at: int
    is_whole: bool
    rows: int | None
    columns: tuple[ColumnFacts, ...]
    columns_left_out: int
    first_rows: tuple[tuple[str | None, ...], ...]
    reading: Reading | None
    error: str | None
    remarks: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    proposed_reading: Reading | None
    sampled_cases: frozenset[str] = frozenset()  # the ids of the cases that were looked at
    object_types: tuple[ObjectTypeFacts, ...] = ()  # of an object-centric log

    def options(self) -> dict[str, str]:
        """Return the proposed options that are needed to read the file."""
        return {proposal.option: proposal.value for proposal in self.proposals if proposal.needed}

    def as_dict(self) -> dict[str, Any]:
        """Return the same facts for JSON."""
        facts = asdict(self)
        del facts["sampled_cases"]  # for comparing files, and too many to print
        for name in ("reading", "proposed_reading"):
            reading: Reading | None = getattr(self, name)
            facts[name] = None if reading is None else reading.as_dict()
        facts["proposals"] = [proposal._asdict() for proposal in self.proposals]
        return facts
