"""Turn events into a frame with a row for each of them."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.log.attributes import Attribute


def event_frame(
    cases: tuple[str, Sequence[str], NDArray[np.int64]],
    activities: tuple[str, Sequence[str], NDArray[np.int32]],
    timestamps: tuple[str, NDArray[np.datetime64] | None],
    attributes: Mapping[str, Attribute],
) -> pl.DataFrame:
    """Return the columns of cases (name, ids, lengths), activities (name, labels, codes), timestamps (if any), attributes."""
    case, case_ids, lengths = cases
    activity, labels, codes = activities
    timestamp, times = timestamps
    columns = {
        case: pl.Series(case_ids, dtype=pl.String).gather(np.repeat(np.arange(len(lengths)), lengths)),
        activity: pl.Series(labels, dtype=pl.String).gather(codes),
    }
    if times is not None:
        columns[timestamp] = pl.Series(times).dt.replace_time_zone("UTC")
    return pl.DataFrame(columns | {name: _column(attribute) for name, attribute in attributes.items()})


def _column(attribute: Attribute) -> pl.Series:
    values = pl.Series([*attribute.values, None], dtype=pl.String)
    return values.gather(np.where(attribute.codes < 0, len(attribute.values), attribute.codes))
