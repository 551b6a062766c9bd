"""Small runs of Evermann's models as published, and the naive model that each is compared with."""

import numpy as np

from actalike.prediction.training.evermann import PublishedTrainer
from actalike.prediction.training.task import Part, Task, Vectors
from tests.helpers.naive_evermann import NaiveEvermann

V = 6


def some_part(cases, seed):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 9, cases)
    return Part(rng.integers(0, V - 1, lengths.sum()), np.concatenate([[0], np.cumsum(lengths)]))


def some_task(training=260, validation=130):
    return Task(V, V - 1, some_part(training, 1), some_part(validation, 2), some_part(40, 3))


def some_vectors():
    rng = np.random.default_rng(4)
    shapes = {"a": 3, "b": 8, "c": 3, "large": 8}
    tables = {name: rng.normal(size=(V, d)).astype(np.float32) for name, d in shapes.items()}
    tables["large"] *= 40  # so that gradients are cut
    return [Vectors.of(name, table) for name, table in tables.items()]


def trainer(methods=("a", "b", "c", "large"), original=True, seeds=(0, 1), epochs=2, task=None):
    vectors = [v for v in some_vectors() if v.method in methods]
    return PublishedTrainer(task or some_task(), vectors, original, seeds, "cpu", epochs)


def naive_of(made, model):
    method, _ = made.models.names[model]
    weights = {name: weight.detach() for name, weight in made.models.of_model(model)}
    tables = {v.method: v.dense() for v in some_vectors()}
    return NaiveEvermann(weights, tables.get(method))
