"""Speed of the methods that the paper compares with, as ratios in one run. Needs a folder of the paper's logs.

    python measurements/baselines.py                     # all of it, a few minutes
    python measurements/baselines.py substitution tree   # parts: substitution, tree, autoencoder

- substitution: from an EventLog to all scores, against plain Python: the definitions of tests/oracle.py, pair by pair, and a version
  with an index that meets only the pairs with a common context.
- tree: the features of process structure on BPIC15_1, from a tree of its size; the tree itself is made at random here, because
  discovering one takes pm4py over ten minutes. Published: 356 s.
- autoencoder: samples a second in training, against the naive form (one-hot rows through torch's data loader, linear layers,
  autograd) in tests/naive_autoencoder.py. On a GPU where there is one.
"""

import os
import random
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from timing import fastest, fresh  # noqa: E402

from actalike import count_windows, datasets, substitution_scores  # noqa: E402
from actalike.methods.process_structure import ProcessTree, structure_features  # noqa: E402
from tests import oracle  # noqa: E402

LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))


def substitution():
    print("\nSubstitution scores on BPIC15_1: actalike; plain Python and ratio (at least 100 wanted)")
    log = datasets.load("BPIC15_1", LOGS)
    traces = log.traces()
    for window in (3, 5, 9):
        ours = fastest(lambda n=window: substitution_scores(count_windows(fresh(log), n)), 7)
        plain = fastest(lambda n=window: oracle.substitution(traces, n), 2)
        indexed = fastest(lambda n=window: with_index(traces, n), 2)
        print(
            f"  window {window}: {ours:.4f} s; pair by pair {plain:.3f} s, {plain / ours:.0f} x; "
            f"only pairs with a common context {indexed:.3f} s, {indexed / ours:.0f} x",
            flush=True,
        )


def with_index(traces, n):
    """Plain Python with a shortcut: an index from contexts to activities, so that only pairs with a common context are met."""
    ac = oracle.activity_context(traces, n, "sequence")
    by_context = defaultdict(list)
    for a, row in ac.items():
        for c, count in row.items():
            by_context[c].append((a, count))
    pairs = defaultdict(float)
    for members in by_context.values():
        for a, count_a in members:
            for b, count_b in members:
                pairs[a, b] += count_a * (count_a - 1) / 2 if a == b else count_a * count_b
    return oracle.substitution_from(pairs, sorted(ac))


def random_tree(labels, generator):
    """A tree over these labels: split at random, with a silent branch here and there."""
    if len(labels) == 1:
        return ProcessTree(labels[0])
    operator = generator.choice(["sequence", "sequence", "xor", "and", "loop"])
    parts = 2 if operator == "loop" else min(len(labels), generator.randint(2, 5))
    cuts = sorted(generator.sample(range(1, len(labels)), parts - 1))
    children = [random_tree(labels[a:b], generator) for a, b in zip([0, *cuts], [*cuts, len(labels)], strict=True)]
    if operator == "xor":
        children.append(ProcessTree())
    return ProcessTree(None, operator, children)


def tree():
    print("\nProcess structure on a tree of 398 activities, without discovery (published for BPIC15_1: 356 s; under 1 s wanted)")
    made = random_tree([str(i) for i in range(398)], random.Random(1))
    for fixed in (False, True):
        seconds = fastest(lambda fixed=fixed: structure_features(made, fixed), 7)
        print(f"  {'fixed' if fixed else 'as published'}: {seconds:.4f} s", flush=True)


def autoencoder(steps=200):
    import torch

    from actalike.methods.autoencoder import samples_of
    from actalike.methods.autoencoder_training import Model, epoch_runner
    from tests.helpers import naive_autoencoder as naive

    torch.set_num_threads(1)  # as the library does; the naive form is no faster with more
    device = "cuda" if torch.cuda.is_available() else "cpu"
    print(f"\nAutoencoder on {device}, samples a second in training: actalike, naive one-hot form, ratio (at least 10 wanted)")
    for name in ("Helpdesk", "BPIC12", "BPIC15_1"):
        samples = samples_of(datasets.load(name, LOGS), 3)
        events = np.random.default_rng(0).permutation(samples.training)[: 32 * steps]
        run_epoch = epoch_runner(Model(samples, device=device))
        run_epoch(events)
        ours = len(events) / fastest(lambda run_epoch=run_epoch, events=events: run_epoch(events), 3)
        slow = naive.NaiveAutoencoder(3, samples.activities).to(device)
        optimiser = torch.optim.Adam(slow.parameters(), lr=0.002)

        def naively(samples=samples, events=events, slow=slow, optimiser=optimiser):
            naive.train_epoch(slow, optimiser, naive.loader_of(samples.windows, samples.activities, events, device))

        theirs = len(events) / fastest(naively, 2)
        print(f"  {name} ({samples.activities} activities): {ours:,.0f}, {theirs:,.0f}, {ours / theirs:.1f} x", flush=True)


if __name__ == "__main__":
    parts = {"substitution": substitution, "tree": tree, "autoencoder": autoencoder}
    unknown = set(sys.argv[1:]) - set(parts)
    if unknown or not LOGS.is_dir():
        sys.exit(f"usage: baselines.py [{'] ['.join(parts)}], with ACTALIKE_LOGS naming a folder of logs (now {LOGS})")
    for part in sys.argv[1:] or parts:
        parts[part]()
