"""How several logs are told apart in one picture: a colour for each family, a marker and a line for each log in it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from actalike.errors import ActalikeError
from actalike.support.figures import PALETTE

_MARKERS = "os^DvPX*<>hd"
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))


class Style(NamedTuple):
    """How one log looks."""

    colour: str
    marker: str
    line: str | tuple[int, tuple[int, ...]]


def family(name: str) -> str:
    """The family that a log belongs to: its year, if it is of the BPI challenges; else it is a family of its own.

    >>> family("BPIC15_1"), family("BPIC13_closed_problems"), family("Helpdesk")
    ('BPIC15', 'BPIC13', 'Helpdesk')
    """
    match = re.match(r"BPIC\d+(?![^\W_])", name)
    return match[0] if match else name


def styles(names: Iterable[str]) -> dict[str, Style]:
    """A style for each log. Where there are more families than colours, those of one colour differ in marker and line.

    >>> found = styles(["BPIC15_1", "BPIC15_2", "Helpdesk"])
    >>> found["BPIC15_1"].colour == found["BPIC15_2"].colour != found["Helpdesk"].colour
    True
    >>> found["BPIC15_1"].marker == found["BPIC15_2"].marker
    False
    """
    ordered = sorted(names)
    families = sorted({family(name) for name in ordered})
    colour_of = {one: PALETTE[i % len(PALETTE)] for i, one in enumerate(families)}
    used = dict.fromkeys(PALETTE, 0)
    found = {}
    for name in sorted(ordered, key=lambda name: (families.index(family(name)), name)):
        colour = colour_of[family(name)]
        place = used[colour]
        used[colour] += 1
        found[name] = Style(colour, _MARKERS[place % len(_MARKERS)], _LINES[place % len(_LINES)])
    return found


def by_name(things: Any, name: str, what: str) -> dict[str, Any]:
    """Several things by their names; one alone gets a name."""
    if not isinstance(things, Mapping):
        return {name: things}
    if not things:
        raise ActalikeError(f"There is no {what}, so there is nothing to draw.")
    return dict(things)
