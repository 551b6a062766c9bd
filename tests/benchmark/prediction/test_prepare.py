"""What is prepared for the training: ids and vectors."""

import json

import numpy as np
import pytest

from actalike import EventLog, __version__, embed
from actalike.benchmark.tasks.prediction_data import END, frozen_vectors, prediction_data, prepare_method, write_task
from actalike.demo.loan_desk import loan_desk
from actalike.errors import ActalikeError
from actalike.methods import make_method
from actalike.prediction.training.task import load_task, load_vectors

PARTS = ("training", "validation", "test")

METHODS = ["aa-sequence-pmi-w3", "ac-multiset-raw-w3", "kin-w5", "substitution-w3", "one-hot"]


@pytest.fixture(scope="module")
def with_new_ones():
    """A log whose last cases have activities that no other has."""
    traces = loan_desk(40).traces()
    return [*traces[:-2], ["new", *traces[-2]], [*traces[-1], "newer"]]


@pytest.mark.parametrize("name", METHODS)
def test_frozen_rows_are_the_methods_own_vectors_and_zero_where_it_knows_nothing(name, with_new_ones):
    data = prediction_data(EventLog.from_traces(with_new_ones))
    found = frozen_vectors(make_method(name), data).toarray()
    assert found.dtype == np.float32
    own = embed(EventLog.from_traces(with_new_ones[: int(0.64 * 40) + int(0.16 * 40)]), name)
    vectors = own.vectors
    expected = dict(zip(own.activities, vectors.astype(np.float32), strict=True))
    unknown = set(data.vocabulary) - set(expected)
    assert {END, "new", "newer"} <= unknown
    assert found.shape == (len(data.vocabulary), vectors.shape[1])
    for label, row in zip(data.vocabulary, found, strict=True):
        assert np.array_equal(row, expected.get(label, np.zeros_like(row))), label


@pytest.mark.parametrize("name", METHODS)
def test_vectors_do_not_see_the_test_cases(name, with_new_ones):
    other = [*with_new_ones[:31], *[["new", "b", "a"]] * 9]
    assert len(other) == len(with_new_ones)
    rows = []
    for traces in (with_new_ones, other):
        data = prediction_data(EventLog.from_traces(traces))
        found = frozen_vectors(make_method(name), data).toarray()
        rows.append({label: row.tolist() for label, row in zip(data.vocabulary, found, strict=True) if row.any()})
    assert rows[0] == rows[1]


def test_vectors_that_training_cannot_hold_are_an_error():
    class Huge:
        name = "huge"

        def fit(self, log):
            self.embedding_ = embed(log, "one-hot")
            self.embedding_.stored_vectors = 1e300 * self.embedding_.stored_vectors
            return self

    class OfAnotherLog:
        name = "of another log"

        def fit(self, log):
            self.embedding_ = embed(EventLog.from_traces([["x", "y"]]), "one-hot")
            return self

    data = prediction_data(loan_desk(20))
    with pytest.raises(ActalikeError, match="too large"):
        frozen_vectors(Huge(), data)
    with pytest.raises(ActalikeError, match="its activities are not those of the log"):
        frozen_vectors(OfAnotherLog(), data)


@pytest.mark.parametrize("timed", [False, True])
def test_what_is_written_for_training_is_what_was_split(timed, tmp_path):
    log = loan_desk(30)
    if not timed:
        log = EventLog.from_traces(log.traces())
    data = prediction_data(log)
    write_task(tmp_path / "some" / "task.npz", data)
    task = load_task(tmp_path / "some" / "task.npz")
    assert (task.vocabulary_size, task.end) == (len(data.vocabulary), data.end)
    for name in PARTS:
        found, expected = getattr(task, name), getattr(data, name)
        assert np.array_equal(found.ids, expected.ids)
        assert np.array_equal(found.offsets, expected.offsets)
        assert (found.seconds is not None) == timed
        assert found.seconds is None or np.array_equal(found.seconds, expected.seconds)


@pytest.mark.parametrize("name", ["kin-w5", "one-hot"])
def test_vectors_that_are_written_for_training_are_the_frozen_ones(name, tmp_path):
    data, method = prediction_data(loan_desk(20)), make_method(name)
    assert prepare_method(name, method, data, tmp_path, "d") is None
    (vectors,) = load_vectors(tmp_path / "vectors", [name])
    expected = frozen_vectors(method, data).toarray()
    assert np.array_equal(vectors.dense(), expected)
    facts = json.loads((tmp_path / "vectors" / f"{name}.json").read_text())
    assert (facts["method"], facts["log_digest"], facts["version"]) == (name, "d", __version__)
    assert facts["dimensions"] == expected.shape[1]
    assert not hasattr(method, "embedding_")  # a copy is fitted


@pytest.mark.parametrize("error", [RuntimeError("no luck"), SystemExit(3)])
def test_a_method_that_raises_has_its_error_instead_of_vectors(error, tmp_path):
    class Unlucky:
        def fit(self, log):
            raise error

    vectors = tmp_path / "vectors"
    vectors.mkdir()
    (vectors / "unlucky.npz").touch()  # from a run that was killed
    message = prepare_method("unlucky", Unlucky(), prediction_data(loan_desk(20)), tmp_path, "d")
    assert message == f"{type(error).__name__}: {error}"
    assert json.loads((vectors / "unlucky.json").read_text())["error"] == message
    assert not (vectors / "unlucky.npz").exists()
