"""Predicting the test cases."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from actalike.prediction.training.evermann import evaluate, predict
from actalike.prediction.training.task import Part
from tests.helpers.evermann_runs import V, naive_of, trainer


def test_predictions_are_those_of_each_prefix_from_a_fresh_state():
    made = trainer(epochs=1)
    list(made.run())
    task = made.task
    targets = task.targets()
    predicted, brier = predict(made.models, task.test, targets)
    for model in (0, len(made.models.names) - 1):
        naive = naive_of(made, model)
        total, place = 0.0, 0
        for start, end in zip(task.test.offsets, task.test.offsets[1:], strict=False):
            case = task.test.ids[start:end]
            for length in range(1, len(case) + 1):
                zero = torch.zeros(1, 32).double()
                logits, _, _ = naive.logits(torch.from_numpy(case[:length])[:, None], zero, zero)
                shares = torch.softmax(logits[-1, 0], dim=0)
                target = case[length] if length < len(case) else task.end
                assert targets[place] == target
                assert predicted[model, place] == int(shares.argmax())
                total += (((shares - torch.nn.functional.one_hot(torch.tensor(target), V)) ** 2).sum()).item()
                place += 1
        assert brier[model] == pytest.approx(total / place, rel=1e-4)


def test_told_is_the_accuracy_on_the_same_cases_with_their_old_ids():
    made = trainer(epochs=1)
    list(made.run())
    meaning = np.array([0, 1, 2, 2, 0, V - 1])  # 3 and 4 are new names of 2 and 0
    task = replace(made.task, meaning=meaning)
    old = replace(made.task, test=Part(meaning[task.test.ids], task.test.offsets))
    told = [figures["told"] for figures in evaluate(made.models, task)]
    assert told == [figures["accuracy"] for figures in evaluate(made.models, old)]
    assert told != [figures["accuracy"] for figures in evaluate(made.models, task)]
    assert not any("told" in figures for figures in evaluate(made.models, made.task))
