"""The models by name."""

from actalike.prediction.training import run, task


def test_every_name_is_of_a_model():
    assert set(task.MODELS) == set(run.TRAINERS)
