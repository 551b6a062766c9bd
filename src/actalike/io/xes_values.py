"""Collect the values of one XES key as codes: which owner (a trace or an event) has which text."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from actalike.errors import LogError
from actalike.io.text_codes import require_values
from actalike.io.xml_tags import Tags, decode, value_of

Place = Callable[[int], str]  # describes in words where the owner with this number is


class Values:
    """Hold the values of one key: the number of each owner, and the code of its text in ``texts``."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.texts: list[str] = []
        self.owners: list[NDArray[np.int64]] = []
        self.codes: list[NDArray[np.int32]] = []
        self._by_text: dict[str, int] = {}
        self._by_bytes = _Codes(self._code_of_bytes)

    def add(self, tags: Tags, owner: NDArray[np.int64], tag: NDArray[np.int64], value_at: NDArray[np.int64]) -> None:
        """Add the values of some tags, which belong to the traces or events ``owner``."""
        if (value_at >= 0).all():
            self.add_spans(tags.text, owner, value_at, tags.end[tag])
            return
        codes = [self._code_of_text(value_of(tags, t, at)) for t, at in zip(tag.tolist(), value_at.tolist(), strict=True)]
        self.owners.append(owner)
        self.codes.append(np.array(codes, dtype=np.int32))

    def add_spans(self, text: bytes, owner: NDArray[np.int64], start: NDArray[np.int64], end: NDArray[np.int64]) -> None:
        """Add values that begin in a text at ``start`` and have their closing quote before ``end``.

        Each distinct span is decoded once.
        """
        if not len(start):
            return
        by_bytes = self._by_bytes
        codes = [by_bytes[text[at:to]] for at, to in zip(start.tolist(), end.tolist(), strict=True)]
        self.owners.append(owner)
        self.codes.append(np.array(codes, dtype=np.int32))

    def _code_of_bytes(self, raw: bytes) -> int:
        return self._code_of_text(decode(raw[: raw.index(b'"')]))

    def _code_of_text(self, text: str) -> int:
        code = self._by_text.setdefault(text, len(self.texts))
        if code == len(self.texts):
            self.texts.append(text)
        return code

    def at_most_one_each(self, path: Path, n_owners: int, place: Place) -> NDArray[np.int32]:
        """Return the code of each owner's value, -1 for none; two values are an error."""
        owner, values = np.concatenate([*self.owners, []]).astype(np.int64), np.concatenate([*self.codes, []])
        refuse_repeats(path, self.key, owner, place)
        codes = np.full(n_owners, -1, dtype=np.int32)
        codes[owner] = values
        return codes

    def one_each(self, path: Path, n_owners: int, place: Place) -> NDArray[np.int32]:
        """Return the code of each owner's value; none or two are an error."""
        codes = self.at_most_one_each(path, n_owners, place)
        missing = np.flatnonzero(codes < 0)
        if len(missing):
            raise LogError(
                f"{path}: {place(int(missing[0])).rstrip(',')} has no {self.key!r} ({len(missing):,} in all have none). "
                "Correct the log, or name another attribute; nothing was read."
            )
        return codes


class AttributeValues(Values):
    """Hold the values of an attribute of events; more distinct ones than fit into memory are an error."""

    def __init__(self, path: Path, key: str) -> None:
        super().__init__(key)
        self.path = path
        self._characters = 0

    def add(self, tags: Tags, owner: NDArray[np.int64], tag: NDArray[np.int64], value_at: NDArray[np.int64]) -> None:
        """Add the values of some tags, which belong to the events ``owner``."""
        known = len(self.texts)
        super().add(tags, owner, tag, value_at)
        if len(self.texts) > known:
            self._characters += sum(map(len, self.texts[known:]))
            require_values(str(self.path), self.key, len(self.texts), self._characters)

    def has_repeats(self) -> bool:
        """Return whether an event has the attribute twice."""
        return bool((np.diff(np.concatenate(self.owners)) == 0).any())


class _Codes(dict[bytes, int]):
    """Cache a function of bytes: each distinct key is computed once."""

    def __init__(self, compute: Callable[[bytes], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, raw: bytes) -> int:
        code = self[raw] = self._compute(raw)
        return code


def refuse_repeats(path: Path, key: str, owner: NDArray[np.int64], place: Place) -> None:
    """Raise an error if an owner occurs twice; owners are in ascending order."""
    repeated = np.flatnonzero(np.diff(owner) == 0)
    if len(repeated):
        raise LogError(f"{path}: {place(int(owner[repeated[0]])).rstrip(',')} has {key!r} twice: remove one; nothing was read.")
