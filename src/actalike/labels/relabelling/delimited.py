"""Relabel a CSV file: copy every cell as it is written, except the labels that change, and add a column at the end.

A new label is in quotes if the old one was, or if CSV requires it.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from actalike.io import CsvFile, ReadOptions, field_bounds, read_csv
from actalike.labels.relabelling.plan import ORIGINAL, Plan, Relabelled, make_plan
from actalike.labels.relabelling.writing import Encoder, changed_meanwhile, write_pieces


def relabel_csv(
    path: Path,
    output: Path,
    mapping: Mapping[str, str],
    collapse: bool,
    options: ReadOptions,
) -> Relabelled:
    """Read the log to make a plan, then copy the file with the new labels."""
    events = read_csv(path, options)
    plan = make_plan(events, mapping, collapse, options, options.order or events.default_order)

    def pieces() -> Iterator[bytes]:
        file = CsvFile(path, options)
        encoder = Encoder(path, file.mark, file.encoding)
        rewriting = _Rewriting(file, plan)
        yield file.mark
        yield encoder.encode(file.separator_line + file.above + rewriting.header())
        for block in file.blocks():
            yield encoder.encode(rewriting.rewrite(block.content))
        yield encoder.encode(file.below + file.blank_end)
        if rewriting.n_rows != len(plan.codes):
            raise changed_meanwhile(path)

    write_pieces(output, pieces())
    return plan.result


class _Rewriting:
    """Replace the labels of a CSV file block by block."""

    def __init__(self, file: CsvFile, plan: Plan) -> None:
        self.file, self.plan = file, plan
        self.separator = file.separator.encode()
        self.label = file.present.index(file.columns.activity)
        self.original = file.present.index(ORIGINAL) if ORIGINAL in file.present else None
        self.names = [None if name is None else name.encode() for name in plan.names]
        self.n_rows = 0

    def header(self) -> bytes:
        """Return the header line with the new column."""
        header = self.file.header
        if self.original is not None:
            return header
        names = header.rstrip(b"\r\n")
        return names + self.separator + self._written(ORIGINAL.encode(), b"") + header[len(names) :]

    def rewrite(self, block: bytes) -> bytes:
        """Return a block of complete rows with the new labels, without the rows that are dropped."""
        bounds = field_bounds(block, self.file.separator, len(self.file.present)).tolist()
        rows = slice(self.n_rows, self.n_rows + len(bounds))
        self.n_rows = rows.stop
        if self.n_rows > len(self.plan.codes):
            raise changed_meanwhile(self.file.path)
        plan = self.plan
        dropped, renamed, codes = (each[rows].tolist() for each in (plan.dropped, plan.renamed, plan.codes))
        parts: list[bytes] = []
        for i, row in enumerate(bounds):
            if dropped[i]:
                continue
            if renamed[i]:
                parts += self._renamed(block, row, self.names[codes[i]] or b"")
            else:
                parts += [block[row[0] : row[-1]], self.separator if self.original is None else b""]
            parts.append(block[row[-1] : bounds[i + 1][0] if i + 1 < len(bounds) else len(block)])  # the line break
        return b"".join(parts)

    def _renamed(self, block: bytes, row: list[int], name: bytes) -> list[bytes]:
        """Return a row with a new label; ``row`` holds the bounds of its cells in the block."""
        cells = [block[start : end - 1] for start, end in pairwise(row[:-1])] + [block[row[-2] : row[-1]]]
        old = cells[self.label]
        cells[self.label] = self._written(name, old)
        # at the end of the row, a carriage return would become a part of the line break
        kept = b'"%s"' % old if old.endswith(b"\r") else old
        if self.original is None:
            cells.append(kept)
        elif not cells[self.original]:
            cells[self.original] = kept
        return [self.separator.join(cells)]

    def _written(self, text: bytes, like: bytes) -> bytes:
        """Return a text as a cell, in quotes if the cell ``like`` has them. An empty cell without quotes would mean no value."""
        if text and like[:1] != b'"' and not any(mark in text for mark in (self.separator, b'"', b"\r", b"\n")):
            return text
        return b'"%s"' % text.replace(b'"', b'""')
