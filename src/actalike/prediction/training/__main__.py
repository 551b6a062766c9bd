"""Train the models that a prepared folder still lacks, on a machine with nothing but numpy and torch."""

import argparse
import json
import sys
import time
from pathlib import Path

import torch

from .run import missing, prepared, train_log
from .task import MODELS, methods_of


def main() -> None:
    """Train all missing models; after an interruption, continue where training stopped."""
    parser = argparse.ArgumentParser(prog="python -m training", description="Train what a prepared folder still lacks.")
    parser.add_argument("folder", type=Path, help="made by: actalike benchmark prediction --prepare-only --out FOLDER")
    parser.add_argument("--models", nargs="+", choices=list(MODELS), help="default: those that it was prepared for")
    parser.add_argument("--logs", nargs="+", help="default: all")
    parser.add_argument("--methods", nargs="+", help="default: all")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    if not (options.folder / "benchmark.json").exists():
        parser.error(f"{options.folder} is not a prepared folder: it has no benchmark.json.")
    plan = json.loads((options.folder / "benchmark.json").read_text(encoding="utf-8"))
    requested = _requested(options.folder)
    known = {method for by_model in requested.values() for methods in by_model.values() for method in methods}
    for what, names, there in (("log", options.logs, set(requested)), ("method", options.methods, known)):
        for name in set(names or []) - there:
            parser.error(f"{options.folder} was not prepared for a {what} called {name!r}.")
    for log, by_model in sorted(requested.items()):
        if options.logs and log not in options.logs:
            continue
        of_any = list(dict.fromkeys(method for methods in by_model.values() for method in methods))
        folder = options.folder / log
        for model in options.models or by_model:
            wanted = options.methods or by_model.get(model, of_any)
            ready = [method for method in prepared(folder) if method in wanted]
            methods = missing(folder, model, methods_of(model, ready), plan["seeds"])
            if not methods:
                continue
            started = time.monotonic()

            def progress(what: str, done: int, epochs: int) -> None:
                if done in (1, epochs) or done % 25 == 0:
                    print(f"{what} {model}: epoch {done} of {epochs}, {time.monotonic() - started:.1f} s", flush=True)  # noqa: B023

            train_log(folder, model, methods, plan["seeds"], options.device, progress, plan.get("epochs"))
            seconds = time.monotonic() - started
            print(f"{log} {model}: {len(methods)} methods in {seconds:.1f} s", file=sys.stderr, flush=True)


def _requested(folder: Path) -> dict[str, dict[str, list[str]]]:
    """Return what the folder was prepared for: the methods by log and model."""
    requested: dict[str, dict[str, list[str]]] = {}
    for path in sorted((folder / "_requests").glob("*.json")):
        request = json.loads(path.read_text(encoding="utf-8"))
        for log in request["logs"]:
            for model in request["models"]:
                requested.setdefault(log, {}).setdefault(model, []).extend(request["methods"])
    return requested


if __name__ == "__main__":
    main()
