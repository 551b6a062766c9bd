"""Fit the weights of evidence that two labels are one step, and show what they are worth on logs they were not fitted to.

    python measurements/fit_same_step.py                     # leave one family of logs out, print tables; about 5 minutes
    python measurements/fit_same_step.py --keep FOLDER       # the same, and keep the measured evidence for the next run
    python measurements/fit_same_step.py --without overlap   # an ablation: leave a piece of evidence out (repeat for more)
    python measurements/fit_same_step.py --write             # fit on all logs, natural synonyms too, and write the weights

Needs a folder of the paper's logs (ACTALIKE_LOGS). Activities are split into 2 to 4 names of random shares by case, period, event
and resource (benchmark/tasks/planted_labels.py), and renamed to codes. Pairs of labels of noise (random logs, and logs whose events
are shuffled within their cases) are no synonyms. The log-odds are a sum of monotone piecewise linear functions of the figures of
labels/evidence.py, fitted by maximum likelihood with a ridge. A scale and a shift (Platt) are then fitted to the scores of
logs that were left out. All logs of one challenge are one family. Natural synonyms (BPIC15) are not used for the tables.
"""

import argparse
import os
import zlib
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from actalike import EventLog, __version__, read_log
from actalike.benchmark.tasks.known_labels import natural_synonyms, synonym_scores
from actalike.benchmark.tasks.label_scores import first_hits, partner_mask, reciprocal_ranks
from actalike.benchmark.tasks.planted_labels import Recipe, plant
from actalike.errors import ActalikeError
from actalike.labels.evidence import PairEvidence, pair_evidence
from actalike.support.weights import Points, Weights, read_weights, written_weights

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
WEIGHTS = Path(__file__).parents[1] / "src" / "actalike" / "labels" / "evidence_weights.json"
RANKS = (0.69, 6.0)
KNOTS = {  # the figures between which points are linear, and whether points rise (1), fall (-1) or are free (0)
    "rare_overlap": (1, (0.0, 1.0)),
    "overlap_rank": (-1, RANKS),
    "context_rank": (-1, RANKS),
    "nearness": (-1, (-9.0, -2.0, 0.0, 2.0)),
    "position": (1, (0.0, 1.0)),
    "shared_cases": (-1, (-7.0, -4.5, -3.0, -1.5, -0.7, 0.0)),
    "attraction": (-1, (-0.2, 0.1, 0.4, 0.8)),
    "excess": (-1, (-7.0, -4.5, -3.0, -1.5, 0.0)),
    "cases": (0, (1.6, 10.0)),
}
KINDS = {"case": 1.0, "period": 2.0, "event": 1.0, "resource": 1.0, "noise": 3.0, "shuffled": 3.0}  # weights in the fit
DRAWS = {"BPIC15": 8}  # per kind; these logs have many labels
DRAWS_OF_OTHERS = 6
NOISE_LOGS = 60
JUDGED_CASES = 10  # only pairs of labels in so many cases are fitted; of rarer ones the product counts evidence in part
NEAR, OTHERS = 250, 500  # negative pairs of a log that are fitted: the nearest ones, and some of the others with more weight
RIDGE = 3e-5


def family(log):
    """The challenge that a log comes from."""
    return log.split("_")[0] if log.startswith("BPIC") else log


def read(name, path):
    attributes = "people" if not name.startswith("BPIC15") else ["activityNameEN", "org:resource"]
    return read_log(path, attributes=attributes)


def planted_logs(name, log):
    """Yield kind, planted log, and which two labels are one step."""
    for kind in ("case", "period", "event", "resource"):
        for draw in range(DRAWS.get(family(name), DRAWS_OF_OTHERS)):
            chance = np.random.default_rng(zlib.crc32(f"{name} {kind} {draw}".encode()))
            while (shares := chance.dirichlet([1.5] * int(chance.integers(2, 5)))).min() < 0.06:
                pass
            try:
                planted = plant(log, Recipe(f"fit-{kind}-{draw}", kind, tuple(shares.tolist())), seed=16, draw=draw)
            except ActalikeError:
                continue  # the log has no times, or no resources
            if planted.truth:
                yield f"{kind}-{draw}", planted.log, partner_mask(planted.log.activities, planted.truth)


def noise(seed):
    """A log without any order: its events are drawn independently."""
    chance = np.random.default_rng(1000 + seed)
    n, n_cases = int(chance.integers(6, 30)), int(chance.integers(150, 2500))
    lengths = chance.integers(3, 15, n_cases)
    shares = chance.dirichlet([5.0 if chance.random() < 0.7 else 1.0] * n)
    codes = chance.choice(n, lengths.sum(), p=shares)
    ids = [str(case) for case in range(n_cases)]
    return EventLog([f"step {i:03}" for i in range(n)], codes, np.append(0, lengths.cumsum()), ids)


def shuffled(log, seed):
    """A log whose events are shuffled within their cases."""
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    order = np.lexsort((np.random.default_rng(seed).random(log.n_events), case))
    return EventLog(log.activities, log.codes[order], log.offsets, log.case_ids, log.timestamps)


def measure(name, kind, log, partners, synonyms=None):
    """The evidence of the pairs that are fitted, and of the pairs by which the fit is judged."""
    evidence = pair_evidence(log)
    cases = log.activity_cases
    rows, columns = np.triu_indices(len(cases), 1)
    keep = np.minimum(cases[rows], cases[columns]) >= JUDGED_CASES
    rows, columns = rows[keep], columns[keep]
    is_partner = partners[rows, columns]
    negatives = np.flatnonzero(~is_partner)
    order = negatives[np.argsort(evidence.nearness[rows, columns][negatives], kind="stable")]
    near, far = order[:NEAR], order[NEAR:]
    chance = np.random.default_rng(zlib.crc32(f"{name} {kind}".encode()))
    some = far if len(far) <= OTHERS else np.sort(chance.choice(far, OTHERS, replace=False))
    chosen = np.concatenate([np.flatnonzero(is_partner), near, some])
    weight = np.concatenate([np.ones(len(chosen) - len(some)), np.full(len(some), len(far) / max(len(some), 1))])
    queries = np.flatnonzero(partners.any(axis=1) & (cases >= JUDGED_CASES))
    if synonyms is not None:
        queries = np.unique(synonyms.pairs)
    return {
        "name": name,
        "kind": kind.split("-")[0],
        "x": np.stack([figures[rows[chosen], columns[chosen]] for figures in evidence], axis=1).astype(np.float32),
        "y": is_partner[chosen],
        "weight": weight,
        "queries": queries,
        "judged": np.stack([figures[queries] for figures in evidence], axis=-1).astype(np.float32),
        "partners": partners[queries],
        "candidates": cases >= JUDGED_CASES,
    }


def collect(keep):
    """Measure everything, or read it from a folder where it was kept."""
    cells = []
    natural = {}
    files = {path.name.split(".")[0]: path for path in sorted(LOGS.iterdir()) if path.name.endswith((".xes.gz", ".csv.gz"))}
    for name, path in files.items():
        log = read(name, path)
        nothing = np.zeros((len(log.activities), len(log.activities)), dtype=bool)
        works = [*planted_logs(name, log), ("shuffled-0", shuffled(log, zlib.crc32(name.encode())), nothing)]
        if family(name) == "BPIC15":
            synonyms = natural[name] = natural_synonyms(log)
            partners = nothing.copy()
            partners[tuple(synonyms.pairs.T)] = partners[tuple(synonyms.pairs[:, ::-1].T)] = True
            cells.append(
                _kept(keep, name, "natural-0", lambda s=synonyms, g=log, p=partners, n=name: measure(n, "natural-0", g, p, s))
            )
        for kind, made, partners in works:
            cells.append(_kept(keep, name, kind, lambda n=name, k=kind, g=made, p=partners: measure(n, k, g, p)))
        print(f"{name}: {len(works)} logs", flush=True)
    for number in range(NOISE_LOGS):
        made = noise(number)
        nothing = np.zeros((len(made.activities), len(made.activities)), dtype=bool)
        cells.append(
            _kept(
                keep,
                f"noise{number}",
                f"noise-{number}",
                lambda m=made, p=nothing, i=number: measure(f"noise{i}", f"noise-{i}", m, p),
            )
        )
    return cells, natural


def _kept(folder, name, kind, compute):
    if folder is None:
        return compute()
    path = folder / f"{name}-{kind}.npz"
    if not path.exists():
        part = path.with_suffix(".part.npz")
        np.savez(part, **compute())
        part.replace(path)
    with np.load(path) as stored:
        cell = {key: stored[key] for key in stored.files}
    return {**cell, "name": str(cell["name"]), "kind": str(cell["kind"])}


class Basis:
    """Turn figures into the lengths of the pieces between knots that they cover: their sum with weights is piecewise linear."""

    def __init__(self, pieces):
        self.pieces = pieces
        self.places = [PairEvidence._fields.index(name) for name in pieces]
        self.bounds = [
            {1: (0, None), -1: (None, 0), 0: (None, None)}[KNOTS[name][0]] for name in pieces for _ in KNOTS[name][1][1:]
        ]

    def of(self, figures):
        columns = []
        for name, place in zip(self.pieces, self.places, strict=True):
            value, knots = figures[..., place].astype(np.float64), KNOTS[name][1]
            columns += [np.clip(value, low, high) - low for low, high in pairwise(knots)]
        return np.stack(columns, axis=-1)


def fit(basis, cells):
    """Return the slope of each piece between two knots, and the intercept."""
    x = np.concatenate([basis.of(cell["x"]) for cell in cells])
    y = np.concatenate([cell["y"] for cell in cells]).astype(np.float64)
    weight = np.concatenate([cell["weight"] * _weight(cell) for cell in cells])
    weight /= weight.sum()
    mean = weight @ x
    scale = np.sqrt(weight @ (x - mean) ** 2) + 1e-6
    x = (x - mean) / scale

    def loss(parameters):
        slopes, intercept = parameters[:-1], parameters[-1]
        odds = x @ slopes + intercept
        error = weight * (1 / (1 + np.exp(-odds)) - y)
        value = weight @ (np.logaddexp(0, odds) - y * odds) + RIDGE / 2 * slopes @ slopes
        return value, np.append(x.T @ error + RIDGE * slopes, error.sum())

    bounds = [*basis.bounds, (None, None)]
    fitted = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 1000}).x
    slopes = fitted[:-1] / scale
    return slopes, fitted[-1] - mean @ slopes


def _weight(cell):
    """Weigh a cell: each planted step counts alike, whatever the number of its labels; noise by its number of labels."""
    n = cell["y"].sum() if cell["y"].any() else len(cell["candidates"])
    return KINDS.get(cell["kind"], 1.0) / max(n, 1)


def platt(cells, odds):
    """Return the scale and shift that make the scores of left-out logs probabilities. Each family of logs counts alike."""
    families = [family(cell["name"]) for cell in cells]
    scores, truth, weight = [], [], []
    for cell, values, one in zip(cells, odds, families, strict=True):
        mask = judged_pairs(cell)
        scores.append(values[mask])
        truth.append(cell["partners"][mask])
        weight.append(np.full(mask.sum(), 1 / (mask.sum() * families.count(one))))
    s, y, w = np.concatenate(scores), np.concatenate(truth).astype(np.float64), np.concatenate(weight)

    def loss(parameters):
        odds = parameters[0] * s + parameters[1]
        error = w * (1 / (1 + np.exp(-odds)) - y)
        return w @ (np.logaddexp(0, odds) - y * odds), np.array([error @ s, error.sum()])

    return minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", bounds=[(0.1, None), (None, None)]).x


def judged_pairs(cell):
    """Which cells of the rows of queries are pairs to be judged: each pair of two queries once."""
    mask = np.tile(cell["candidates"], (len(cell["queries"]), 1))
    for row, query in enumerate(cell["queries"].tolist()):
        mask[row, query] = False
        mask[row, cell["queries"][:row]] = False
    return mask


def nearest(cell, odds):
    """Nearest neighbour right, and mean reciprocal rank, over the queries of a cell."""
    candidates = np.tile(cell["candidates"], (len(cell["queries"]), 1))
    candidates[np.arange(len(cell["queries"])), cell["queries"]] = False
    partners = cell["partners"] & candidates
    ask = partners.any(axis=1)
    return (
        np.nanmean(first_hits(odds[ask], partners[ask], candidates[ask])),
        np.nanmean(reciprocal_ranks(odds[ask], partners[ask], candidates[ask])),
    )


def show(cells, odds, natural):
    """Print nearest neighbours by kind, natural synonyms, and calibration."""
    for kind in ("case", "period", "event", "resource"):
        by_log = {}
        for cell, values in zip(cells, odds, strict=True):
            if cell["kind"] == kind and (cell["partners"] & cell["candidates"]).any():
                by_log.setdefault(cell["name"], []).append(nearest(cell, values))
        means = {name: np.mean(values, axis=0) for name, values in by_log.items()}
        families = {one: np.mean([means[name] for name in means if family(name) == one], axis=0) for one in map(family, means)}
        nn, mrr = np.mean(list(means.values()), axis=0)
        by_family = np.mean(list(families.values()), axis=0)
        print(f"{kind:9} NN {nn:.3f} MRR {mrr:.3f} over {len(means)} logs; families {by_family[0]:.3f} {by_family[1]:.3f}")
    scores = []
    for cell, values in zip(cells, odds, strict=True):
        if cell["kind"] == "natural":
            matrix = np.zeros((values.shape[1], values.shape[1]))
            matrix[cell["queries"]] = values
            scores.append(synonym_scores(matrix, natural[cell["name"]]))
    if scores:
        print("natural   NN {:.3f} MRR {:.3f} NN apart {:.3f}".format(*np.mean([score[:3] for score in scores], axis=0)))
    for title, kinds in (("planted", ("case", "period", "event", "resource")), ("natural", ("natural",))):
        chosen = [(cell, values) for cell, values in zip(cells, odds, strict=True) if cell["kind"] in kinds]
        p = np.concatenate([values[judged_pairs(cell)] for cell, values in chosen])
        y = np.concatenate([cell["partners"][judged_pairs(cell)] for cell, _ in chosen])
        calibration(f"{title}, all pairs", 1 / (1 + np.exp(-p)), y)
        best_p, best_y = [], []
        for cell, values in chosen:
            candidates = np.tile(cell["candidates"], (len(cell["queries"]), 1))
            candidates[np.arange(len(cell["queries"])), cell["queries"]] = False
            best = np.where(candidates, values, -np.inf).argmax(axis=1)
            best_p.append(values[np.arange(len(best)), best])
            best_y.append(cell["partners"][np.arange(len(best)), best])
        calibration(f"{title}, nearest partner", 1 / (1 + np.exp(-np.concatenate(best_p))), np.concatenate(best_y))


def calibration(title, p, y):
    order = np.argsort(p, kind="stable")
    error = sum(abs(p[part].mean() - y[part].mean()) * len(part) for part in np.array_split(order, 10)) / len(p)
    bins = [(p >= low) & (p < high) for low, high in ((0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01))]
    shown = [f"{p[inside].mean():.2f} -> {y[inside].mean():.2f} ({inside.sum()})" for inside in bins if inside.any()]
    print(f"{title}: {len(p)} pairs, ECE {error:.4f}; said -> true: {', '.join(shown)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--without", action="append", default=[], choices=list(KNOTS))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.keep is not None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    cells, natural = collect(arguments.keep)
    basis = Basis([name for name in KNOTS if name not in arguments.without])
    left_out = leave_families_out(basis, cells)
    judged = judged_cells(cells)
    show(judged, [left_out[family(cell["name"])].log_odds(cell["judged"]) for cell in judged], natural)
    if arguments.write:
        write(basis, cells, left_out)


class Fit:
    """Hold fitted slopes, and the scale and shift that make probabilities of them."""

    def __init__(self, basis, slopes, intercept, scale=1.0, shift=0.0):
        self.basis, self.slopes, self.intercept, self.scale, self.shift = basis, slopes, intercept, scale, shift

    def log_odds(self, figures):
        return (self.basis.of(figures) @ self.slopes + self.intercept) * self.scale + self.shift

    def weights(self, cells):
        """The points of each piece, relative to those of a usual pair, and the base, as the shipped file has them."""
        behaviour, place, base = {}, 0, self.intercept * self.scale + self.shift
        for name in self.basis.pieces:
            knots = KNOTS[name][1]
            steps = self.slopes[place : place + len(knots) - 1] * np.diff(knots) * self.scale
            place += len(knots) - 1
            points = np.append(0, np.cumsum(steps))
            figures = np.concatenate([cell["x"][~cell["y"], PairEvidence._fields.index(name)] for cell in cells])
            usual = float(np.interp(np.median(figures), knots, points))
            base += usual
            behaviour[name] = Points(tuple(knots), tuple(round(float(point - usual), 3) for point in points))
        truth = np.concatenate(
            [cell["partners"][judged_pairs(cell)] for cell in judged_cells(cells) if cell["kind"] != "natural"]
        )
        prior = np.log(truth.mean() / (1 - truth.mean()))
        return {
            "interchangeable": Weights(round(float(base), 3), behaviour),
            "too rare": Weights(round(float(prior), 3), {}),
        }


def judged_cells(cells):
    return [cell for cell in cells if len(cell["queries"])]


def leave_families_out(basis, cells):
    """Fit once for each family of logs, on all others.

    Scale and shift come from the scores of each other family by a fit without both families, so nothing of a family is in its own
    fit, scale or shift.
    """
    judged = [cell for cell in judged_cells(cells) if cell["kind"] != "natural"]
    fitted_cells = [cell for cell in cells if cell["kind"] in KINDS]
    families = sorted({family(cell["name"]) for cell in judged_cells(cells)})

    def without(*left_out):
        return Fit(basis, *fit(basis, [cell for cell in fitted_cells if family(cell["name"]) not in left_out]))

    fits = {one: without(one) for one in families}
    both = {frozenset(pair): without(*pair) for pair in combinations(families, 2)}
    for one, fitted in fits.items():
        others = [cell for cell in judged if family(cell["name"]) != one]
        scores = [both[frozenset((one, family(cell["name"])))].log_odds(cell["judged"]) for cell in others]
        fitted.scale, fitted.shift = platt(others, scores)
    return fits


def write(basis, cells, left_out):
    """Fit on everything, natural synonyms too, and write the file that is shipped."""
    judged = [cell for cell in judged_cells(cells) if cell["kind"] != "natural"]
    scores = []
    for cell in judged:
        fitted = left_out[family(cell["name"])]
        scores.append((fitted.log_odds(cell["judged"]) - fitted.shift) / fitted.scale)
    slopes, intercept = fit(basis, [cell for cell in cells if cell["kind"] in KINDS or cell["kind"] == "natural"])
    weights = Fit(basis, slopes, intercept, *platt(judged, scores)).weights(cells)
    about = {
        "about": "Weights of evidence that two labels are interchangeable, and that they are one step: base + sum of points.",
        "fitted_by": f"python measurements/fit_same_step.py --write (actalike {__version__})",
        "fitted_on": sorted({cell["name"] for cell in cells if not cell["name"].startswith("noise")}),
        "logs": len(cells),
        "also_fitted_on": "the natural synonyms of BPIC15, which no reported figure uses",
        "same_step_by": "measurements/same_step_judged.py, which says what is fitted there and what is chosen",
    }
    same_step = read_weights(WEIGHTS.read_bytes(), {})["same step"]
    WEIGHTS.write_text(written_weights(about, {**weights, "same step": same_step}), encoding="utf-8")
    print(f"written: {WEIGHTS.name}")


if __name__ == "__main__":
    main()
