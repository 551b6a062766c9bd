"""Read JSON value by value from a file of any size: only the value at hand is in memory.

The standard library's parser reads each value, strictly (see :mod:`actalike.support.bounded_json`). A value of which the rest has
not been read yet is tried again when twice as much text is there. What was read too much after a large value is held back and
given again in pieces. So the time is proportional to the size of the file.
"""

import json
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from actalike.errors import LogError, shortened
from actalike.io.source import CutOff, Progress, read_pieces, to_utf8
from actalike.support.bounded_json import StrictDecoder, check_characters, check_nesting

LONGEST_VALUE = 1 << 24  # characters: a longer event is an error, because all of it would have to be in memory
_CHECKED = 1 << 20  # characters of a value from which its lists and objects are counted before it is parsed
_LONGEST_WORD = 32  # characters at the end that may be the beginning of something else: \\u12, tru, -1.5e
_HALF_NUMBER = re.compile(r"(?:\.|[eE][+-]?)\s*")  # what may follow the first digits of a number, and be followed by others
_SPACE = re.compile(r"[ \t\n\r]*")


class JsonText:
    """Read the text of a JSON file from its beginning to its end. ``where`` says in words what is being read."""

    def __init__(self, path: Path, max_bytes: int, progress: Progress | None) -> None:
        self.path = path
        self.where = "before its first key"
        self.n_bytes = 0
        self._pieces = self._read(max_bytes, progress)
        self._text, self._at, self._before, self._ended = "", 0, 0, False
        self._held: deque[str] = deque()  # what has been read and comes after the text
        self._decoder = StrictDecoder()

    def next_sign(self) -> str:
        """Return the next character that is no white space, which stays there; nothing at the end of the file."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]  # it matches everywhere
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._grow(1)

    def take(self, *signs: str) -> str:
        """Return the next character, which must be one of these, and go behind it."""
        sign = self.next_sign()
        if not sign:
            raise self._cut_off()
        if self._ended and _HALF_NUMBER.fullmatch(self._text, self._at):
            raise self._cut_off()
        if sign not in signs:
            raise self._ill_formed(f"{sign!r} in place of {' or '.join(map(repr, signs))}", self._at)
        self._at += 1
        return sign

    def value(self) -> Any:
        """Return the next value and go behind it."""
        if not self.next_sign():
            raise self._cut_off()
        while True:
            if len(self._text) - self._at > _CHECKED:
                self._check_size()
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                self._grow_or_refuse(error)
                continue
            except ValueError as error:
                raise LogError(f"{self.path}, {self.where}: {error}. Correct the file; nothing was read.") from None
            except RecursionError:
                raise LogError(
                    f"{self.path}, {self.where}: lists and objects are nested too deep for a log; nothing was read."
                ) from None
            if len(self._text) - end < 3 and not self._ended:  # a number may go on: 1 may be the beginning of 1.5 or of 1e-5
                self._grow(3)
                continue
            if self._text.find("\\u", self._at, end) >= 0:
                self._check_characters(value)
            self._at = end
            if len(self._text) - end > _CHECKED:
                self._hold_back()
            return value

    def keys_and_values(self) -> Iterator[str]:
        """Yield the keys of an object one by one; whoever gets a key takes its value before the next."""
        self.take("{")
        if self.next_sign() == "}":
            self.take("}")
            return
        while True:
            if self.next_sign() not in ('"', ""):
                raise self._ill_formed("a key is no text", self._at)
            key = self.value()
            self.take(":")
            self.where = f"in {shortened(key)!r}"
            yield key
            self.where = f"after {shortened(key)!r}"
            if self.take(",", "}") == "}":
                return

    def items(self, name: str) -> Iterator[Any]:
        """Yield the values of a list one by one."""
        self.where = f"in {name!r}"
        if self.next_sign() not in ("[", ""):
            raise LogError(f"{self.path}: {name!r} is no list; nothing was read.")
        self.take("[")
        if self.next_sign() == "]":
            self.take("]")
            return
        number = 0
        while True:
            number += 1
            self.where = f"in item {number:,} of {name!r}"
            yield self.value()
            if self.take(",", "]") == "]":
                return

    def refuse_more(self) -> None:
        """Raise an error unless the file is at its end."""
        self.where = "after its end"
        if self.next_sign():
            raise self._ill_formed("something follows the last bracket", self._at)

    def _grow_or_refuse(self, error: json.JSONDecodeError) -> None:
        """Read more text if that may mend the error, otherwise raise it in our words."""
        may_go_on = error.pos > len(self._text) - _LONGEST_WORD or error.msg.startswith("Unterminated string")
        if not may_go_on:
            raise self._ill_formed(error.msg, error.pos)
        if self._ended:
            raise self._cut_off() if self._is_unfinished(error) else self._ill_formed(error.msg, error.pos)
        if len(self._text) - self._at > LONGEST_VALUE:
            raise LogError(
                f"{self.path}, {self.where}: it has more than {LONGEST_VALUE:,} characters, as no event of a log has; "
                "nothing was read."
            )
        self._grow(len(self._text) - self._at)

    def _is_unfinished(self, error: json.JSONDecodeError) -> bool:
        """Return whether an error at the end of the file is one of something that has begun well."""
        rest = self._text[error.pos :].rstrip()
        begun = any(word.startswith(rest) for word in ("true", "false", "null", "-")) or rest.startswith("\\")
        begun = begun or _HALF_NUMBER.fullmatch(rest) is not None
        return begun or error.msg.startswith("Unterminated string") or "\\" in error.msg

    def _grow(self, at_least: int) -> None:
        """Read so many more characters, if there are as many."""
        parts = [self._text[self._at :]]
        self._before += self._at
        self._at = 0
        while at_least > 0 and not self._ended:
            piece = self._held.popleft() if self._held else next(self._pieces, None)
            if piece is None:
                self._ended = True
            else:
                parts.append(piece)
                at_least -= len(piece)
        self._text = "".join(parts)

    def _hold_back(self) -> None:
        """Keep a piece of the text, and hold the others back: the next value would be looked for in all of them."""
        starts = range(self._at, len(self._text), _CHECKED // 2)
        self._held.extendleft(self._text[start : start + _CHECKED // 2] for start in reversed(starts))
        self._before += self._at
        self._text, self._at, self._ended = self._held.popleft(), 0, False

    def _read(self, max_bytes: int, progress: Progress | None) -> Iterator[str]:
        """Yield the file as text, without a byte order mark."""
        is_first = True
        try:
            pieces = self._counted(max_bytes, progress)
            for piece in to_utf8(self.path, pieces, "utf-8", remedy="Convert it to UTF-8, which JSON demands"):
                text = piece.decode()
                if is_first and "\0" in text[:2]:
                    raise LogError(
                        f"{self.path} has a NUL byte at its beginning, as UTF-16 without a byte order mark does: convert it to "
                        "UTF-8, which JSON demands; nothing was read."
                    )
                yield text.removeprefix("\ufeff") if is_first else text
                is_first = is_first and not text
        except CutOff as cut:
            raise LogError(
                f"{self.path} ends {self.where} (byte {cut.byte:,}): the file is cut off. Get a complete copy; nothing was read."
            ) from None
        if not self.n_bytes:
            raise LogError(f"{self.path} is empty: it has no bytes.")

    def _counted(self, max_bytes: int, progress: Progress | None) -> Iterator[bytes]:
        for piece in read_pieces(self.path, max_bytes, progress):
            self.n_bytes += len(piece)
            yield piece

    def _check_size(self) -> None:
        """Raise an error if a large value has so many lists and objects that they would not fit into memory."""
        if self._text[self._at] not in "[{":
            return
        try:
            check_nesting(self._text[self._at :], first_only=True)
        except ValueError as error:
            raise LogError(f"{self.path}, {self.where}: {error}, as no event of a log has; nothing was read.") from None

    def _check_characters(self, value: Any) -> None:
        try:
            check_characters(value)
        except ValueError as error:
            raise LogError(f"{self.path}, {self.where}: {error}. Correct the file; nothing was read.") from None

    def _ill_formed(self, why: str, at: int) -> LogError:
        return LogError(
            f"{self.path}, {self.where}: the JSON is ill-formed at character {self._before + at + 1:,} ({why}). Correct the file "
            "or get an intact copy; nothing was read."
        )

    def _cut_off(self) -> LogError:
        return LogError(
            f"{self.path} ends {self.where} (character {self._before + len(self._text):,}): the file is cut off. Get a complete "
            "copy; nothing was read."
        )
