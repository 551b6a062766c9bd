"""Train what a prepared folder still lacks, where there is no more than numpy and torch."""

import argparse
import sys
import time
from pathlib import Path

import torch

from .names import MODELS, methods_of
from .run import missing, prepared, train_log


def main() -> None:
    """Train; goes on where it stopped."""
    parser = argparse.ArgumentParser(prog="python -m training")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", nargs="+", default=["evermann-published"], choices=list(MODELS))
    parser.add_argument("--logs", nargs="+")
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    asked = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = True
    for folder in sorted(path.parent for path in asked.folder.glob("*/task.npz")):
        if asked.logs and folder.name not in asked.logs:
            continue
        for model in asked.models:
            methods = missing(folder, model, methods_of(model, asked.methods or prepared(folder)), asked.seeds)
            if not methods:
                continue
            started = time.monotonic()

            def progress(what: str, done: int, epochs: int) -> None:
                if done in (1, epochs) or done % 25 == 0:
                    print(f"{what} {model}: epoch {done} of {epochs}, {time.monotonic() - started:.1f} s", flush=True)  # noqa: B023

            train_log(folder, model, methods, asked.seeds, asked.device, progress, asked.epochs)
            print(
                f"{folder.name} {model}: {len(methods)} methods in {time.monotonic() - started:.1f} s",
                file=sys.stderr,
                flush=True,
            )


if __name__ == "__main__":
    main()
