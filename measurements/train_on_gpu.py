"""Train prepared folders on a GPU, several processes at a time, the longest trainings first.

    actalike benchmark prediction --logs LOGS ... --out DIR --prepare-only       here
    python measurements/train_on_gpu.py DIR [DIR ...] [--processes 12]           on a machine with numpy, torch and a GPU

A step of one training is hundreds of small operations and leaves most of a GPU idle, so that trainings of other logs and models
run beside it. If NVIDIA's multi-process service can be started, operations of several processes run at the same time; it is
stopped in the end. Interrupted, it goes on where it stopped. Prints the seconds of each training, and of all.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

TRAINING = Path(__file__).parents[1] / "src" / "actalike" / "prediction"
LARGE = "evermann-published"  # reads vectors of up to 26,000 dimensions: one training of many activities at a time
MANY_IDS = 50


@contextmanager
def shared_gpu():
    """Start the multi-process service, if there is one, and yield the environment of its clients."""
    environment = {**os.environ, "PYTHONPATH": str(TRAINING), "OMP_NUM_THREADS": "1"}
    control = (
        shutil.which("nvidia-cuda-mps-control", path=f"{os.environ['PATH']}:/usr/local/nvidia/bin") or "nvidia-cuda-mps-control"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment |= {f"CUDA_MPS_{name}_DIRECTORY": folder for name in ("PIPE", "LOG")}
        try:
            subprocess.run([control, "-d"], env=environment, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"No multi-process service ({error}): processes take turns.", flush=True)
            yield {name: value for name, value in environment.items() if not name.startswith("CUDA_MPS")}
            return
        try:
            yield environment
        finally:
            subprocess.run([control], input=b"quit\n", env=environment, check=False, capture_output=True)


def trainings(folder):
    """Yield what a prepared folder asks for: model, log, how long it may take, and whether it needs much memory."""
    for request in sorted((folder / "_requests").glob("*.json")):
        described = json.loads(request.read_text(encoding="utf-8"))
        for log in described["logs"]:
            size = sum(path.stat().st_size for path in (folder / log).rglob("task.npz"))
            n_methods = len(list((folder / log).glob("**/vectors/*.npz")))
            for model in described["models"]:
                yield model, log, size * n_methods, model == LARGE and _vocabulary(folder / log) > MANY_IDS


def _vocabulary(folder):
    with np.load(next(folder.rglob("task.npz"))) as task:
        return int(task["vocabulary_size"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--processes", type=int, default=12)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    wanted = {(folder, *training) for folder in options.folders for training in trainings(folder)}
    ordered = sorted(wanted, key=lambda one: (-one[3], str(one)))
    queues = {large: [one for one in ordered if one[4] == large] for large in (True, False)}
    began, lock, failed = time.monotonic(), threading.Lock(), []

    def work(queue, environment):
        while True:
            with lock:
                if not queue:
                    return
                folder, model, log, *_ = queue.pop(0)
            started = time.monotonic()
            command = [
                sys.executable,
                "-m",
                "training",
                str(folder),
                "--models",
                model,
                "--logs",
                log,
                "--device",
                options.device,
            ]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            print(f"{time.monotonic() - began:6.0f} s  {folder} {model} {log}: {time.monotonic() - started:.0f} s", flush=True)
            if done.returncode:
                failed.append((folder, model, log))
                print(done.stderr[-2000:], flush=True)

    with shared_gpu() as environment:
        threads = [
            threading.Thread(target=work, args=(queues[large], environment)) for large in [True, *[False] * options.processes]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"{len(ordered) - len(failed)} trainings in {(time.monotonic() - began) / 60:.1f} minutes; failed: {failed or 'none'}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
