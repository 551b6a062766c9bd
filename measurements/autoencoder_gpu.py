"""The autoencoders in the intrinsic benchmark, trained on a machine with a GPU that has numpy and torch, but not actalike.

python measurements/autoencoder_gpu.py prepare DIR LOG [LOG ...]     here: ground-truth logs (authors' mode, seed 0, one sample) as arrays
python measurements/autoencoder_gpu.py train DIR OUT [PROCESSES]     there: a file of vectors for each; goes on where it stopped
python measurements/autoencoder_gpu.py collect OUT RESULTS LOG ...   here: a folder of results, as `actalike benchmark` makes them
python measurements/autoencoder_gpu.py speed DIR                     there: samples a second, and against the naive one-hot form
"""

import importlib.util
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))
METHODS = {"autoencoder-w3": None, "autoencoder-masked-w3": 1}  # the position that is hidden
RS, WS = range(1, 11), range(2, 6)


def training():
    """The training code, without the package around it."""
    if "training" not in sys.modules:
        path = ROOT / "src" / "actalike" / "methods" / "autoencoder_training.py"
        spec = importlib.util.spec_from_file_location("training", path)
        sys.modules["training"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["training"])
    return sys.modules["training"]


def prepare(folder, names):
    from actalike import datasets
    from actalike.benchmark.intrinsic.ground_truth import make_log, make_recipes
    from actalike.methods.autoencoder import samples_of

    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        log = datasets.load(name, LOGS)
        for r in RS:
            if r > len(log.activities):
                continue
            for w in WS:
                (recipe,) = make_recipes(log, r, w, 1, 0, "authors")
                truth = make_log(log, recipe).log
                samples = samples_of(truth, 3)
                np.savez_compressed(
                    folder / f"{name}-{r:02}-{w}.npz",
                    windows=samples.windows.astype(np.int16),
                    training=samples.training.astype(np.int32),
                    validation=samples.validation.astype(np.int32),
                    activities=samples.activities,
                    digest=truth.digest,
                )


def load(path):
    with np.load(path) as file:
        arrays = {name: file[name].astype(np.int64) for name in ("windows", "training", "validation")}
        return training().Samples(**arrays, activities=int(file["activities"])), str(file["digest"])


def train_one(path, out):
    import torch

    torch.set_num_threads(1)
    samples, digest = load(path)
    for method, hidden in METHODS.items():
        target = out / f"{digest}-{method}.npy"
        if target.exists():
            continue
        trained = training().train(samples, hidden, "cuda" if torch.cuda.is_available() else "cpu")
        part = target.with_suffix(".part.npy")
        np.save(part, (trained.inputs if hidden is None else trained.outputs)[1].astype(np.float32))
        part.rename(target)
    return path.name


def train(folder, out, processes):
    out.mkdir(parents=True, exist_ok=True)
    paths = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_size)
    start = time.monotonic()
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for n, name in enumerate(pool.map(train_one, paths, [out] * len(paths)), start=1):
            print(f"{time.monotonic() - start:.0f} s: {n} of {len(paths)}, {name}", flush=True)


def collect(out, results, names):
    from actalike import Embedding, benchmark, datasets, register

    class Trained:
        def __init__(self, name):
            self.name = name

        def get_params(self):
            return {"trained_by": "measurements/autoencoder_gpu.py"}

        def fit(self, log):
            path = out / f"{log.digest}-{self.name}.npy"
            if not path.exists():
                raise FileNotFoundError("not trained")
            self.embedding_ = Embedding(log.activities, np.load(path).astype(np.float64), method=self.name)
            return self

    for name in METHODS:
        register(name, partial(Trained, name))
    files = datasets.find(LOGS)
    benchmark.run(
        "intrinsic", logs=[files[name] for name in names], out=results, methods=list(METHODS), r=RS, w=WS, mode="authors",
        samples=1, retry_failed=True,
    )  # fmt: skip


def speed(folder, steps=300):
    import torch

    sys.path.insert(0, str(ROOT))
    from tests.helpers import naive_autoencoder as naive

    device = "cuda" if torch.cuda.is_available() else "cpu"
    t = training()
    for path in sorted(folder.glob("*-05-3.npz")):
        samples, _ = load(path)
        events = np.resize(samples.training, 32 * steps)
        model = t.Model(samples, device=device)
        run_epoch = t.epoch_runner(model)
        run_epoch(events)
        start = time.perf_counter()
        run_epoch(events)
        if device == "cuda":
            torch.cuda.synchronize()
        ours = len(events) / (time.perf_counter() - start)
        slow = naive.NaiveAutoencoder(3, samples.activities).to(device)
        optimiser = torch.optim.Adam(slow.parameters(), lr=0.002)
        loader = naive.loader_of(samples.windows, samples.activities, events, device)
        start = time.perf_counter()
        naive.train_epoch(slow, optimiser, loader)
        theirs = len(events) / (time.perf_counter() - start)
        print(f"{path.stem} ({samples.activities} activities), {device}: {ours:,.0f} samples a second, "
              f"naive one-hot form {theirs:,.0f}, ratio {ours / theirs:.1f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["help"]
    if command == "prepare" and len(rest) > 1:
        prepare(Path(rest[0]), rest[1:])
    elif command == "train" and len(rest) > 1:
        train(Path(rest[0]), Path(rest[1]), int(rest[2]) if len(rest) > 2 else 1)
    elif command == "collect" and len(rest) > 2:
        collect(Path(rest[0]), Path(rest[1]), rest[2:])
    elif command == "speed" and rest:
        speed(Path(rest[0]))
    else:
        sys.exit(__doc__)
