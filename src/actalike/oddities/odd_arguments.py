"""Check what functions about odd events are given: a case by its id or its number, names of attributes, a kind, a number."""

from collections.abc import Callable, Iterable, Sequence
from heapq import nsmallest
from numbers import Integral
from operator import ne
from os import PathLike
from typing import TypeGuard

from actalike.errors import ActalikeError, did_you_mean, shortened
from actalike.log import EventLog
from actalike.oddities.odd_data import KINDS

_COMPARED = 500  # ids that are compared with one that is unknown, which takes time
_LONGEST = 80  # characters of an id that is compared with others
_SHOWN = 5


def cases_called(log: EventLog, case: str) -> list[int]:
    """Return the numbers of all cases with an id, from 0: files of type XES may have several.

    >>> cases_called(EventLog.from_traces([["a"], ["b"]]), "2")
    [1]
    """
    numbers = [number for number, known in enumerate(log.case_ids) if known == case]
    if not numbers:
        near = nsmallest(_COMPARED, dict.fromkeys(log.case_ids), key=_distance_from(case)) if len(case) <= _LONGEST else []
        meant = did_you_mean(case, near)
        first = f"; the first is {shortened(log.case_ids[0])!r}."
        raise ActalikeError(f"{_name(log)} has no case {shortened(case)!r}{f'.{meant}' if meant else first}")
    return numbers


def number_of_case(log: EventLog, case: object) -> int:
    """Return the number of a case, which is given by its id, or by its number, from 0.

    >>> number_of_case(EventLog.from_traces([["a"], ["b"]]), "2")
    1
    """
    if isinstance(case, str):
        numbers = cases_called(log, case)
        if len(numbers) > 1:
            raise ActalikeError(
                f"{len(numbers):,} cases are called {shortened(case)!r}: give the number of one of them in place of the id, "
                f"{_quoted(numbers)}."
            )
        return numbers[0]
    if not _is_whole(case):
        raise ActalikeError(f"{_shown(case)} is no case: give the id of one, a text, or its number in the log, from 0.")
    if not 0 <= case < log.n_cases:
        raise ActalikeError(f"{_name(log)} has no case number {case:,}: they go from 0 to {log.n_cases - 1:,}.")
    return int(case)


def attribute_names(attributes: object) -> list[str] | None:
    """Return names of attributes as a list, each once, and None as it is; anything but texts is an error.

    >>> attribute_names(["role", "role"])
    ['role']
    """
    if attributes is None:
        return None
    if isinstance(attributes, str | bytes) or not isinstance(attributes, Iterable):
        raise ActalikeError(f"attributes={_shown(attributes)} is no list of names: give one, such as ['org:resource'].")
    return list(dict.fromkeys(map(_attribute_name, attributes)))


def check_attributes(log: EventLog, attributes: Sequence[str] | None) -> list[str]:
    """Return the names of the attributes to look at, all of the log's if none are named; one that it lacks is an error."""
    names = list(log.attributes) if attributes is None else attributes
    for name in names:
        if name not in log.attributes:
            has = f"It has {_quoted(log.attributes)}." if log.attributes else "It has none."
            quoted = repr(shortened(name))
            raise ActalikeError(
                f"{_name(log)} has no attribute {quoted}.{did_you_mean(name, log.attributes)} {has} Others have to be asked for "
                f"when the log is read: read_log(..., attributes=[{quoted}])."
            )
    return list(names)


def check_kind(kind: object) -> None:
    """Raise an error unless a kind of oddity is one that there is, or None."""
    if kind is not None and kind not in KINDS:
        kinds = ", ".join(map(repr, KINDS))
        raise ActalikeError(f"{_shown(kind)} is no kind of odd event: there are {kinds}.{did_you_mean(str(kind), KINDS)}")


def check_topn(topn: object) -> None:
    """Raise an error unless a number of odd events is a whole number, 0 or more, or None."""
    if topn is not None and (not _is_whole(topn) or topn < 0):
        raise ActalikeError(f"topn={_shown(topn)} is no number of odd events: give a whole number, 0 or more, or None for all.")


def check_path(path: object) -> None:
    """Raise an error unless something is the path of a file."""
    if not isinstance(path, str | PathLike):
        raise ActalikeError(f"{_shown(path)} is no path of a file: give one, such as 'odd.csv'. Nothing was written.")


def _distance_from(case: str) -> Callable[[str], tuple[bool, int]]:
    """Return a measure of how unlike another id is: whether it has this one in it, and in how many places they differ."""
    lower = case.lower()

    def distance(known: str) -> tuple[bool, int]:
        return lower not in known.lower(), sum(map(ne, case, known)) + abs(len(case) - len(known))

    return distance


def _attribute_name(name: object) -> str:
    if not isinstance(name, str):
        raise ActalikeError(f"attributes has {_shown(name)}, which is no name: names are texts.")
    return name


def _is_whole(number: object) -> TypeGuard[int]:
    """Return whether something is a whole number: also one of numpy, but not a truth value, which Python counts as one."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def _shown(value: object) -> str:
    return shortened(repr(value))


def _name(log: EventLog) -> str:
    return "The log" if log.reading is None else log.reading.source


def _quoted(items: Iterable[str | int]) -> str:
    texts = [repr(shortened(item) if isinstance(item, str) else item) for item in items]
    return ", ".join(texts[:_SHOWN]) + (", ..." if len(texts) > _SHOWN else "")
