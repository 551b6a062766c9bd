"""New ids are read as the vectors that their weights make, against a model that is given those vectors."""

import itertools

import numpy as np
import pytest
import torch

from actalike.prediction.training.evermann import evaluate
from actalike.prediction.training.run import (
    MATCHED,
    PLACED,
    READ,
    TOLD,
    UNPLACED,
    Change,
    changed_figures,
    load_changes,
    load_placements,
)
from actalike.prediction.training.task import ORIGINAL, Part, TaskError
from tests.helpers.evermann_runs import V, some_vectors, trainer
from tests.helpers.naive_evermann import NaiveEvermann

MEANING = np.array([*range(V), 0, 2, 2])  # three new ids: one is 0, two are 2


@pytest.fixture(scope="module")
def made():
    trained = trainer(epochs=2)
    list(trained.run())
    return trained


def some_change(task, condition="rename-30", draw=0, first=0, readings=None):
    ids = task.test.ids.copy()
    ids[task.test.ids == 0] = V
    places = np.flatnonzero(task.test.ids == 2)
    ids[places] = V + 1 + np.arange(len(places)) % 2
    weights = np.random.default_rng(8).normal(size=(3, V)) if readings is None else readings
    return Change(condition, draw, first, Part(ids, task.test.offsets), MEANING, weights.astype(np.float32))


def naive_accuracy(made, model, part, weights, first=0):
    """Give a naive model the vectors of the new ids, and count where it is right after the events of the cases from ``first`` on."""
    method, _ = made.models.names[model]
    own = {name: weight.detach() for name, weight in made.models.of_model(model)}
    table = {v.method: v.dense() for v in some_vectors()}.get(method)
    table = (own["table"].numpy() if table is None else table).astype(float)
    naive = NaiveEvermann(own, np.array([*table, *([sum(w * v for w, v in zip(row, table, strict=True)) for row in weights])]))
    hits = []
    for start, end in itertools.islice(itertools.pairwise(part.offsets), first, None):
        case = part.ids[start:end]
        zero = torch.zeros(1, 32).double()
        if len(case):
            logits, _, _ = naive.logits(torch.from_numpy(case)[:, None], zero, zero)
            targets = [MEANING[i] for i in case[1:]] + [made.task.end]
            hits += [int(of_event.argmax()) == target for of_event, target in zip(logits[:, 0], targets, strict=True)]
    return sum(hits) / len(hits)


def by_way(figures):
    return {one["way"]: one["accuracy"] for one in figures}


@pytest.mark.parametrize("first", [0, 7])
def test_a_new_id_is_read_as_the_weighted_sum_of_old_vectors_and_without_weights_as_the_zero_vector(made, first):
    change = some_change(made.task, first=first)
    rng = np.random.default_rng(9)
    placements = {method: [rng.normal(size=(3, V)).astype(np.float32)] for method in ("a", "b", "large")}
    figures = changed_figures(made.models, made.task, [change], placements)
    assert len(figures) == len(made.models.names)
    for model, (method, _) in enumerate(made.models.names):
        found = by_way(figures[model])
        old = Part(MEANING[change.test.ids], change.test.offsets)
        expected = {
            TOLD: naive_accuracy(made, model, old, [], first),
            UNPLACED: naive_accuracy(made, model, change.test, np.zeros((3, V)), first),
            READ: naive_accuracy(made, model, change.test, change.readings, first),
        }
        if method in placements:
            expected[PLACED] = naive_accuracy(made, model, change.test, placements[method][0], first)
        assert found == pytest.approx(expected)
    assert len({figures[model][0]["accuracy"] for model in range(len(figures))}) > 1


def test_labels_can_be_read_as_they_were_matched_too(made):
    matched = np.random.default_rng(10).normal(size=(3, V)).astype(np.float32)
    change = some_change(made.task)._replace(matched=matched)
    for model, figures in enumerate(changed_figures(made.models, made.task, [change], {})):
        assert by_way(figures)[MATCHED] == pytest.approx(naive_accuracy(made, model, change.test, matched, 0))


def test_the_weights_of_what_a_label_means_are_as_good_as_being_told(made):
    exact = np.eye(V)[MEANING[V:]]
    figures = changed_figures(made.models, made.task, [some_change(made.task, readings=exact)], {"a": [exact.astype(np.float32)]})
    scores = evaluate(made.models, made.task)
    for model, (method, _) in enumerate(made.models.names):
        found = by_way(figures[model])
        assert found[READ] == found[TOLD] == pytest.approx(scores[model]["accuracy"])
        assert found.get(PLACED) == (found[TOLD] if method == "a" else None)


def test_a_learned_table_has_no_placements(made):
    zeros = {method: [np.zeros((3, V), dtype=np.float32)] for method in ("a", "b", "c", "large")}
    figures = changed_figures(made.models, made.task, [some_change(made.task)], zeros)
    for (method, _), of_model in zip(made.models.names, figures, strict=True):
        assert (PLACED in by_way(of_model)) == (method != ORIGINAL)


def test_each_change_is_judged_by_its_own_cases_and_weights(made):
    """Those with the same condition but for the first cases share the cases, and nothing else."""
    changes = [
        some_change(made.task),
        some_change(made.task, condition="rename-30-first-10", first=10, readings=np.eye(3, V)),
        some_change(made.task, draw=1, readings=np.eye(3, V, 1)),
    ]
    placements = [np.full((3, V), weight, dtype=np.float32) for weight in (0.1, -0.5, 1.0)]
    together = changed_figures(made.models, made.task, changes, {"b": placements})
    for change, table in zip(changes, placements, strict=True):
        alone = changed_figures(made.models, made.task, [change], {"b": [table]})
        for model, of_model in enumerate(alone):
            same = [one for one in together[model] if (one["condition"], one["draw"]) == (change.condition, change.draw)]
            assert same == of_model


def test_without_changes_there_are_no_figures(made, tmp_path):
    assert load_changes(tmp_path / "changes.npz", made.task) == []
    assert changed_figures(made.models, made.task, [], {}) == [[] for _ in made.models.names]
    assert load_placements(tmp_path, []) == {}
    with pytest.raises(TaskError, match="damaged"):
        load_placements(tmp_path, ["a"])
