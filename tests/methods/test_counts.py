"""The count methods of the paper, all settings."""

import numpy as np
import pytest
from hypothesis import given

from actalike import CountEmbedder, EventLog, embed, method_names
from tests import oracle
from tests.helpers.examples import examples
from tests.helpers.strategies import logs, traces


def assert_equals_oracle(log, method):
    embedder = CountEmbedder().set_params(**_params(method)).fit(log)
    found = embedder.embedding_
    rows = oracle.vectors(log.traces(), embedder.matrix, embedder.context, embedder.weighting, embedder.window)
    assert found.activities == sorted(rows)
    np.testing.assert_allclose(found.distances(), _robust_distances(rows), atol=1e-12, rtol=0)
    for i, label in enumerate(found.activities):
        ours = found.vectors[[i]].data
        theirs = [w for w in rows[label].values() if abs(w) > 1e-12]
        np.testing.assert_allclose(np.sort(ours), np.sort(theirs), atol=1e-12, rtol=1e-12)


def _robust_distances(rows):
    """The oracle's, where logarithms of 1 that came out as 1e-16 count as the zeros that they are."""
    return oracle.distances({a: {c: w for c, w in row.items() if abs(w) > 1e-12} for a, row in rows.items()})


def _params(method):
    matrix, context, weighting, window = method.split("-")
    return {
        "matrix": {"ac": "activity-context", "aa": "activity-activity"}[matrix],
        "context": context, "weighting": weighting, "window": int(window[1:]),
    }  # fmt: skip


COUNT_METHODS = [
    f"{m}-{c}-{w}-w{n}" for m in ("ac", "aa") for c in ("sequence", "multiset") for w in ("raw", "pmi", "ppmi") for n in (3, 5, 9)
]


def test_the_36_settings_are_registered():
    assert len(COUNT_METHODS) == 36
    assert set(COUNT_METHODS) <= set(method_names())


@pytest.mark.parametrize("method", COUNT_METHODS)
@pytest.mark.parametrize("name", ["BPIC13_open_problems", "Helpdesk", "BPIC20_PrepaidTravelCost"])
def test_every_setting_equals_the_oracle_on_real_logs(real_log, name, method):
    assert_equals_oracle(real_log(name), method)


@pytest.mark.parametrize("method", [*COUNT_METHODS, "ac-sequence-pmi-w4", "aa-multiset-pmi-w2", "ac-multiset-ppmi-w1"])
@examples(8)
@given(log=logs())
def test_every_setting_equals_the_oracle_on_generated_logs(method, log):
    assert_equals_oracle(log, method)


@given(traces())
def test_new_names_change_nothing_but_the_names(given_traces):
    log = EventLog.from_traces(given_traces)
    name = {label: f"{i:03}" for i, label in enumerate(log.activities)}  # the same order, so the same rows
    renamed = EventLog.from_traces([[name[label] for label in trace] for trace in given_traces])
    for method in ("ac-sequence-pmi-w5", "aa-multiset-raw-w3"):
        assert (embed(log, method).distances() == embed(renamed, method).distances()).all()
