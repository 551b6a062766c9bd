"""Merging labels in rounds, by average linkage."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog, count_windows, same_step
from actalike.labels.groups import average_linkage, cut_to, likely_clusters
from actalike.labels.relations import by_frequency
from tests.helpers import naive_evidence
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

frequent_logs = logs().map(lambda log: EventLog.from_traces(log.traces() * 5))  # so that activities are not all too rare


@given(st.integers(2, 9), st.integers(0, 2**32), st.sampled_from([0.2, 0.5, 0.8]))
def test_clusters_are_those_of_average_linkage(n, seed, at_least):
    random_values = np.random.default_rng(seed).random((n, n))
    probabilities = (random_values + random_values.T) / 2
    clusters = {frozenset(one) for one in average_linkage(probabilities, np.random.default_rng(seed).permutation(n), at_least)}
    assert clusters == naive_evidence.average_linkage(lambda i, j: probabilities[i, j], range(n), at_least)


@examples(6)
@given(frequent_logs)
def test_rounds_compare_the_merged_log_again(log):
    names = {label: frozenset([label]) for label in log.activities}
    current = log
    for number in range(3):
        same = same_step(current)
        if number:
            same = replace(same, texts=np.zeros_like(same.texts), families=())
        merged = naive_evidence.average_linkage(
            lambda i, j, same=same: round(same.probabilities()[i, j], 12), by_frequency(current).tolist(), 0.5
        )
        rename = {}
        for members in merged:
            labels = [current.activities[i] for i in by_frequency(current).tolist() if i in members]
            rename |= dict.fromkeys(labels, labels[0])
            names[labels[0]] = frozenset().union(*(names.pop(label) for label in labels))
        current = current.relabel(lambda label, rename=rename: rename.get(label, label))
    expected = {members for members in names.values() if len(members) > 1}
    clusters = likely_clusters(same_step(log), count_windows(log, 5), 0.5)
    assert {frozenset(log.activities[i] for i in cluster) for cluster in clusters} == expected


def test_the_last_of_four_uneven_names_is_found_in_a_later_round():
    rng = np.random.default_rng(3)
    steps = ["register", "check", "decide", "send", "close"]
    names = ["check", "verify", "control", "proof"]

    def one_case():
        name = rng.choice(names, p=[0.55, 0.25, 0.12, 0.08])
        case = [str(name) if step == "check" else step for step in steps]
        if rng.random() < 0.4:
            case.insert(3, "ask")
        if rng.random() < 0.3:
            case.insert(1, "call")
        return case

    log = EventLog.from_traces([one_case() for _ in range(400)])
    clusters = likely_clusters(same_step(log), count_windows(log, 5), 0.5)
    assert {log.activities[i] for i in clusters[0]} == set(names)
    assert next(log.activities[i] for i in clusters[0]) == "check"


@examples(6)
@given(frequent_logs, st.data())
def test_a_cut_leaves_so_many_groups(log, data):
    steps = data.draw(st.integers(1, len(log.activities)))
    groups = list(cut_to(same_step(log).probabilities(), by_frequency(log), steps))
    assert len(log.activities) - sum(len(members) - 1 for members in groups) == steps


def test_two_labels_that_are_alike_are_merged_at_once():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    assert likely_clusters(same_step(log), count_windows(log, 5), 0.5) == [[0, 1]]
