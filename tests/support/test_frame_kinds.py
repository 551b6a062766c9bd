"""Frames of other libraries."""

import sys
from datetime import UTC, datetime

import polars as pl
import pytest

from actalike.errors import ActalikeError
from actalike.support.frame_kinds import as_kind

FRAME = pl.DataFrame({"a": ["x", None], "at": [datetime(2024, 1, 1, tzinfo=UTC), None], "n": [1.5, 2.5]})


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_frames_of_all_kinds_have_the_same_content(kind, monkeypatch):
    pytest.importorskip(kind)
    assert pl.DataFrame(as_kind(FRAME, kind)).equals(FRAME)
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(ImportError, match=f"pip install {kind}"):
        as_kind(FRAME, kind)


def test_polars_frames_stay_as_they_are_and_other_kinds_are_refused():
    assert as_kind(FRAME, "polars") is FRAME
    with pytest.raises(ActalikeError, match="kind='excel' is none of"):
        as_kind(FRAME, "excel")
