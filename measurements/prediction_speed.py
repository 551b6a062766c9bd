"""How much faster all methods train together than one by one, in one run. Needs numpy and torch, and a prepared folder.

    actalike benchmark prediction --logs LOGS --methods ... --out DIR --prepare-only
    python measurements/prediction_speed.py DIR [LOG ...]

For each log and model: seconds of an epoch of all methods and seeds as one, the sum of the seconds that an epoch of each of
them takes alone (recorded as a graph all the same, on a GPU; of the seeds of a method, one is measured), and the ratio.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src" / "actalike" / "prediction"))

import torch
from training.published import PublishedTrainer
from training.run import prepared
from training.sound import SoundTrainer
from training.task import load_task, load_vectors

SEEDS = 5
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def epoch_seconds(trainer):
    """The faster of two epochs, after a first one that records."""
    seconds = []
    running = trainer.run()
    for _ in range(3):
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        started = time.perf_counter()
        next(running)
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - started)
    return min(seconds[1:])


def main(folder, logs):
    torch.backends.cuda.matmul.allow_tf32 = True
    print(
        f"| log | model | models at once | s/epoch together | s/epoch one by one | ratio ({DEVICE}) |\n|{'---|' * 6}", flush=True
    )
    for log in logs or sorted(path.parent.name for path in folder.glob("*/task.npz")):
        task = load_task(folder / log / "task.npz")
        vectors = load_vectors(folder / log / "vectors", prepared(folder / log))
        for name, make in (("evermann-published", PublishedTrainer), ("evermann", SoundTrainer)):
            together = epoch_seconds(make(task, vectors, True, range(SEEDS), DEVICE, epochs=4))
            alone = sum(epoch_seconds(make(task, [one], False, [0], DEVICE, epochs=4)) for one in vectors)
            alone = SEEDS * (alone + epoch_seconds(make(task, [], True, [0], DEVICE, epochs=4)))
            n = SEEDS * (len(vectors) + 1)
            print(f"| {log} | {name} | {n} | {together:.3f} | {alone:.2f} | {alone / together:.0f} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
