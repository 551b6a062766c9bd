import numpy as np
import pandas as pd
import pm4py
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, embed
from actalike.methods.process_structure import ProcessTree, discover_tree, structure_features

L1 = EventLog.from_traces([list("abcde")] * 5 + [list("addbe")])
L2 = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
CHECKS = {
    "L1": (L1, [[0.25, 1, 0.25, 0, 0, 0], [0.5, 1, 0.5, 0.5, 0, 0], [0.5, 0.5, 0.5, 0.5, 0, 0], [0.75, 1, 0.75, 0.5, 1, 0], [1, 1, 1, 0, 0, 0]]),
    "L2": (L2, [[0.2, 1, 0, 0, 0, 0], [0.4, 0.5, 0, 0, 0, 0], [0.6, 0.5, 0, 0, 0, 1], [0.8, 1, 0, 0, 0, 1], [1, 1, 0, 0, 0, 0]]),
}  # fmt: skip


def tree(text):
    """A tree from a term such as ``->(a, X(tau, b))``."""
    names = {"->": "sequence", "X": "xor", "+": "and", "*": "loop"}
    text = text.replace(" ", "")

    def parse(i):
        start = i
        while i < len(text) and text[i] not in "(),":
            i += 1
        head = text[start:i]
        if i == len(text) or text[i] != "(":
            return ProcessTree(None if head == "tau" else head), i
        children = []
        while text[i] != ")":
            child, i = parse(i + 1)
            children.append(child)
        return ProcessTree(None, names[head], children), i + 1

    return parse(0)[0]


# the definitions, by recursion over paths from the root


def paths(node, above=()):
    """Each labelled leaf with the operators above it and which child leads to it."""
    if node.operator is None:
        return [(node.label, above)] if node.label is not None else []
    return [found for i, child in enumerate(node.children) for found in paths(child, (*above, (node, i)))]


def positions(node, fixed):
    if node.operator is None:
        return {node.label: 1} if node.label is not None else {}
    if node.operator == "loop":
        return positions(node.children[0], fixed)
    found, offset = {}, 0
    for child in node.children:
        inside = {label: position + offset for label, position in positions(child, fixed).items()}
        found.update(inside)
        if node.operator == "sequence" and (inside or not fixed):
            offset = max(inside.values(), default=0)
    return found


def ands(node):
    """All AND nodes, each with its path: pairs of node and child number."""

    def walk(node, above):
        here = [(node, above)] if node.operator == "and" else []
        return here + [found for i, child in enumerate(node.children) for found in walk(child, (*above, (node, i)))]

    return walk(node, ())


def branches(root, above):
    """Concurrent branches: the top AND's children; each further AND adds its children - 1 below it and beside it."""
    tops = [node for node, _ in above if node.operator == "and"]
    if not tops:
        return 1
    k = len(tops[0].children)
    for node, path in ands(root):
        if node is tops[0] or tops[0] not in [parent for parent, _ in path]:
            continue
        is_above = node in tops
        beside = any(parent.operator == "and" and any(p is parent and j != i for p, j in above) for parent, i in path)
        if is_above or beside:
            k += len(node.children) - 1
    return k


def naive_features(root, fixed):
    where = positions(root, fixed)
    longest = max(where.values(), default=0)
    result = {}
    for label, above in paths(root):
        loops = [node for node, _ in above if node.operator == "loop"]
        self_loop = any(all(child.operator is None for child in node.children) for node in loops)
        first = where.get(label, 0) / longest if longest else 0.0
        blocks = [node for node, _ in above if node.operator == "and"]
        if not fixed:
            third = first if ands(root) else 0.0
        elif not blocks or label not in where:
            third = 0.0
        else:
            inside = positions(blocks[-1], fixed)
            third = inside[label] / max(inside.values())
        choices = sum(len(node.children) - 1 for node, _ in above if node.operator == "xor")
        result[label] = [first, round(1 / (1 + choices), 4), third, 1 - 1 / branches(root, above), float(self_loop), float(bool(loops) and not self_loop)]  # fmt: skip
    return result


@st.composite
def trees(draw):
    labels = iter(range(1000))

    def make(depth):
        if depth == 0 or draw(st.integers(0, 3)) == 0:
            return ProcessTree(str(next(labels)) if draw(st.integers(0, 4)) else None)
        operator = draw(st.sampled_from(["sequence", "xor", "and", "loop"]))
        n = 2 if operator == "loop" else draw(st.integers(2, 4))
        return ProcessTree(None, operator, [make(depth - 1) for _ in range(n)])

    return make(draw(st.integers(1, 4)))


@pytest.mark.parametrize("name", CHECKS)
def test_the_check_values_of_the_specification(name):
    log, expected = CHECKS[name]
    assert embed(log, "process-structure").vectors.tolist() == expected


def test_discovered_trees_are_those_of_the_specification():
    assert discover_tree(L1) == tree("->(a, +(b, ->(X(tau,c), *(d,tau))), e)")
    assert discover_tree(L2) == tree("->(a, X(tau,b), *(->(X(tau,c),d),tau), e)")


@pytest.mark.parametrize("fixed", [False, True])
@given(root=trees())
def test_the_walk_finds_what_the_definitions_say(fixed, root):
    found = structure_features(root, fixed)
    expected = naive_features(root, fixed)
    assert found.keys() == expected.keys()
    for label in expected:
        assert found[label] == pytest.approx(expected[label], abs=1e-12), label


def test_what_was_published_and_what_was_meant():
    root = tree("->(a, *(tau, b), c, +(d, ->(e, f)))")
    published, fixed = structure_features(root), structure_features(root, fixed=True)
    assert [published[label][0] for label in "abcdef"] == pytest.approx([1 / 3, 0, 1 / 3, 2 / 3, 2 / 3, 1])  # counts anew after b
    assert [fixed[label][0] for label in "abcdef"] == pytest.approx([1 / 4, 0, 2 / 4, 3 / 4, 3 / 4, 1])
    assert [published[label][2] for label in "acdef"] == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3, 1])  # as feature 1
    assert [fixed[label][2] for label in "acdef"] == [0, 0, 0.5, 0.5, 1]  # inside the block


def test_labels_that_look_like_silent_steps_are_kept():
    log = EventLog.from_traces([["tau", "Invoice", "skip_1", ""], ["tau", "", "Invoice", "skip_1"]])
    embedding = embed(log, "process-structure")
    assert embedding.activities == log.activities
    assert (embedding.vectors[:, 1] > 0).all()


def test_the_number_of_equal_cases_does_not_matter(real_log):
    log = real_log("Helpdesk")
    once = EventLog.from_traces([list(variant) for variant in dict.fromkeys(map(tuple, log.traces()))])
    assert np.array_equal(embed(log, "process-structure").vectors, embed(once, "process-structure").vectors)


@pytest.mark.parametrize("name", ["Helpdesk", "CCC19", "Env_Permit", "BPIC20_PrepaidTravelCost"])
def test_the_tree_is_that_of_pm4py_on_the_labels_themselves(real_log, name):
    log = real_log(name)
    found = pm4py.discover_process_tree_inductive(
        pd.DataFrame(
            {
                "case:concept:name": np.repeat(np.arange(log.n_cases), log.lengths).astype(str),
                "concept:name": [label for trace in log.traces() for label in trace],
                "time:timestamp": pd.to_datetime(np.arange(log.n_events), unit="s", utc=True),
            }
        ),
        noise_threshold=0.0,
    )

    signs = {"sequence": "->", "xor": "X", "and": "+", "loop": "*"}

    def term(node):
        """The tree as a text; the order of alternatives and of parallel branches means nothing."""
        if node.operator is None:
            return repr(node.label)
        sign = signs.get(node.operator) or node.operator.value
        children = [term(child) for child in node.children]
        return f"{sign}({', '.join(sorted(children) if sign in 'X+' else children)})"

    assert term(discover_tree(log)) == term(found)


def test_a_deep_tree_is_walked():
    root = ProcessTree("a")
    for i in range(5000):
        root = ProcessTree(None, "sequence", [root, ProcessTree(str(i))])
    assert structure_features(root)["a"][0] == pytest.approx(1 / 5001)
