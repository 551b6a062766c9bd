"""Find odd cases with a neural network, to be compared with ``actalike.odd``: a GRU that predicts the next event.

    python measurements/odd_neural.py prepare LOG OUT.npz                  here: the events of a log as plain arrays
    python measurements/odd_neural.py prepare LOG OUT.npz --task bpad-10   the same with planted anomalies, and where they are
    python measurements/odd_neural.py train IN.npz [IN.npz ...]            there: seconds, memory and, if it is known what was planted, AP and F

``train`` needs numpy and torch, and not actalike, so that it runs on a machine with a GPU. It follows the one line that is known of
BINetv2 (docs/anomaly_benchmark.md), and nobody's code: a GRU reads the events of a case, one layer tells the next activity, one for
each attribute tells its next value, given the next activity too. The score of a cell is the probability of all values that are
more probable than the actual one; a case has the highest score of its cells. The network learns from the cases that it scores.
"""

import argparse
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

PADDING, START, END, FIRST = 0, 1, 2, 3  # symbols of a column; its values follow, the missing value first
EMBEDDING, HIDDEN, LEARNING_RATE = 32, 128, 0.001


def prepare(source, out, task=None, attributes=None, seed=0):
    """Write the events of a log, read as the benchmark of anomalies reads it, as arrays without pickled objects."""
    from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes, takes_log
    from actalike.benchmark.anomalies.planting import plant
    from actalike.benchmark.logs import find_logs

    if out.exists():
        raise SystemExit(f"{out} exists already: remove it, or name another file; nothing was written.")
    files = find_logs([source], takes_log)
    (name,) = files.names
    log = read_with_attributes(files, name, attributes)
    targets = {}
    if task:
        planted = plant(log, name, task, seed)
        log, targets = planted.log, {"planted_cases": planted.planted_cases, "planted_cells": planted.cells}
    columns = [log.codes, *(attribute.codes for attribute in log.attributes.values())]
    np.savez_compressed(out, codes=np.stack(columns, axis=1).astype(np.int32), offsets=log.offsets.astype(np.int64), **targets)


def batches(lengths, size):
    """Return the numbers of the cases in batches of about the same length, so that little is padded."""
    order = np.argsort(lengths, kind="stable")
    return [order[start : start + size] for start in range(0, len(order), size)]


def padded(codes, offsets, cases):
    """Return the symbols of some cases, with START and END: an array of cases, places and columns."""
    lengths = offsets[cases + 1] - offsets[cases]
    symbols = np.full((len(cases), lengths.max() + 2, codes.shape[1]), PADDING)
    symbols[:, 0] = START
    for row, (case, length) in enumerate(zip(cases, lengths, strict=True)):
        symbols[row, 1 : length + 1] = codes[offsets[case] : offsets[case + 1]] + 1 + FIRST  # -1: no value
        symbols[row, length + 1] = END
    return symbols


def make_network(n_symbols):
    """Return the network for columns of so many symbols each."""
    import torch
    from torch import nn

    class NextEvent(nn.Module):
        def __init__(self):
            super().__init__()
            self.embeddings = nn.ModuleList(nn.Embedding(n, EMBEDDING, padding_idx=PADDING) for n in n_symbols)
            self.reader = nn.GRU(EMBEDDING * len(n_symbols), HIDDEN, batch_first=True)
            inputs = [HIDDEN, *[HIDDEN + EMBEDDING] * (len(n_symbols) - 1)]
            self.outputs = nn.ModuleList(map(nn.Linear, inputs, n_symbols))

        def forward(self, symbols):
            """Return the scores of all symbols of each column at each place but the first."""
            vectors = [embed(symbols[:, :, column]) for column, embed in enumerate(self.embeddings)]
            read, _ = self.reader(torch.cat(vectors, dim=2)[:, :-1])
            with_activity = torch.cat([read, vectors[0][:, 1:]], dim=2)
            return [output(with_activity if column else read) for column, output in enumerate(self.outputs)]

    return NextEvent()


def learn(network, cases, epochs, seed):
    """Train the network on batches of symbols, in another order in every epoch."""
    import torch
    from torch.nn.functional import cross_entropy

    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    chance = np.random.default_rng(seed)
    for _ in range(epochs):
        for number in chance.permutation(len(cases)):
            symbols = cases[number]
            optimizer.zero_grad()
            loss = sum(
                cross_entropy(scores.flatten(0, 1), symbols[:, 1:, column].flatten(), ignore_index=PADDING)
                for column, scores in enumerate(network(symbols))
            )
            loss.backward()
            optimizer.step()


def mass_above(scores, actual):
    """Return the probability of all symbols that are more probable than the actual one."""
    probabilities = scores.softmax(dim=-1)
    own = probabilities.gather(-1, actual.unsqueeze(-1))
    return (probabilities * (probabilities > own)).sum(dim=-1)


def score(network, cases, groups, offsets, n_columns):
    """Return the scores of all cases and of all cells."""
    import torch

    case_scores = np.zeros(len(offsets) - 1)
    cell_scores = np.zeros((offsets[-1], n_columns))
    with torch.no_grad():
        for symbols, numbers in zip(cases, groups, strict=True):
            masses = [mass_above(scores, symbols[:, 1:, column]) for column, scores in enumerate(network(symbols))]
            cells = torch.where(symbols[:, 1:] == PADDING, 0.0, torch.stack(masses, dim=2)).double().cpu().numpy()
            case_scores[numbers] = cells.max(axis=(1, 2))
            for row, case in enumerate(numbers):
                cell_scores[offsets[case] : offsets[case + 1]] = cells[row, : offsets[case + 1] - offsets[case]]
    return case_scores, cell_scores


def ap_and_f(scores, planted):
    """Return average precision and the largest F over all thresholds."""
    order = np.argsort(-scores, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    hits = np.cumsum(planted[order])[ends]
    ap = (np.diff(hits, prepend=0) * hits / (ends + 1)).sum() / planted.sum()
    return float(ap), float((2 * hits / (ends + 1 + planted.sum())).max())


def train(path, epochs=20, batch=64, seed=0, device=None):
    """Train on a prepared log and score it; return what it took, and the scores."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it sums on a GPU differ from run to run
    import torch

    device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    with np.load(path, allow_pickle=False) as arrays:
        codes, offsets = arrays["codes"], arrays["offsets"]
        planted = {name: arrays[f"planted_{name}"] for name in ("cases", "cells") if f"planted_{name}" in arrays}
    groups = batches(np.diff(offsets), batch)
    cases = [torch.from_numpy(padded(codes, offsets, group)).to(device) for group in groups]
    network = make_network([int(most) + 2 + FIRST for most in codes.max(axis=0)]).to(device)
    is_gpu = device.type == "cuda"
    if is_gpu:
        torch.cuda.reset_peak_memory_stats()
    start = time.perf_counter()
    learn(network, cases, epochs, seed)
    _finish(is_gpu)
    trained = time.perf_counter()
    case_scores, cell_scores = score(network, cases, groups, offsets, codes.shape[1])
    facts = {
        "log": Path(path).stem,
        "device": torch.cuda.get_device_name() if is_gpu else "CPU",
        "cases": len(offsets) - 1,
        "events": len(codes),
        "columns": codes.shape[1],
        "seconds of training": round(trained - start, 2),
        "seconds of scoring": round(time.perf_counter() - trained, 2),
        "MiB of the process": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10),
    }
    if is_gpu:
        facts["MiB on the GPU"] = round(torch.cuda.max_memory_allocated() / 2**20)
    for name, scores in (("cases", case_scores), ("cells", cell_scores)):
        if name in planted and planted[name].any():
            ap, f = ap_and_f(scores.ravel(), planted[name].ravel())
            facts |= {f"AP of {name}": round(ap, 3), f"F of {name}": round(f, 3), f"planted {name}": int(planted[name].sum())}
    return facts, case_scores, cell_scores


def _finish(is_gpu):
    """Wait for what the GPU still has to do, so that it is not counted as the next step's."""
    if is_gpu:
        import torch

        torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare")
    preparing.add_argument("log", type=Path)
    preparing.add_argument("out", type=Path)
    preparing.add_argument("--task", help="what is planted: a task of the benchmark of anomalies")
    preparing.add_argument("--attributes", nargs="*", help="of a log that is not one of the benchmark")
    preparing.add_argument("--seed", type=int, default=0)
    training = commands.add_parser("train")
    training.add_argument("prepared", type=Path, nargs="+")
    training.add_argument("--epochs", type=int, default=20)
    training.add_argument("--batch", type=int, default=64, help="cases in a batch")
    training.add_argument("--seed", type=int, default=0)
    training.add_argument("--device", choices=["cpu", "cuda"])
    given = parser.parse_args()
    if given.command == "prepare":
        prepare(given.log, given.out, given.task, given.attributes, given.seed)
        return
    for path in given.prepared:
        facts, _, _ = train(path, given.epochs, given.batch, given.seed, given.device)
        print(", ".join(f"{name}: {value}" for name, value in facts.items()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
