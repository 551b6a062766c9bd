"""Compute the inputs and targets of Tax's model: an event is an activity and five numbers, a target is an id and a time.

The numbers are: the event's position in its case, 1, 2, ...; the seconds since the event before and the seconds since the case
began (0 for a first event), each divided by its mean over the events of some cases; the seconds since midnight / 86,400; and the
weekday / 7, where Monday is 0. Midnight and weekdays are in UTC.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .task import Part, Task, TaskError

DAY = 86_400.0
NUMBERS = 5
_THURSDAY = 3  # the weekday of 1 January 1970, from which seconds are counted

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
