"""Draw logs: how many activities they have, how frequent these are, and where in a case they occur.

Logs of a family, such as those of one BPI challenge, have one colour; each log has a marker and a line style of its own.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.log import EventLog, relative_positions
from actalike.support.figures import PALETTE, all_shown, finish, new_figure, shown

_WIDTH = 7.0  # inches
_MARKERS = "os^DvPX*<>hd"
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))


def activities_per_log(logs: Mapping[str, EventLog | int] | EventLog, path: str | Path | None = None) -> Any:
    """Draw the number of activities of each log: a row for each family of logs, a hollow marker for each log in it.

    In place of a log you can give its number of activities. ``{entry.name: entry.activities for entry in
    actalike.datasets.paper_logs()}`` gives those of the paper.
    """
    named: dict[str, EventLog | int] = by_name(logs, "log", "log")
    numbers = {name: len(log.activities) if isinstance(log, EventLog) else int(log) for name, log in named.items()}
    families = sorted({family(name) for name in numbers}, key=str.lower)
    style = styles(numbers)
    figure = new_figure(_WIDTH, 1.4 + 0.28 * len(families) + 0.2 * _legend_rows(numbers))
    axes = figure.subplots()
    for name in sorted(numbers):
        axes.plot(
            numbers[name], families.index(family(name)), style[name].marker, ms=7, mew=1.4, mfc="none", mec=style[name].colour,
            label=shown(name), clip_on=False,
        )  # fmt: skip
    axes.set_yticks(range(len(families)), [shown(name, 24) for name in families])
    axes.set_ylim(len(families) - 0.5, -0.5)  # the first on top
    axes.set_xlim(0, max(numbers.values()) * 1.05)
    axes.set_xlabel("number of activities")
    axes.grid(axis="y", alpha=0.3)
    _legend_below(figure, numbers)
    return finish(figure, path)


def zipf(logs: Mapping[str, EventLog] | EventLog, normalised: bool = True, path: str | Path | None = None) -> Any:
    """Draw the share of the events that each activity has over its rank, on logarithmic axes: a line for each log.

    The dashed line is Zipf's law, ``1 / (rank * H_k)`` with ``H_k = 1 + 1/2 + ... + 1/k`` and k the largest number of activities,
    so that its shares sum to 1. With ``normalised=False`` it is ``1 / rank``, as in the paper: it begins at 1, and only its slope
    can be compared.
    """
    named = by_name(logs, "log", "log")
    style = styles(named)
    figure = new_figure(_WIDTH, 4.6 + 0.2 * _legend_rows(named))
    axes = figure.subplots()
    n_ranks, smallest = 1, 1.0
    for name in sorted(named):
        shares = zipf_shares(named[name])
        n_ranks, smallest = max(n_ranks, len(shares)), min(smallest, shares[-1])
        ranks = np.arange(1, len(shares) + 1)
        marked = np.unique(np.geomspace(1, len(shares), 12).round().astype(int)) - 1  # else they would run into each other
        axes.plot(
            ranks, shares, color=style[name].colour, ls=style[name].line, lw=1.1, marker=style[name].marker, ms=5, mfc="none",
            markevery=marked.tolist(), label=shown(name),
        )  # fmt: skip
    ranks = np.arange(1, n_ranks + 1)
    law = 1 / ranks / (np.sum(1 / ranks) if normalised else 1)
    axes.plot(ranks, law, "k--", lw=1.4, label=f"Zipf's law{'' if normalised else ', 1 / rank'}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.9, max(n_ranks, 2) * 1.15)
    axes.set_ylim(min(smallest, law[-1]) / 1.5, 1.5)
    for axis in (axes.xaxis, axes.yaxis):
        _plain_numbers(axis)
    axes.set_xlabel("rank of the activity")
    axes.set_ylabel("share of the events")
    axes.grid(alpha=0.3)
    _legend_below(figure, named)
    return finish(figure, path)


def zipf_shares(log: EventLog) -> NDArray[np.float64]:
    """Return the share of the events that each activity has, the most frequent first.

    >>> zipf_shares(EventLog.from_traces([["a", "b"], ["b", "b"]])).tolist()
    [0.75, 0.25]
    """
    return np.sort(log.activity_counts)[::-1] / log.n_events


def positions(logs: Mapping[str, EventLog] | EventLog, top: int = 5, path: str | Path | None = None) -> Any:
    """Draw where in a case the most frequent activities of each log occur: boxes of quartiles, whiskers from minimum to maximum.

    The position of an event is its index in the case, from 0, divided by the number of events: 0 is the beginning, and 1 is never
    reached. The most frequent activity is at the top. (The boxes in the thesis are vertical and have no names.)
    """
    if top < 1:
        raise ActalikeError(f"top={top}: a picture of positions shows one activity or more.")
    named = by_name(logs, "log", "log")
    columns = 2 if len(named) == 4 else min(3, len(named))
    rows = -(-len(named) // columns)
    n_boxes = max(min(top, len(log.activities)) for log in named.values())
    figure = new_figure(2 + 4.2 * columns, 0.5 + rows * (0.8 + 0.24 * n_boxes))
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True).ravel()
    for axes, (name, log) in zip(panels, named.items(), strict=False):
        _draw_positions(axes, log, top, n_boxes)
        if isinstance(logs, Mapping):
            axes.set_title(shown(name), fontsize=10)
    for axes in panels[len(named) :]:
        axes.remove()
    for axes in panels[max(0, len(named) - columns) : len(named)]:
        axes.set_xlabel("position in the case: 0 begins it")
        axes.tick_params(labelbottom=True)
    return finish(figure, path)


def _draw_positions(axes: Any, log: EventLog, top: int, rows: int) -> None:
    """Draw the boxes of one log, with room for ``rows`` of them."""
    order = np.argsort(-log.activity_counts, kind="stable")[:top]
    quartiles = relative_positions(log).quartiles[order]
    names = ("whislo", "q1", "med", "q3", "whishi")
    boxes = [dict(zip(names, row, strict=True)) for row in quartiles.tolist()]
    axes.bxp(
        boxes,
        positions=range(len(order)),
        orientation="horizontal",
        widths=0.55,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": "#cfe4f1", "edgecolor": PALETTE[0]},
        whiskerprops={"color": PALETTE[0]},
        capprops={"color": PALETTE[0]},
        medianprops={"color": PALETTE[1], "linewidth": 2},
    )
    axes.set_yticks(range(len(order)), all_shown([log.activities[i] for i in order.tolist()], 34), fontsize=8)
    axes.set_ylim(rows - 0.4, -0.6)
    axes.set_xlim(-0.02, 1.02)
    axes.grid(axis="x", alpha=0.3)


def _plain_numbers(axis: Any) -> None:
    """Label the powers of ten as plain numbers, such as 10 and 0.001."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10f}".rstrip("0").rstrip(".")))
    axis.set_minor_formatter(NullFormatter())


def _legend_columns(names: Iterable[str]) -> int:
    """Return how many columns a legend below the picture can have."""
    longest = max(len(shown(name)) for name in names)
    return max(1, int(_WIDTH / (0.38 + 0.06 * max(longest, 10))))


def _legend_rows(names: Collection[str]) -> int:
    return -(-(len(names) + 1) // _legend_columns(names))


def _legend_below(figure: Any, names: Collection[str]) -> None:
    """Draw a legend below the picture, unless there is only one line or marker to explain."""
    if len(names) > 1 or len(figure.axes[0].lines) > 1:
        figure.legend(loc="outside lower center", ncols=_legend_columns(names), fontsize=8, frameon=False)


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
