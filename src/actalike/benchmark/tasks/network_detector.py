"""A small neural network as a detector of odd cases: a GRU that predicts each next activity from all before it."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.scoring import Floats
from actalike.benchmark.tasks.counting_detectors import Sides
from actalike.log import EventLog, first_equal_cases
from actalike.support.extras import Extra

TORCH = Extra("neural", "torch")
_SIZE = 64  # of the vectors of activities, and of the state
_STEPS = 600  # of training
_BATCH = 64
_PIECE = 100  # events: longer cases are learned in pieces, and scored with the state carried on
_LEARNING_RATE = 0.01
_SCORED = 512  # variants at a time
_NOTHING = -1

Codes = NDArray[np.int64]


class Network:
    """Score a step by -ln p(step | all steps before), by a GRU of 64 cells, and a case by its highest step, the end included.

    It is trained on the variants of the reference, or of the log itself, in 600 batches of 64, drawn as often as they have cases.
    """

    name = "network"
    needs = (TORCH,)
    reads_reference = True
    steps = _STEPS

    def fit(self, log: EventLog, reference: EventLog | None = None) -> Self:
        """Train the network, and score each variant once."""
        torch = TORCH.load(user=self.name)
        sides = Sides.of(log, reference)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # the products are small, and more threads sum in another order
        try:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(0)
                self._fit(torch, sides)
        finally:
            torch.set_num_threads(threads)
        return self

    def _fit(self, torch: Any, sides: Sides) -> None:
        joint, end = sides.log, len(sides.log.activities)
        first, variant = np.unique(first_equal_cases(joint.codes, joint.offsets), return_inverse=True)
        cases = [np.append(joint.codes[joint.offsets[one] : joint.offsets[one + 1]], end).astype(np.int64) for one in first]
        parts = torch.nn.Embedding(end + 1, _SIZE), torch.nn.GRU(_SIZE, _SIZE, batch_first=True), torch.nn.Linear(_SIZE, end + 1)
        self._train(torch, parts, cases, np.bincount(variant, sides.counted, len(first)).astype(np.float64))
        needed = np.unique(variant[sides.n_reference :])
        surprises = _surprises(torch, parts, [cases[one] for one in needed], end)
        place = np.searchsorted(needed, variant[sides.n_reference :])
        self.case_scores_: Floats = np.array([one.max() for one in surprises])[place]
        self.event_scores_: Floats = np.concatenate([surprises[one][:-1] for one in place])
        self.end_scores_: Floats = np.array([one[-1] for one in surprises])[place]

    def _train(self, torch: Any, parts: Any, cases: list[Codes], weights: Floats) -> None:
        end = parts[2].out_features - 1
        pieces, of_piece = [], []
        for case, weight in zip(cases, weights.tolist(), strict=True):
            if weight:
                lines = [np.append(end, case)[start : start + _PIECE + 1] for start in range(0, len(case), _PIECE)]
                pieces += lines
                of_piece += [weight] * len(lines)
        draws = np.random.default_rng(0).choice(len(pieces), (self.steps, _BATCH), p=np.array(of_piece) / sum(of_piece))
        parameters = [one for part in parts for one in part.parameters()]
        optimizer = torch.optim.Adam(parameters, lr=_LEARNING_RATE)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _LEARNING_RATE, total_steps=self.steps)
        for chosen in draws:
            lines = torch.from_numpy(_padded([pieces[one] for one in chosen]))
            logits, _ = _logits(parts, lines[:, :-1].clamp(min=0), None)
            loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), lines[:, 1:].flatten(), ignore_index=_NOTHING)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def _logits(parts: Any, codes: Any, state: Any) -> tuple[Any, Any]:
    vectors, recurrence, out = parts
    hidden, state = recurrence(vectors(codes), state)
    return out(hidden), state


def _padded(lines: list[Codes]) -> Codes:
    """Return lines as rows, which end with -1."""
    table = np.full((len(lines), max(map(len, lines))), _NOTHING, dtype=np.int64)
    for row, line in zip(table, lines, strict=True):
        row[: len(line)] = line
    return table


def _surprises(torch: Any, parts: Any, cases: list[Codes], end: int) -> list[Floats]:
    """Return -ln p of each step of each case."""
    order = np.argsort([len(case) for case in cases], kind="stable").tolist()
    found: dict[int, Floats] = {}
    with torch.no_grad():
        for start in range(0, len(order), _SCORED):
            chosen = order[start : start + _SCORED]
            lines = torch.from_numpy(_padded([np.append(end, cases[one]) for one in chosen]))
            columns, state = [], None
            for place in range(0, lines.shape[1] - 1, _PIECE):
                piece = lines[:, place : place + _PIECE + 1].clamp(min=0)
                logits, state = _logits(parts, piece[:, :-1], state)
                columns.append(torch.nn.functional.cross_entropy(logits.transpose(1, 2), piece[:, 1:], reduction="none"))
            table = torch.cat(columns, dim=1).double().numpy()
            found |= {one: row[: len(cases[one])] for one, row in zip(chosen, table, strict=True)}
    return [found[one] for one in range(len(cases))]
