"""The models by name."""

from actalike.prediction.training import names, run


def test_every_name_is_of_a_model():
    assert set(names.MODELS) == set(run.MODELS)
