"""Embed activities by where they stand in a process tree discovered from the log (Chiorrini et al., 2022).

pm4py's inductive miner discovers the tree. The features are computed here, in one walk up the tree and one down.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods.registry import Estimator, Lap, no_lap
from actalike.support.extras import Extra

PM4PY = Extra("process-models", "pm4py")
Operator = Literal["sequence", "xor", "and", "loop"]


@dataclass
class ProcessTree:
    """Hold a node of a process tree: a leaf with a label (None is tau, a silent step), or an operator with children."""

    label: str | None = None
    operator: Operator | None = None
    children: list["ProcessTree"] = field(default_factory=list)


def discover_tree(log: EventLog) -> ProcessTree:
    """Return the folded tree of pm4py's inductive miner (noise 0, fall-throughs on). It depends on the variants alone."""
    pm4py = PM4PY.load(user="process-structure")
    import pandas as pd  # comes with pm4py

    codes, offsets = log.variants.codes, log.variants.offsets
    events = pd.DataFrame(
        {
            "case:concept:name": np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)).astype(str),
            # Codes, so that no label is mistaken for a silent step. All have the same length, because pm4py sorts them as texts
            # and the tree depends on the order, which is that of the labels.
            "concept:name": np.char.zfill(codes.astype(str), 10),
            "time:timestamp": pd.to_datetime(np.arange(len(codes)), unit="s", utc=True),
        }
    )
    pm4py_tree = pm4py.discover_process_tree_inductive(events, noise_threshold=0.0, multi_processing=False)
    return _from_pm4py(pm4py_tree, log.activities)


def _from_pm4py(pm4py_tree: Any, activities: Sequence[str]) -> ProcessTree:
    """Return pm4py's tree with labels in place of codes."""
    names: dict[str, Operator] = {"->": "sequence", "X": "xor", "+": "and", "*": "loop"}
    root = ProcessTree()
    todo = [(pm4py_tree, root)]
    while todo:  # not by recursion: trees of hundreds of activities are deep
        theirs, ours = todo.pop()
        if theirs.operator is None:
            ours.label = None if theirs.label is None else activities[int(theirs.label)]
            continue
        ours.operator = names[theirs.operator.value]
        ours.children = [ProcessTree() for _ in theirs.children]
        todo.extend(zip(theirs.children, ours.children, strict=True))
    return root


class _Node:
    """Hold what the walks compute for a node."""

    def __init__(self, tree: ProcessTree, parent: "_Node | None") -> None:
        self.tree, self.parent = tree, parent
        self.children: list[_Node] = []
        self.length = 0  # the largest position inside the node
        self.branching = 0  # sum of (children - 1) over the AND nodes inside, this node included
        self.offset = 0  # added to all positions inside
        self.has_positions = True  # not so in the redo parts of a loop
        self.choices = 0  # sum of (children - 1) over the XOR nodes above
        self.branches = 1  # number of concurrent branches
        self.looped = self.self_looped = False
        self.block: _Node | None = None  # the nearest AND node above


def structure_features(tree: ProcessTree, fixed: bool = False) -> dict[str, list[float]]:
    """Return six numbers for each labelled leaf. Tau leaves have none, but count as children.

    1. Path length: the position divided by the largest position. Positions count from 1; each child of a SEQUENCE goes on from
       the last position of the child before it; in a LOOP only the first child has positions, the others have position 0. As
       published, the count starts again after a child without positions; with ``fixed`` it goes on.
    2. Optionality: 1 / (1 + Σ (children - 1)) over the XOR nodes above, rounded to four digits.
    3. Parallelism path length. As published: feature 1 if the tree has any AND, else 0. With ``fixed``: the position inside the
       nearest AND above, divided by the largest position there; 0 without an AND above.
    4. Parallelism: 1 - 1/k for k concurrent branches. k is 1 + Σ (children - 1) over the AND nodes above, and over those inside
       the other branches of the AND nodes above.
    5. Self-loop: 1 if all children of some LOOP above are leaves, else 0.
    6. Long loop: 1 if there is a LOOP above and feature 5 is 0, else 0.

    >>> a, b, tau = ProcessTree("a"), ProcessTree("b"), ProcessTree()
    >>> structure_features(ProcessTree(operator="sequence", children=[a, ProcessTree(operator="loop", children=[b, tau])]))
    {'a': [0.5, 1.0, 0.0, 0.0, 0.0, 0.0], 'b': [1.0, 1.0, 0.0, 0.0, 1.0, 0.0]}
    """
    nodes = [_Node(tree, None)]
    for node in nodes:  # the list grows during the loop: parents come before children
        node.children = [_Node(child, node) for child in node.tree.children]
        nodes.extend(node.children)
    for node in reversed(nodes):
        _set_from_children(node, fixed)
    for node in nodes:
        _set_children(node, fixed)
    leaves = [node for node in nodes if node.tree.label is not None]
    longest = max((_position(leaf) for leaf in leaves), default=0)
    any_block = any(node.tree.operator == "and" for node in nodes)
    return {str(leaf.tree.label): _features(leaf, longest, any_block, fixed) for leaf in sorted(leaves, key=_label)}


def _label(node: _Node) -> str:
    return str(node.tree.label)


def _set_from_children(node: _Node, fixed: bool) -> None:
    """Set the length and the branching of a node, given those of its children."""
    lengths = [child.length for child in node.children]
    operator = node.tree.operator
    if operator is None:
        node.length = 0 if node.tree.label is None else 1
    elif operator == "sequence":
        node.length = max((a + b for a, b in zip(_offsets(lengths, fixed), lengths, strict=True) if b), default=0)
    elif operator == "loop":
        node.length = lengths[0]
    else:
        node.length = max(lengths)
    node.branching = sum(child.branching for child in node.children)
    if operator == "and":
        node.branching += len(node.children) - 1


def _offsets(lengths: list[int], fixed: bool) -> list[int]:
    """Return the offset of each child of a sequence, given the lengths of the children."""
    offsets, running = [], 0
    for length in lengths:
        offsets.append(running)
        running = running + length if length or fixed else 0
    return offsets


def _set_children(node: _Node, fixed: bool) -> None:
    """Set what the children of a node get from the nodes above them."""
    operator, children = node.tree.operator, node.children
    offsets = _offsets([child.length for child in children], fixed) if operator == "sequence" else [0] * len(children)
    has_only_leaves = all(child.tree.operator is None for child in children)
    for i, child in enumerate(children):
        child.offset = node.offset + offsets[i]
        child.has_positions = node.has_positions and not (operator == "loop" and i > 0)
        child.choices = node.choices + (len(children) - 1 if operator == "xor" else 0)
        child.looped = node.looped or operator == "loop"
        child.self_looped = node.self_looped or (operator == "loop" and has_only_leaves)
        child.branches, child.block = node.branches, node.block
        if operator == "and":
            child.branches += node.branching - child.branching
            child.block = node


def _position(leaf: _Node) -> int:
    return leaf.offset + 1 if leaf.has_positions else 0


def _features(leaf: _Node, longest: int, any_block: bool, fixed: bool) -> list[float]:
    position = _position(leaf)
    path_length = position / longest if longest else 0.0
    if not fixed:
        in_block = path_length if any_block else 0.0
    elif leaf.block is None or not position:
        in_block = 0.0
    else:
        in_block = (position - leaf.block.offset) / leaf.block.length
    optionality = round(1 / (1 + leaf.choices), 4)
    return [
        path_length,
        optionality,
        in_block,
        1 - 1 / leaf.branches,
        float(leaf.self_looped),
        float(leaf.looped and not leaf.self_looped),
    ]


class ProcessStructureEmbedder(Estimator):
    """Take six features of each activity's leaf in the discovered process tree as its vector.

    Needs the extra ``process-models``, which installs pm4py (AGPL).

    >>> ProcessStructureEmbedder(fixed=True).name
    'process-structure-fixed'
    """

    family = "process structure"
    needs = (PM4PY,)
    parts = ("discovery", "features")
    passes_over = "variants, for each cut"

    def __init__(self, fixed: bool = False) -> None:
        self.fixed = fixed

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return "process-structure-fixed" if self.fixed else "process-structure"

    def fit(self, log: EventLog, lap: Lap = no_lap) -> Self:
        """Discover the tree and compute the features of each activity."""
        self.check_source(log)
        tree = discover_tree(log)
        lap("discovery")
        self.embedding_ = self.embed_tree(log, tree)
        lap("features")
        return self

    def embed_tree(self, log: EventLog, tree: ProcessTree) -> Embedding:
        """Return the embedding of a log whose tree is known."""
        features = structure_features(tree, self.fixed)
        missing = [label for label in log.activities if label not in features]
        if missing:
            raise ActalikeError(f"The discovered process tree has no leaf for {missing[0]!r}.")
        vectors: NDArray[np.float64] = np.array([features[label] for label in log.activities])
        return Embedding(log.activities, vectors, method=self.name)
