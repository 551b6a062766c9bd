"""How fast Evermann's models train soundly on one core of a CPU: a few at a time, against all at once as on a GPU, in one run.

    python measurements/training_cpu.py LOG.xes.gz ... [--whole]

For each log, with random vectors of 8 methods and 5 seeds each: microseconds of processor time for each event, model and epoch, of
both ways in turn. With --whole, the seconds of the whole training too, and by how much the results differ. All at once, models
whose training has ended are trained on until the last one ends.
"""

import sys
import time

import numpy as np
import torch

import actalike
from actalike.benchmark.prediction.data import prediction_data
from actalike.prediction.training.sound import SoundTrainer
from actalike.prediction.training.task import Part, Task, Vectors

METHODS, SEEDS, EPOCHS = 8, 5, 3


def task_of(path):
    """The task of a log in memory, without files."""
    data = prediction_data(actalike.read_log(path))
    parts = [Part(part.ids.astype(np.int64), part.offsets) for part in (data.training, data.validation, data.test)]
    return Task(len(data.vocabulary), data.end, *parts)


def trainer(task, few_at_a_time):
    """All models of a log, which are trained in one of the two ways."""
    rng = np.random.default_rng(0)
    size = task.vocabulary_size
    vectors = [Vectors.of(f"random-{i}", rng.normal(size=(size, size)).astype(np.float32)) for i in range(METHODS)]
    made = SoundTrainer(task, vectors, False, range(SEEDS), "cpu")
    if not few_at_a_time:
        made._on_cpu = None
    return made


def epoch_seconds(task):
    """The least processor time of an epoch, all at once and a few at a time; their epochs take turns."""
    running = [trainer(task, few_at_a_time).run() for few_at_a_time in (False, True)]
    seconds = [[], []]
    for _ in range(EPOCHS):
        for way, epochs in enumerate(running):
            started = time.process_time()
            next(epochs)
            seconds[way].append(time.process_time() - started)
    return [min(of_way) for of_way in seconds]


def whole_training(task, few_at_a_time):
    """The trained models, and the processor time that they took."""
    made = trainer(task, few_at_a_time)
    started = time.process_time()
    for _ in made.run():
        pass
    return made, time.process_time() - started


def main(paths, whole):
    torch.set_num_threads(1)
    for path in paths:
        task = task_of(path)
        count = len(task.training.ids) * METHODS * SEEDS
        at_once, few = (seconds / count * 1e6 for seconds in epoch_seconds(task))
        said = f"{path}: V={task.vocabulary_size}, {len(task.training.ids):,} training events; "
        print(f"{said}{at_once:.2f} us all at once, {few:.2f} us a few at a time: {at_once / few:.1f} times", flush=True)
        if whole:
            (old, old_seconds), (new, new_seconds) = (whole_training(task, few_at_a_time) for few_at_a_time in (False, True))
            difference = (old.tensors["best_loss"] - new.tensors["best_loss"]).abs().max()
            same = (old.tensors["best_epoch"] == new.tensors["best_epoch"]).float().mean()
            print(
                f"  whole training: {old_seconds:.1f} s, {new_seconds:.1f} s: {old_seconds / new_seconds:.1f} times; validation "
                f"losses differ by at most {difference:.1e}, {same:.0%} of the models have the same best epoch",
                flush=True,
            )


if __name__ == "__main__":
    main([word for word in sys.argv[1:] if word != "--whole"], "--whole" in sys.argv)
