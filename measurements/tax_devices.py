"""Does ``tax`` learn the same on a CPU and on a GPU? Accuracies of the test cases by log and way of computing, over seeds.

    actalike benchmark prediction --logs LOGS --models tax --out DIR --prepare-only
    python measurements/tax_devices.py DIR [--logs LOG ...] [--seeds 5] [--first-seed 0] [--ways WAY ...]

Needs numpy and torch. A seed's dropout is not the same on both devices (their generators differ), so seeds are compared by their
mean and spread. Ways on a CPU: plain; other-dropout (the same first weights and orders of cases); rounded and cut (the numbers
that go into products have 10 bits, as in a GPU's fast products, rounded or cut off). On a GPU: recorded; plain (no graph);
rounded (recorded, fast products); other-dropout; cpu-dropout (no graph, and the masks that a CPU draws: the accuracies should be a
CPU's).

``swing`` is the mean change of a seed's accuracy from an epoch to the next, from the fifth on.
"""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src" / "actalike" / "prediction"))

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from training.models import generator
from training.names import TAX
from training.task import load_task
from training.tax_models import BRANCHES, KEPT, SIZE, Masks
from training.tax_sound import TaxSoundTrainer

FACTORS = {torch.ops.aten.bmm: (0, 1), torch.ops.aten.mm: (0, 1), torch.ops.aten.baddbmm: (1, 2), torch.ops.aten.addmm: (1, 2)}
DROPPED_BITS = 13  # of 23
WAYS = {
    "cpu": ("plain", "other-dropout", "rounded", "cut"),
    "cuda": ("recorded", "plain", "rounded", "other-dropout", "cpu-dropout"),
}


class FewerBits(TorchDispatchMode):
    """Compute products, those of gradients too, from numbers with 10 bits."""

    def __init__(self, rounds):
        super().__init__()
        self.half = rounds << (DROPPED_BITS - 1)

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        args = list(args)
        for i in FACTORS.get(operation.overloadpacket, ()):
            bits = args[i].contiguous().view(torch.int32) + self.half
            args[i] = (bits >> DROPPED_BITS << DROPPED_BITS).view(torch.float32)
        return operation(*args, **(kwargs or {}))


def masks_of_a_cpu(trainer):
    """Return a function that draws masks as a training on a CPU does."""
    generators = [generator("cpu", "dropout", TAX, seed) for seed in trainer.models.seeds]

    def masks(places):
        shapes = (places, trainer.events["training"].values.shape[1]), (BRANCHES, places, SIZE)
        drawn = [
            [torch.empty(shape, dtype=torch.uint8).bernoulli_(KEPT, generator=one) for shape in shapes] for one in generators
        ]
        return Masks(*(torch.stack(of_seeds).to(trainer.device) for of_seeds in zip(*drawn, strict=True)))

    return masks


def train(task, way, seeds, device):
    """Train in one way; return the outcomes and the accuracies after each epoch (epochs, seeds)."""
    torch.backends.cuda.matmul.allow_tf32 = device == "cuda" and way == "rounded"
    trainer = TaxSoundTrainer(task, seeds, device)
    if way in ("plain", "cpu-dropout"):
        trainer.capture = None
    if way == "cpu-dropout":
        trainer.masks = masks_of_a_cpu(trainer)
    if way == "other-dropout":
        for number, randomness in enumerate(trainer.generators.values()):
            randomness.manual_seed(10**6 + number)
    targets, by_epoch = task.targets(), []
    with FewerBits(way == "rounded") if device == "cpu" and way in ("rounded", "cut") else nullcontext():
        for _ in trainer.run():
            by_epoch.append((trainer.evaluate()[0] == targets).mean(axis=1))
        return trainer.outcomes(), np.array(by_epoch)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--logs", nargs="+")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--ways", nargs="+", choices=WAYS[device], default=WAYS[device])
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"| log | way ({device}) | accuracy | spread | least | most | swing | epochs of weights |\n|{'---|' * 8}", flush=True)
    for log in options.logs or sorted(path.parent.name for path in options.folder.glob("*/task.npz")):
        task = load_task(options.folder / log / "task.npz")
        for way in options.ways:
            outcomes, by_epoch = train(task, way, range(options.first_seed, options.first_seed + options.seeds), device)
            found = np.array([outcome["accuracy"] for outcome in outcomes])
            swing = np.abs(np.diff(by_epoch[4:], axis=0)).mean()
            figures = [found.mean(), found.std(ddof=1), found.min(), found.max(), swing]
            epochs = ", ".join(str(outcome["epoch"]) for outcome in outcomes)
            print(f"| {log} | {way} | {' | '.join(f'{figure:.3f}' for figure in figures)} | {epochs} |", flush=True)


if __name__ == "__main__":
    main()
