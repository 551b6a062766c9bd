"""Open a SQLite file that may have been written to do harm: only to read, only its tables, within bounds.

- It is opened read-only and as one that does not change, so nothing is written beside it. A file with a journal beside it, or
  beside the file that a link leads to, is an error: its changes would be overlooked.
- Views, virtual tables and computed columns run expressions that the file brings along: they are errors where they are needed
  for the log. Triggers never run, because nothing is written. What may be asked at all is limited to reading these tables.
- ``quick_check`` goes through all pages before anything is read: a damaged file is an error, and reading ends.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from types import TracebackType
from typing import Any, TypeVar

from actalike.errors import LogError, shortened
from actalike.io.source import refuse_irregular
from actalike.support.places import cannot_read

_T = TypeVar("_T")

_SIGN = b"SQLite format 3\0"
_HEADER = 100  # bytes
_LONGEST_VALUE = 1 << 24  # bytes of a text or of a row
_MOST_TABLES = 10_000
_STEPS_AT_A_TIME = 100_000  # of SQLite's machine between two looks
_STEPS_A_BYTE, _FIRST_STEPS = 100, 100_000_000  # more of them than any sound file takes
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 20,
    sqlite3.SQLITE_LIMIT_COLUMN: 2000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 1,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_SETTINGS = (
    "trusted_schema = off",
    "cell_size_check = on",
    "query_only = on",
    "mmap_size = 0",
    "ignore_check_constraints = on",  # or quick_check would compute them
    "temp_store = memory",
)
_ALLOWED = {  # what may be asked of the file once it is open
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
}
_PRAGMAS = ("quick_check", "table_xinfo")
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_COMPUTED = (2, 3)  # how table_xinfo marks computed columns; 1 is a hidden column of a virtual table


class SqliteFile:
    """Read the tables of a SQLite file; used as a context."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        self._steps = 0
        self._stopped: BaseException | None = None
        self._check_file(max_bytes)
        self._connection = self._open()
        try:
            self._tables = self._asked(self._schema)
            self._asked(self._check_pages)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> "SqliteFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._connection.close()

    def require(self, table: str, columns: Sequence[str]) -> None:
        """Raise an error unless the file has a table of this name, a real one, with these columns."""
        kind = self._tables.get(_folded(table))
        if kind is None:
            raise LogError(
                f"{self.path} is no object-centric log (OCEL 2.0): it has no table {shortened(table)!r}. If it holds events in "
                "another way, export them as CSV. Nothing was read."
            )
        if kind != "table":
            raise LogError(
                f"{self.path}: {shortened(table)!r} is a {kind}, which would be computed while reading: store it as a table; "
                "nothing was read."
            )
        present = self.columns(table)
        for column in columns:
            if column not in map(_folded, present):
                raise LogError(
                    f"{self.path} is no object-centric log (OCEL 2.0): its table {shortened(table)!r} has no column {column!r}. "
                    "Nothing was read."
                )

    def columns(self, table: str) -> list[str]:
        """Return the columns of a table; a computed one is an error."""
        rows = self._asked(lambda: self._connection.execute(f"PRAGMA table_xinfo({_identifier(table)})").fetchall())
        for _, name, *_, hidden in rows:
            if hidden in _COMPUTED:
                raise LogError(
                    f"{self.path}: the column {shortened(name)!r} of the table {shortened(table)!r} is computed while reading: "
                    "store its values; nothing was read."
                )
        return [name for _, name, *_ in rows]

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the number of each row and its values of some columns, in the order in which the rows are stored."""
        names = ", ".join(map(_identifier, columns))
        # without an index: one that holds these columns would give them in its own order, and might be out of step
        query = f"SELECT {names} FROM {_identifier(table)} NOT INDEXED"
        cursor = self._asked(lambda: self._connection.execute(query))
        number = 0
        while (values := self._asked(cursor.fetchone)) is not None:  # one by one: a row may be large
            number += 1
            yield number, values

    def _check_file(self, max_bytes: int) -> None:
        """Raise an error unless the file is SQLite by its first bytes, of a size that is allowed, whole, and has no journal."""
        refuse_irregular(self.path)
        try:
            with self.path.open("rb") as file:
                header = file.read(_HEADER)
            size, names = self.path.stat().st_size, self.path.stat().st_nlink
            journals = [Path(f"{each}{ending}") for each in (self.path, self.path.resolve()) for ending in ("-wal", "-journal")]
            unfinished = [journal for journal in journals if journal.exists() and journal.stat().st_size]
        except OSError as error:
            raise LogError(cannot_read(self.path, error)) from None
        if not size:
            raise LogError(f"{self.path} is empty: it has no bytes.")
        if not header.startswith(_SIGN):
            raise LogError(f"{self.path} is not SQLite, by its first bytes. Get an intact copy; nothing was read.")
        if size > max_bytes:
            raise LogError(
                f"{self.path} holds more than {max_bytes:,} bytes. If this is intended, allow more with max_bytes=... "
                "(--max-bytes); nothing was read."
            )
        if unfinished:
            raise LogError(
                f"{self.path} has changes that are not in it yet, but in {unfinished[0].name}: close the program that writes it, "
                "or open it once with sqlite3, and read it again; nothing was read."
            )
        if names > 1 and 2 in header[18:20]:  # the log of changes is beside one of the names, and nothing says which
            raise LogError(
                f"{self.path} has {names:,} names (hard links) and keeps changes in a file beside one of them (WAL), which may "
                "not be this one: copy it with sqlite3's .backup, or set PRAGMA journal_mode = delete; nothing was read."
            )
        page, expected = _sizes(header)
        if size < expected or size % page:
            raise LogError(
                f"{self.path} is damaged: it has {size:,} bytes, and by its header {expected:,}, in pages of {page:,}. Get a "
                "complete copy; nothing was read."
            )
        self._most_steps = _FIRST_STEPS + _STEPS_A_BYTE * size

    def _open(self) -> sqlite3.Connection:
        try:
            address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, isolation_level=None)
        except (sqlite3.Error, ValueError) as error:
            raise LogError(f"{self.path} cannot be opened as SQLite ({error}); nothing was read.") from error
        try:
            for limit, value in _LIMITS.items():
                connection.setlimit(limit, value)
            if hasattr(connection, "setconfig"):  # Python 3.12
                connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined]
            for setting in _SETTINGS:
                connection.execute(f"PRAGMA {setting}")
            connection.set_authorizer(_authorized)
            connection.set_progress_handler(self._look, _STEPS_AT_A_TIME)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            connection.close()
            raise self._damaged(error) from error
        return connection

    def _look(self) -> int:
        """Stop a query that takes more steps than a file of this size can need, or that a person stops."""
        try:
            self._steps += _STEPS_AT_A_TIME
            return int(self._steps > self._most_steps)
        except BaseException as error:  # Ctrl-C: an exception would be lost in SQLite
            self._stopped = error
            return 1

    def _schema(self) -> dict[str, str]:
        """Return what the file holds, by name in lower case: tables, views and virtual tables."""
        kinds: dict[str, str] = {}
        for kind, name, root in self._connection.execute("SELECT type, name, rootpage FROM sqlite_master"):
            if kind not in ("table", "view") or not isinstance(name, str):
                continue
            if len(kinds) >= _MOST_TABLES:
                raise LogError(f"{self.path} has more than {_MOST_TABLES:,} tables, as no log has; nothing was read.")
            if kind == "table" and not root:
                raise LogError(
                    f"{self.path}: {shortened(name)!r} is a virtual table, which runs code while reading: remove it, or store it "
                    "as a table; nothing was read."
                )
            kinds[_folded(name)] = kind
        return kinds

    def _check_pages(self) -> None:
        """Raise an error if a page of the file is damaged."""
        answers = [answer for (answer,) in self._connection.execute("PRAGMA quick_check(1)")]
        if answers != ["ok"]:
            words = " ".join(str(answers[0]).split()) if answers else "no answer"
            raise LogError(f"{self.path} is damaged ({shortened(words, 200)}). Get an intact copy; nothing was read.")

    def _asked(self, ask: Callable[[], _T]) -> _T:
        try:
            return ask()
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may complain in words that it took from a damaged file
            if self._stopped is not None:
                raise self._stopped from None
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> LogError:
        if self._steps > self._most_steps:
            return LogError(f"{self.path} takes more work than a file of its size can need, so it is damaged; nothing was read.")
        words = " ".join(str(error).split())
        return LogError(f"{self.path} cannot be read by SQLite ({shortened(words, 200)}). Get an intact copy; nothing was read.")


def _authorized(action: int, first: str | None, *_: str | None) -> int:
    """Allow reading tables, and the two questions about them that are asked here; nothing else, and no functions."""
    allowed = action in _ALLOWED or (action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _sizes(header: bytes) -> tuple[int, int]:
    """Return the bytes of a page, and those of the whole file as far as its header knows them.

    The header's number of pages holds if the counter of changes beside it is the same as the file's own.
    """
    page = int.from_bytes(header[16:18], "big")
    page = 1 << 16 if page == 1 else max(page, 1)  # a page size that cannot be is for SQLite to refuse
    is_known = header[24:28] == header[92:96]
    return page, max(_HEADER, page * int.from_bytes(header[28:32], "big") if is_known else 0)


def _folded(name: str) -> str:
    """Return a name as SQLite compares it: only the letters A to Z become small, not those of other alphabets.

    >>> _folded("EVENT_\N{KELVIN SIGN}") == "event_k"
    False
    """
    return name.translate(_SMALL)


def _identifier(name: str) -> str:
    """Return a name of a table or column as SQL takes it.

    >>> print(_identifier('a "b" c'))
    "a ""b"" c"
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
