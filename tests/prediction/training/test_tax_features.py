"""What goes into Tax's models."""

from datetime import UTC, datetime

import numpy as np
import pytest
import torch

from actalike.prediction.training.task import Part, Task, TaskError
from actalike.prediction.training.tax import TaxPublishedTrainer, TaxSoundTrainer, gaps, numbers, units_of
from tests.helpers.tax_runs import (
    BOTH,
    END,
    V,
    cases_of,
    some_task,
)


def seconds(*when):
    return [datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() for text in when]


def example():
    """Thursday noon, 2 hours later, Friday noon; and a Monday at 6."""
    times = seconds("2020-01-02T12:00", "2020-01-02T14:00", "2020-01-03T12:00", "2020-01-06T06:00")
    return Part(np.array([0, 1, 3, 1]), np.array([0, 3, 3, 4]), np.array(times))


def test_the_numbers_of_an_event_are_place_gap_age_time_of_day_and_weekday():
    part, hour = example(), 3600
    units = units_of([part])
    assert units == (24 * hour / 4, 26 * hour / 4)  # gaps 0, 2, 22, 0 hours; ages 0, 2, 24, 0
    expected = [[1, 0, 0, 12 / 24, 3 / 7], [2, 2 / 6, 2 / 6.5, 14 / 24, 3 / 7], [3, 22 / 6, 24 / 6.5, 12 / 24, 4 / 7]]
    assert np.allclose(numbers(part, units), [*expected, [1, 0, 0, 6 / 24, 0]])


def test_the_time_to_learn_is_that_before_the_event_as_published_and_that_after_it_if_sound():
    task = Task(V, END, example(), example(), example())
    published, sound = (made(task, [0], "cpu").events["training"] for made in (TaxPublishedTrainer, TaxSoundTrainer))
    assert np.allclose(published.times, [0, 2 / 6, 22 / 6, 0])
    assert published.timed.tolist() == [1, 1, 1, 1]
    assert np.allclose(sound.times, [2 / 6, 22 / 6, 0, 0])
    assert sound.timed.tolist() == [1, 1, 0, 0]
    assert published.targets.tolist() == sound.targets.tolist() == [1, 3, END, END]


def test_units_are_means_over_the_whole_log_as_published_and_over_training_if_sound():
    task = some_task()
    everything = np.concatenate([gaps(part) for part in (task.training, task.validation, task.test)])
    assert TaxPublishedTrainer(task, [0], "cpu").units.gap == pytest.approx(everything.mean())
    assert TaxSoundTrainer(task, [0], "cpu").units.gap == pytest.approx(gaps(task.training).mean())


def test_where_no_time_passes_the_unit_is_a_second():
    part = Part(np.array([0, 1]), np.array([0, 2]), np.array([5.0, 5.0]))
    assert units_of([part]) == (1, 1)
    assert np.isfinite(numbers(part, units_of([part]))).all()


def test_features_are_those_of_the_definition(double):
    made = TaxPublishedTrainer(some_task(), [0], "cpu")
    for name, events in made.events.items():
        expected = torch.cat([case for case in cases_of(getattr(made.task, name), made.units) if len(case)])
        assert torch.equal(torch.nn.functional.one_hot(events.rows, V - 1), expected[:, :-5].long())
        assert torch.allclose(events.values, torch.cat([torch.ones(len(expected), 1), expected[:, -5:]], dim=1))


@BOTH
def test_a_log_without_times_is_refused(made_by):
    part = Part(np.array([0, 1]), np.array([0, 2]))
    with pytest.raises(TaskError, match="no times"):
        made_by(Task(V, END, part, part, part), [0], "cpu")
