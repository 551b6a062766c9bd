"""Train Tax's model, as published and soundly, a model for each seed at once: it predicts the next activity and its time.

Each model: an LSTM of 100 over the events, batch normalisation, and two branches, one for the activity and one for the time, each
an LSTM of 100 and batch normalisation; then a logit for each id, or the time. Dropout of 0.2 is on the input of each LSTM. What
the description leaves open is as in Keras: Glorot's uniform weights (the recurrent ones too), a bias of 1 for the forget gates;
dropout drops every number of every step for itself, and the same for all gates, as Keras' fused LSTM does; normalisation in
training has the mean and the (biased) variance of the batch, and afterwards their moving averages.

An event is an activity and five numbers: its position in its case, 1, 2, ...; the seconds since the event before and the seconds
since the case began (0 for a first event), each divided by its mean over the events of some cases; the seconds since midnight /
86,400; and the weekday / 7, where Monday is 0. Midnight and weekdays are in UTC.

**As published**: each prefix of each case is a sample; before it come empty places (all inputs 0, not masked: LSTMs and
normalisation see them) up to the length of the log's longest case, and one more. Samples are in the order of the cases (here by
time; as it was run, by file), never shuffled, in batches of 32, of which the last may be smaller. The loss is the mean over
samples of cross-entropy plus absolute error of the time; the time is, as it was run, that between the last event of the prefix
and the one before it, which is an input: the time head learns to copy. Units are means over the whole log, including the test
cases. Each number of a gradient is clipped to [-3, 3]. The optimiser is Nadam with a rate of 0.002, which is halved for a model
after 10 epochs in which its validation loss did not fall by 0.0001. Training ends after 200 epochs, or 42 without a lower
validation loss, and the weights with the lowest loss are used. Without dropout, empty places are the same for all samples, so
they are read only once, and a sample continues from the state after as many of them as it has.

**Soundly**: it learns from every transition once in an epoch, and the time head learns the time until the next event; after the
last one there is none to learn. The cases are shuffled and laid into rows, which are read 32 events at a time, as for Evermann's
model; at the first event of a case all states are reset. All LSTMs read forwards, so reading a case once gives what each of its
prefixes would; there is no padding, and normalisation counts real places only. Units are means over the training cases. Adam
learns; training of a model ends when its loss on the validation cases has not improved for 10 epochs, and its best weights are
used.

A small log has few pieces, so the moving averages of normalisation must not lag: with w the share of real places in a piece,

    counted = 0.9^w counted + w,    average = average + (w / counted) (mean of the piece - average),

a mean over all pieces so far in which the last ten or so count most, and which begins with the first.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from .evermann import EPOCHS, PATIENCE, ROWS, JointTrainer, Pieces, brier_sums
from .recurrence import generator, lstm, momentum, nadam
from .task import TAX, Part, Task, TaskError, scores

SIZE = 100
KEPT = 0.8
BRANCHES = 2  # first the activity's, then the time's
SHARE, TINY = 0.01, 1e-3  # of normalisation: how much a batch counts in the moving averages, and what is added to variances
RATE = 0.002
BATCH, CLIP, PLATEAU, IMPROVEMENT = 32, 3.0, 10, 1e-4  # as published
PUBLISHED_EPOCHS, PUBLISHED_PATIENCE = 200, 42
FADING = 0.9  # soundly
DAY = 86_400.0
NUMBERS = 5
_THURSDAY = 3  # the weekday of 1 January 1970, from which seconds are counted
_CELLS = 1 << 24  # numbers of the largest tensor when predicting
_STATE = ("h", "c", "branch.h", "branch.c")

Floats = NDArray[np.float64]


class Units(NamedTuple):
    """Hold the units of time: the mean seconds since the event before, and the mean seconds since the case began."""

    gap: float
    age: float


def seconds_of(part: Part) -> Floats:
    """Return the times of the events."""
    if part.seconds is None:
        raise TaskError(
            "The log's events have no times, which Tax's model reads: train it on a log with times. Nothing was trained."
        )
    return part.seconds


def starts_of(part: Part) -> NDArray[np.int64]:
    """Return, for each event, the number of the first event of its case."""
    return np.repeat(part.offsets[:-1], part.lengths)


def gaps(part: Part) -> Floats:
    """Return, for each event, the seconds since the event before it in its case; 0 for the first."""
    seconds = seconds_of(part)
    is_first = starts_of(part) == np.arange(len(seconds))
    return np.where(is_first, 0.0, seconds - np.roll(seconds, 1))


def ages(part: Part) -> Floats:
    """Return, for each event, the seconds since its case began."""
    seconds = seconds_of(part)
    return seconds - seconds[starts_of(part)]


def waits(part: Part) -> tuple[Floats, NDArray[np.bool_]]:
    """Return, for each event, the seconds until the next event of its case (0 if there is none), and whether there is one."""
    starts = starts_of(part)
    has_next = np.append(starts[1:] == starts[:-1], np.zeros(min(len(starts), 1), dtype=bool))
    return np.where(has_next, np.roll(gaps(part), -1), 0.0), has_next


def units_of(parts: Sequence[Part]) -> Units:
    """Return the mean times over all events of some cases; 1 if no time passes at all."""
    means = [np.concatenate([times(part) for part in parts]) for times in (gaps, ages)]
    return Units(*(float(times.mean()) if times.any() else 1.0 for times in means))


def numbers(part: Part, units: Units) -> Floats:
    """Return the five numbers of each event."""
    seconds = seconds_of(part)
    place = np.arange(len(seconds)) - starts_of(part) + 1
    weekday = (seconds // DAY + _THURSDAY) % 7
    return np.column_stack([place, gaps(part) / units.gap, ages(part) / units.age, seconds % DAY / DAY, weekday / 7])


@dataclass(frozen=True)
class Events:
    """Hold the events of some cases as tensors on the device, in the order of the part, and the lengths of the cases.

    ``rows`` are the rows of the input weights that belong to the activities; ``values`` (N, 6) are a 1, by which that row counts,
    and the five numbers; ``starts`` the first events of the cases; ``targets`` the ids to predict; ``times`` what the time head
    should say, in units, and ``timed`` 1 where it should say anything, else 0.
    """

    lengths: NDArray[np.int64]
    rows: Tensor
    values: Tensor
    starts: Tensor
    targets: Tensor
    times: Tensor
    timed: Tensor

    def inputs(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows and values of some events. A negative number stands for no event: its values are 0."""
        events = places.clamp(min=0)
        return self.rows[events], self.values[events] * (places >= 0)[..., None]


def events_of(task: Task, part: Part, units: Units, time: Floats, timed: NDArray[np.bool_], device: str) -> Events:
    """Return cases as tensors for the model; ``time`` is what the time head should predict after each event, in seconds."""
    values = np.column_stack([np.ones(len(part.ids)), numbers(part, units)])
    kind = torch.get_default_dtype()
    floats = [torch.from_numpy(array).to(device, kind) for array in (values, time / units.gap, timed)]
    rows = part.ids - (part.ids > task.end)  # the end is never read
    integers = [torch.from_numpy(array).to(device) for array in (rows, starts_of(part), task.targets_of(part))]
    return Events(part.lengths, integers[0], floats[0], integers[1], integers[2], floats[1], floats[2])


State = tuple[Tensor, Tensor, Tensor, Tensor]  # h and c of the first LSTM (S, B, H), then those of the branches (2 S, B, H)


class Masks(NamedTuple):
    """Hold the dropout masks, zeros and ones: for an event's values (S, T B, 6), and for the branches' inputs (S, 2, T B, H)."""

    values: Tensor
    branches: Tensor


class TaxModels:
    """Hold the weights of all models and their moving averages, by name. The first axis of each tensor is the models.

    ``share`` (S,) is how much a batch counts in the moving averages: a trainer may change it in place.
    """

    def __init__(self, vocabulary_size: int, seeds: Sequence[int], device: str) -> None:
        self.vocabulary_size, self.seeds, self.device = vocabulary_size, list(seeds), device
        shapes: dict[str, tuple[int, ...]] = {
            "kernel": (vocabulary_size - 1 + NUMBERS, 4 * SIZE),
            "recurrent": (SIZE, 4 * SIZE),
            "bias": (4 * SIZE,),
            "scale": (SIZE,),
            "shift": (SIZE,),
            "branch.kernel": (BRANCHES, SIZE, 4 * SIZE),
            "branch.recurrent": (BRANCHES, SIZE, 4 * SIZE),
            "branch.bias": (BRANCHES, 4 * SIZE),
            "branch.scale": (BRANCHES, SIZE),
            "branch.shift": (BRANCHES, SIZE),
            "activity": (SIZE, vocabulary_size),
            "activity_bias": (vocabulary_size,),
            "time": (SIZE, 1),
            "time_bias": (1,),
        }
        starts = [generator("cpu", "start", "tax", seed) for seed in seeds]
        self.weights = {
            name: torch.stack([_start(name, shape, randomness) for randomness in starts]).to(device).requires_grad_()
            for name, shape in shapes.items()
        }
        self.share = torch.full((len(self.seeds),), SHARE, device=device)
        self.moving = {
            f"{layer}{what}": torch.full_like(self.weights[f"{layer}scale"], value, requires_grad=False)
            for layer in ("", "branch.")
            for what, value in (("mean", 0.0), ("variance", 1.0))
        }

    def state(self, batch: int) -> State:
        """Return the initial state, which is 0."""
        return tuple(torch.zeros(n * len(self.seeds), batch, SIZE, device=self.device) for n in (1, 1, BRANCHES, BRANCHES))  # type: ignore[return-value]

    def read(
        self,
        rows: Tensor,
        values: Tensor,
        state: State,
        keep: Tensor | None = None,
        real: Tensor | None = None,
        masks: Masks | None = None,
    ) -> tuple[Tensor, State]:
        """Read T steps. Return the outputs of the branches (T, 2 S, B, H) and the state afterwards.

        ``rows`` (S or 1, T, B) and ``values`` (S or 1, T, B, 6) are of the events; where ``keep`` (T, S, B, 1) is 0, all states
        are forgotten before the step; ``real`` and ``masks`` are given in training: the places that normalisation counts, with a
        1, and dropout.
        """
        h, c, branch_h, branch_c = state
        outputs, h, c = lstm(self._gates(rows, values, masks), self.weights["recurrent"], h, c, keep)
        z = self._branch_gates(self.normalised(outputs, "", real), masks)
        kept = None if keep is None else for_branches(keep)
        outputs, branch_h, branch_c = lstm(z, self.weights["branch.recurrent"].flatten(0, 1), branch_h, branch_c, kept)
        return outputs, (h, c, branch_h, branch_c)

    def _gates(self, rows: Tensor, values: Tensor, masks: Masks | None) -> Tensor:
        """Return what events contribute to the gates of the first LSTM: (T, S, B, 4H). One-hot vectors are not written out."""
        kernel, (_, steps, batch) = self.weights["kernel"], rows.shape
        models, size, width = kernel.shape
        values = values.flatten(1, 2) if masks is None else values.flatten(1, 2) * masks.values / KEPT
        offsets = torch.arange(models, device=rows.device)[:, None] * size
        of_activity = functional.embedding(rows.flatten(1) + offsets, kernel.flatten(0, 1))
        z = of_activity * values[..., :1] + values[..., 1:] @ kernel[:, -NUMBERS:] + self.weights["bias"][:, None]
        return z.view(models, steps, batch, width).transpose(0, 1).contiguous()

    def _branch_gates(self, read: Tensor, masks: Masks | None) -> Tensor:
        """Return what the first layer's outputs (T, S, B, H) contribute to the gates of the branches: (T, 2 S, B, 4H)."""
        steps, models, batch, size = read.shape
        joined = read.transpose(0, 1).reshape(models, 1, steps * batch, size)
        joined = joined if masks is None else joined * masks.branches / KEPT
        z = joined @ self.weights["branch.kernel"] + self.weights["branch.bias"][:, :, None]
        return z.view(models * BRANCHES, steps, batch, -1).transpose(0, 1).contiguous()

    def normalised(self, outputs: Tensor, layer: str, real: Tensor | None) -> Tensor:
        """Return scale (x - mean) / sqrt(variance + 0.001) + shift of outputs (T, S or 2 S, B, H), for each model and number.

        If ``real`` is given, mean and variance are computed over the real places, and update the moving averages. Otherwise the
        moving averages are used.
        """
        scale, shift = (self.weights[f"{layer}{what}"].view(-1, 1, SIZE) for what in ("scale", "shift"))
        if real is None:
            mean, variance = (self.moving[f"{layer}{what}"].view(-1, 1, SIZE) for what in ("mean", "variance"))
        else:
            count = real.sum((0, 2), keepdim=True).clamp(min=1)
            mean = (outputs * real).sum((0, 2), keepdim=True) / count
            variance = ((outputs - mean) ** 2 * real).sum((0, 2), keepdim=True) / count
            self._move(layer, mean, variance)
        return (outputs - mean) * (scale * (variance + TINY).rsqrt()) + shift

    @torch.no_grad()
    def _move(self, layer: str, mean: Tensor, variance: Tensor) -> None:
        for what, value in (("mean", mean), ("variance", variance)):
            moving = self.moving[f"{layer}{what}"]
            moving.lerp_(value.view_as(moving), self.share.view(-1, *[1] * (moving.dim() - 1)))

    def heads(self, outputs: Tensor, real: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits (S, T B, V) and the times (S, T B), given the outputs of the branches (T, 2 S, B, H)."""
        steps, models, batch, size = outputs.shape
        normal = self.normalised(outputs, "branch.", real).view(steps, -1, BRANCHES, batch, size)
        activity, time = normal.permute(2, 1, 0, 3, 4).reshape(BRANCHES, models // BRANCHES, steps * batch, size)
        logits = torch.baddbmm(self.weights["activity_bias"][:, None], activity, self.weights["activity"])
        return logits, torch.baddbmm(self.weights["time_bias"][:, None], time, self.weights["time"])[..., 0]


def for_branches(of_models: Tensor) -> Tensor:
    """Repeat values for models (T, S, B, ...), so that there is one for each of their branches."""
    return of_models[:, :, None].expand(-1, -1, BRANCHES, *of_models.shape[2:]).flatten(1, 2)


def _start(name: str, shape: tuple[int, ...], randomness: torch.Generator) -> Tensor:
    """Return the initial value of a weight."""
    if name.endswith("scale"):
        return torch.ones(shape)
    if name.endswith(("bias", "shift")):
        zeros = torch.zeros(shape)
        if name in ("bias", "branch.bias"):
            zeros[..., SIZE : 2 * SIZE] = 1.0
        return zeros
    limit = (6 / sum(shape[-2:])) ** 0.5
    return (2 * torch.rand(shape, generator=randomness) - 1) * limit


Predictions = Iterator[tuple[Tensor, Tensor, Tensor]]  # some events, the logits (S, n, V) and the times (S, n) after them


class TaxTrainer(JointTrainer):
    """Train a model for each seed. A subclass defines what the time head learns and how cases are read.

    ``known`` are the cases whose mean times are the units. ``time`` returns what the time head should predict after each event of
    some cases, in seconds, and whether it should predict anything.
    """

    def __init__(
        self,
        task: Task,
        seeds: Sequence[int],
        device: str,
        epochs: int,
        known: Sequence[Part],
        time: Callable[[Part], tuple[Floats, NDArray[np.bool_]]],
    ) -> None:
        self.units: Units = units_of(known)
        self.models = TaxModels(task.vocabulary_size, seeds, device)
        super().__init__(task, self.models.weights | self.models.moving, len(self.models.seeds), device, epochs)
        self.events: dict[str, Events] = {}
        for name in ("training", "validation", "test"):
            part = getattr(task, name)
            self.events[name] = events_of(task, part, self.units, *time(part), device)
        for moment in ("first", "second"):
            self.tensors |= {f"{moment}.{name}": torch.zeros_like(weight) for name, weight in self.models.weights.items()}
        self.generators |= {f"dropout.{seed}": generator(device, "dropout", TAX, seed) for seed in seeds}

    @abstractmethod
    def predictions(self, events: Events) -> Predictions:
        """Yield predictions after each event, from its case so far, without dropout."""

    def masks(self, places: int) -> Masks:
        """Return dropout masks for a number of places."""
        shapes = (places, self.events["training"].values.shape[1]), (BRANCHES, places, SIZE)
        masks = [torch.empty(len(self.generators), *shape, dtype=torch.uint8, device=self.device) for shape in shapes]
        for seed, randomness in enumerate(self.generators.values()):
            for mask in masks:
                mask[seed].bernoulli_(KEPT, generator=randomness)
        return Masks(*masks)

    @torch.no_grad()
    def validation_losses(self) -> Tensor | None:
        """Return the mean loss over all events of the validation cases."""
        events = self.events["validation"]
        total = torch.zeros(len(self.models.seeds), device=self.device)
        for places, logits, times in self.predictions(events):
            total += losses_of(events, places[None], logits, times).sum(dim=1)
        return total / len(events.rows) if len(events.rows) else None

    def outcomes(self) -> list[dict[str, Any]]:
        """Return, for each trained model, its scores on the test cases and the epoch of its weights."""
        predicted, brier, seconds = self.evaluate()
        targets = self.task.targets()
        return [
            {
                "method": TAX,
                "seed": seed,
                **scores(targets, predicted[m], float(brier[m]), self.task.vocabulary_size),
                **self.time_figures(seconds[m]),
                "epoch": epoch,
            }
            for m, (seed, epoch) in enumerate(zip(self.models.seeds, self.epochs_of_weights(), strict=True))
        ]

    def time_figures(self, seconds: Floats) -> dict[str, float | None]:
        """Return ``time_mae``, the mean absolute error of the time until the next event in days.

        The mean is over all events of the test cases that have a next event.
        """
        return {"time_mae": mean_error(seconds, *waits(self.task.test))}

    @torch.no_grad()
    def evaluate(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return, for each model, the likeliest id after each event of the test cases, the mean Brier score, and the seconds."""
        events = self.events["test"]
        shape = len(self.models.seeds), len(events.rows)
        predicted, seconds = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        brier = torch.zeros(shape[0], dtype=torch.float64, device=self.device)
        for places, logits, times in self.predictions(events):
            at = places.cpu().numpy()
            predicted[:, at] = logits.argmax(dim=2).cpu().numpy()
            seconds[:, at] = times.cpu().numpy() * self.units.gap
            brier += brier_sums(logits, events.targets[places])
        return predicted, (brier / max(shape[1], 1)).cpu().numpy(), seconds

    def at_a_time(self, steps: int) -> int:
        """Return how many sequences of this length are predicted at once."""
        widest = max(BRANCHES * 4 * SIZE, self.models.vocabulary_size)
        return max(1, _CELLS // (len(self.models.seeds) * steps * widest))


def losses_of(events: Events, places: Tensor, logits: Tensor, times: Tensor) -> Tensor:
    """Return the losses (S, n) after each event (S or 1, n): -ln p(target) + |time - target|, the latter if there is a time.

    A negative number stands for no event; its loss is 0.
    """
    numbers = places.clamp(min=0).expand(len(logits), -1)
    wanted = events.targets[numbers].flatten()
    of_activity = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted, reduction="none").view_as(times)
    return (of_activity + (times - events.times[numbers]).abs() * events.timed[numbers]) * (places >= 0)


def mean_error(predicted: Floats, true: Floats, counts: NDArray[np.bool_]) -> float | None:
    """Return the mean absolute error in days, given seconds, over the events that count; None if none counts."""
    return float(np.abs(predicted - true)[counts].mean() / DAY) if counts.any() else None


def copied_time(part: Part) -> tuple[Floats, NDArray[np.bool_]]:
    """Return what the time head learns: the gap before each event, for all events."""
    return gaps(part), np.ones(len(part.ids), dtype=bool)


class TaxPublishedTrainer(TaxTrainer):
    """Train a model for each seed as published."""

    patience = PUBLISHED_PATIENCE

    def __init__(self, task: Task, seeds: Sequence[int], device: str, epochs: int = PUBLISHED_EPOCHS) -> None:
        parts = task.training, task.validation, task.test
        super().__init__(task, seeds, device, epochs, parts, copied_time)
        self.steps = max(int(part.lengths.max(initial=0)) for part in parts) + 1
        n = len(self.models.seeds)
        self.tensors |= {
            "done": torch.zeros((), device=device),  # batches so far, of all epochs
            "product": torch.ones((), device=device),  # of Nadam's momenta so far
            "rate": torch.full((n,), RATE, device=device),
            "plateau": torch.full((n,), float("inf"), device=device),
            "waited": torch.zeros(n, dtype=torch.int64, device=device),
        }

    def train_epoch(self) -> None:
        """Learn from all prefixes."""
        prefixes = torch.arange(len(self.events["training"].rows), device=self.device)  # each has the number of its last event
        for start in range(0, len(prefixes), BATCH):
            ends = prefixes[start : start + BATCH]
            self.step(ends)

    def step(self, ends: Tensor) -> Tensor:
        """Learn from the prefixes that end with these events, and return the losses before the update."""
        losses = self.losses(ends)
        gradients = self.gradients(losses)
        with torch.no_grad():
            self.tensors["done"] += 1
            self.tensors["product"] *= momentum(self.tensors["done"])
            for name, gradient in gradients.items():
                moments = self.tensors[f"first.{name}"], self.tensors[f"second.{name}"]
                schedule = self.tensors["done"], self.tensors["product"], self.for_each(self.tensors["rate"], name)
                nadam(self.models.weights[name], gradient.clamp_(-CLIP, CLIP), *moments, *schedule)
        return losses.detach()

    def losses(self, ends: Tensor) -> Tensor:
        """Return the training loss of each model on the prefixes that end with these events."""
        events, models = self.events["training"], self.models
        rows, values = events.inputs(places_of(events, ends, self.steps)[None])
        everywhere = values.new_ones(self.steps, len(models.seeds), len(ends), 1)
        outputs, _ = models.read(rows, values, models.state(len(ends)), real=everywhere, masks=self.masks(rows.numel()))
        logits, times = models.heads(outputs[-1:], for_branches(everywhere[-1:]))
        return losses_of(events, ends[None], logits, times).mean(dim=1)

    @torch.no_grad()
    def adapt(self, losses: Tensor) -> None:
        """Halve the rate of a model whose loss has not fallen for long."""
        plateau, waited, rate = (self.tensors[name] for name in ("plateau", "waited", "rate"))
        falls = losses < plateau - IMPROVEMENT
        plateau.copy_(torch.where(falls, losses, plateau))
        waited.copy_(torch.where(falls, 0, waited + 1))
        rate.copy_(torch.where(waited >= PLATEAU, rate / 2, rate))
        waited.copy_(torch.where(waited >= PLATEAU, 0, waited))

    @torch.no_grad()
    def predictions(self, events: Events) -> Predictions:
        """Yield predictions after each event, from its case so far, without dropout; the longest prefixes first."""
        lengths = torch.arange(len(events.starts), device=self.device) - events.starts + 1
        order = torch.argsort(lengths, descending=True, stable=True)
        empty = self._states_after_empty_places()
        start = 0
        while start < len(order):
            steps = int(lengths[order[start]])
            ends = order[start : start + self.at_a_time(steps)]
            state = [part.expand(-1, len(ends), -1).contiguous() for part in empty[self.steps - steps]]
            rows, values = events.inputs(places_of(events, ends, steps)[None])
            outputs, _ = self.models.read(rows, values, tuple(state))  # type: ignore[arg-type]
            yield ends, *self.models.heads(outputs[-1:])
            start += len(ends)

    def _states_after_empty_places(self) -> list[State]:
        """Return the states after 0, 1, ... empty places."""
        states = [self.models.state(1)]
        rows, values = self.events["training"].inputs(torch.full((1, 1, 1), -1, device=self.device))
        for _ in range(self.steps - 1):
            states.append(self.models.read(rows, values, states[-1])[1])
        return states

    def time_figures(self, seconds: Floats) -> dict[str, float | None]:
        """Return the errors of the time head. ``copied_time_mae`` is its error for what it learned, the time before an event."""
        return {**super().time_figures(seconds), "copied_time_mae": mean_error(seconds, *copied_time(self.task.test))}


def places_of(events: Events, ends: Tensor, steps: int) -> Tensor:
    """Return the events (steps, B) of the prefixes that end with these events; -1 for an empty place."""
    places = ends - torch.arange(steps - 1, -1, -1, device=ends.device)[:, None]
    return torch.where(places >= events.starts[ends], places, -1)


class TaxSoundTrainer(TaxTrainer):
    """Train a model for each seed soundly."""

    patience = PATIENCE

    def __init__(self, task: Task, seeds: Sequence[int], device: str, epochs: int = EPOCHS) -> None:
        super().__init__(task, seeds, device, epochs, [task.training], waits)
        self.tensors |= dict(zip(_STATE, self.models.state(ROWS), strict=True))
        for name in ("done", "counted"):  # steps of each model so far; what counts in its moving averages
            self.tensors[name] = torch.zeros(len(self.models.seeds), device=device)

    def train_epoch(self) -> None:
        """Learn from all pieces, the cases in a new order for each seed."""
        cases = len(self.task.training.lengths)
        orders = [torch.randperm(cases, generator=generator("cpu", "order", seed, self.epoch)) for seed in self.models.seeds]
        laid = [events_in_pieces(self.task.training, order.numpy()) for order in orders]
        for places in torch.stack(laid, dim=1).to(self.device):
            self.step(places)

    def step(self, places: Tensor) -> Tensor:
        """Learn from a piece (S, 32, 16) of events (-1: no event), and return the losses before the update.

        A model whose piece is empty does not change.
        """
        losses = self.losses(places)
        gradients = self.gradients(losses)
        with torch.no_grad():
            learns = (places >= 0).flatten(1).any(dim=1)
            self.learn_by_adam(gradients, learns, RATE)
        return losses.detach()

    def losses(self, places: Tensor) -> Tensor:
        """Return the training loss of each model: the mean over all places. Empty ones count 0: a short last piece weighs less.

        The state and the moving averages are updated.
        """
        events, models = self.events["training"], self.models
        rows, values = events.inputs(places)
        is_first = places == events.starts[places.clamp(min=0)]
        keep, real = ((part.transpose(0, 1)[..., None]).to(values.dtype) for part in (~is_first, places >= 0))
        self._count((places >= 0).flatten(1).to(values.dtype).mean(dim=1))
        state = tuple(self.tensors[name] for name in _STATE)
        outputs, after = models.read(rows, values, state, keep, real, self.masks(places[0].numel()))  # type: ignore[arg-type]
        for name, tensor in zip(_STATE, after, strict=True):
            self.tensors[name].copy_(tensor)
        logits, times = models.heads(outputs, for_branches(real))
        return losses_of(events, places.flatten(1), logits, times).mean(dim=1)

    @torch.no_grad()
    def _count(self, real: Tensor) -> None:
        """Set how much a piece with this share of real places counts in the moving averages."""
        counted = self.tensors["counted"]
        counted.mul_(FADING**real).add_(real)
        self.models.share.copy_(real / counted.clamp(min=1e-6))

    @torch.no_grad()
    def predictions(self, events: Events) -> Predictions:
        """Yield predictions after each event, from its case so far, without dropout; whole cases, the longest first."""
        starts = np.cumsum(events.lengths) - events.lengths
        order = np.argsort(-events.lengths, kind="stable")
        order = order[events.lengths[order] > 0]
        while len(order):
            steps = int(events.lengths[order[0]])
            chosen, order = np.split(order, [self.at_a_time(steps)])
            inside = np.arange(steps)[:, None]
            places = torch.from_numpy(np.where(inside < events.lengths[chosen], starts[chosen] + inside, -1)).to(self.device)
            rows, values = events.inputs(places[None])
            outputs, _ = self.models.read(rows, values, self.models.state(len(chosen)))
            logits, times = self.models.heads(outputs)
            real = places.flatten() >= 0
            yield places.flatten()[real], logits[:, real], times[:, real]


def events_in_pieces(part: Part, order: NDArray[np.int64]) -> Tensor:
    """Put the cases into rows in this order, and return the number of the event at each place (pieces, 32, 16), or -1."""
    numbered = Part(np.arange(len(part.ids)), part.offsets)
    return Pieces(numbered, order, end=-1).tensors()[0]
