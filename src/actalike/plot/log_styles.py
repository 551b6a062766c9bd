"""Choose how logs look in a picture: a colour for each family of logs, a marker and a line style for each log in it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from actalike.errors import ActalikeError
from actalike.support.figures import PALETTE

_MARKERS = "os^DvPX*<>hd"
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))


class Style(NamedTuple):
    """Hold the colour, marker and line style of a log."""

    colour: str
    marker: str
    line: str | tuple[int, tuple[int, ...]]


def family(name: str) -> str:
    """Return the family of a log: the year of its BPI challenge, or the log's own name if it is from none.

    >>> family("BPIC15_1"), family("BPIC13_closed_problems"), family("Helpdesk")
    ('BPIC15', 'BPIC13', 'Helpdesk')
    """
    match = re.match(r"BPIC\d+(?![^\W_])", name)
    return match[0] if match else name


def styles(names: Iterable[str]) -> dict[str, Style]:
    """Return a style for each log. If there are more families than colours, logs of one colour still differ in marker and line.

    >>> style_of = styles(["BPIC15_1", "BPIC15_2", "Helpdesk"])
    >>> style_of["BPIC15_1"].colour == style_of["BPIC15_2"].colour != style_of["Helpdesk"].colour
    True
    >>> style_of["BPIC15_1"].marker == style_of["BPIC15_2"].marker
    False
    """
    ordered = sorted(names)
    families = sorted({family(name) for name in ordered})
    colour_of = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(families)}
    used = dict.fromkeys(PALETTE, 0)
    style_of = {}
    for name in sorted(ordered, key=lambda name: (families.index(family(name)), name)):
        colour = colour_of[family(name)]
        number = used[colour]
        used[colour] += 1
        style_of[name] = Style(colour, _MARKERS[number % len(_MARKERS)], _LINES[number % len(_LINES)])
    return style_of


def by_name(things: Any, name: str, what: str) -> dict[str, Any]:
    """Return things by their names. A single thing, which comes without a name, gets ``name``."""
    if not isinstance(things, Mapping):
        return {name: things}
    if not things:
        raise ActalikeError(f"There is no {what}, so there is nothing to draw.")
    return dict(things)
