"""Lay out directed graphs in layers: most arrows run downwards, few cross, and nodes stand below their predecessors.

The steps are those of Sugiyama: reverse the arrows that would close a cycle; assign nodes to layers, with a bend wherever an
arrow passes a layer; order each layer so that few arrows cross; and move nodes close to their neighbours.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

_SWEEPS = 12
_BEND = 0.25  # width that an arrow takes in a layer that it passes


class Layout(NamedTuple):
    """Hold the centre of each node (x, and the number of its layer, 0 at the top), and the points of each arrow."""

    places: list[tuple[float, int]]
    routes: list[list[tuple[float, int]]]


def layered(widths: Sequence[float], arrows: Sequence[tuple[int, int]], order: Sequence[int], gap: float = 0.3) -> Layout:
    """Return places for nodes, given their widths; nodes are numbered from 0. An arrow from a node to itself has no route.

    If not all arrows can run downwards, those that come first in ``arrows`` do. The first node of ``order`` stands alone at the
    top and the last one alone at the bottom. A node that no downward arrow leads to stands below a node that precedes it in the
    order.

    >>> layered([1, 1, 1], [(0, 1), (1, 2), (2, 1)], order=[0, 1, 2]).places
    [(0.0, 0), (0.0, 1), (0.0, 2)]
    """
    n = len(widths)
    below = _downwards(arrows, order)
    down = [(a, b) if b in below[a] else (b, a) for a, b in arrows if a != b]
    layer = _layers(below)
    chains, layer, wide = _bends(down, layer, list(widths))
    rows = _ordered_rows(layer, [pair for chain in chains for pair in pairwise(chain)])
    x = _coordinates(rows, chains, wide, gap, n)
    routes: list[list[tuple[float, int]]] = []
    remaining = iter(chains)
    for a, b in arrows:
        chain = [] if a == b else next(remaining)
        routes.append([(x[node], layer[node]) for node in (chain if b in below[a] else chain[::-1])])
    return Layout([(x[node], layer[node]) for node in range(n)], routes)


def _downwards(arrows: Sequence[tuple[int, int]], order: Sequence[int]) -> dict[int, set[int]]:
    """Return which nodes must stand below each node, without cycles."""
    below: dict[int, set[int]] = {node: set() for node in order}
    first, last = order[0], order[-1]
    below[first] |= set(order) - {first}
    for node in order:
        below[node] |= {last} - {node}

    for a, b in arrows:
        if not _reaches(below, b, a):
            below[a].add(b)
    followed = {b for a, b in arrows if b in below[a]}
    for i, node in enumerate(order[1:-1], start=1):
        if node not in followed:
            above = (before for before in order[i - 1 : 0 : -1] if not _reaches(below, node, before))
            below[next(above, first)].add(node)
    return below


def _reaches(below: dict[int, set[int]], a: int, b: int) -> bool:
    """Return whether a path leads down from a to b."""
    seen, todo = {a}, [a]
    while todo:
        node = todo.pop()
        if node == b:
            return True
        new = below[node] - seen
        seen |= new
        todo += new
    return False


def _layers(below: dict[int, set[int]]) -> list[int]:
    """Return the layer of each node: one below the lowest node that must stand above it."""
    layer = dict.fromkeys(below, 0)
    moved = True
    while moved:
        moved = False
        for a, lower in below.items():
            for b in lower:
                if layer[b] <= layer[a]:
                    layer[b] = layer[a] + 1
                    moved = True
    return [layer[node] for node in range(len(below))]


def _bends(
    down: Sequence[tuple[int, int]], layer: list[int], widths: list[float]
) -> tuple[list[list[int]], list[int], list[float]]:
    """Return the arrows as chains of nodes in adjacent layers, with new nodes (bends) in the layers that they pass.

    The layers and widths are returned with those of the bends appended.
    """
    layer, widths = list(layer), list(widths)
    chains = []
    for a, b in down:
        bends = list(range(len(layer), len(layer) + layer[b] - layer[a] - 1))
        layer += range(layer[a] + 1, layer[b])
        widths += [_BEND] * len(bends)
        chains.append([a, *bends, b])
    return chains, layer, widths


def _ordered_rows(layer: Sequence[int], segments: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return the nodes of each layer in an order with few crossings, sorted repeatedly by the mean place of neighbours."""
    rows: list[list[int]] = [[] for _ in range(max(layer) + 1)]
    for node, number in enumerate(layer):
        rows[number].append(node)
    best, fewest = [list(row) for row in rows], crossings(rows, segments)
    above: dict[int, list[int]] = {node: [] for node in range(len(layer))}
    below: dict[int, list[int]] = {node: [] for node in range(len(layer))}
    for a, b in segments:
        above[b].append(a)
        below[a].append(b)
    for sweep in range(_SWEEPS):
        neighbours = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            place = {node: i for other in rows for i, node in enumerate(other)}
            mean = {
                node: np.mean([place[other] for other in neighbours[node]]) if neighbours[node] else place[node] for node in row
            }
            row.sort(key=lambda node: (mean[node], place[node]))
        n_crossings = crossings(rows, segments)
        if n_crossings < fewest:
            best, fewest = [list(row) for row in rows], n_crossings
    return best


def crossings(rows: Sequence[Sequence[int]], segments: Sequence[tuple[int, int]]) -> int:
    """Count the pairs of arrows that cross between the layers.

    >>> crossings([[0, 1], [2, 3]], [(0, 3), (1, 2)])
    1
    """
    place = {node: i for row in rows for i, node in enumerate(row)}
    number = {node: i for i, row in enumerate(rows) for node in row}
    a = np.array([(number[a], place[a], place[b]) for a, b in segments]).reshape(-1, 3)
    same = a[:, np.newaxis, 0] == a[:, 0]
    crossed = (a[:, np.newaxis, 1] < a[:, 1]) & (a[:, np.newaxis, 2] > a[:, 2])
    return int((same & crossed).sum())


def _coordinates(
    rows: Sequence[Sequence[int]], chains: Sequence[Sequence[int]], widths: Sequence[float], gap: float, n: int
) -> dict[int, float]:
    """Return the x of each node: as near to the mean of its neighbours as the order and the widths allow."""
    x: dict[int, float] = {}
    for row in rows:
        ends = np.cumsum([widths[node] + gap for node in row])
        x.update({node: float(end - (widths[node] + gap) / 2 - ends[-1] / 2) for node, end in zip(row, ends, strict=True)})
    neighbours: dict[int, list[tuple[int, float]]] = {node: [] for node in x}
    for chain in chains:
        for a, b in pairwise(chain):
            weight = 8.0 if a >= n and b >= n else 2.0 if a >= n or b >= n else 1.0  # long arrows should be straight
            neighbours[a].append((b, weight))
            neighbours[b].append((a, weight))
    for sweep in range(6 * _SWEEPS):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            weights = [sum((w for _, w in neighbours[a]), 0.1) for a in row]
            sums = [sum((x[b] * w for b, w in neighbours[a]), 0.1 * x[a]) for a in row]
            targets = [total / weight for total, weight in zip(sums, weights, strict=True)]
            min_gaps = [(widths[a] + widths[b]) / 2 + gap for a, b in pairwise(row)]
            x.update(zip(row, spread(targets, min_gaps, weights), strict=True))
    middle = (min(x[node] for node in range(n)) + max(x[node] for node in range(n))) / 2
    return {node: round(value - middle, 6) + 0.0 for node, value in x.items()}


def spread(targets: Sequence[float], min_gaps: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the numbers nearest to the targets (weighted least squares) that keep a minimal gap between successive numbers.

    >>> spread([0, 0, 5], min_gaps=[2, 2], weights=[1, 1, 1])
    [-1.0, 1.0, 5.0]
    """
    offsets = np.concatenate([[0.0], np.cumsum(min_gaps)])
    blocks: list[tuple[float, float, int]] = []  # mean, weight, members: neighbours that push each other move together
    for target, offset, weight in zip(targets, offsets.tolist(), weights, strict=True):
        blocks.append((target - offset, weight, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (mean, heavy, members), (other, light, more) = blocks[-2:]
            blocks[-2:] = [((mean * heavy + other * light) / (heavy + light), heavy + light, members + more)]
    means = [mean for mean, _, members in blocks for _ in range(members)]
    return [mean + offset for mean, offset in zip(means, offsets.tolist(), strict=True)]
