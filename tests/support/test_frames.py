"""Frames of other libraries."""

import sys
from datetime import UTC, datetime

import polars as pl
import pytest

from actalike.errors import ActalikeError
from actalike.support.frames import as_kind

FRAME = pl.DataFrame({"a": ["x", None], "at": [datetime(2024, 1, 1, tzinfo=UTC), None], "n": [1.5, 2.5]})


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_frames_of_all_kinds_have_the_same_content(kind, monkeypatch):
    pytest.importorskip(kind)
    assert pl.DataFrame(as_kind(FRAME, kind)).equals(FRAME)
    monkeypatch.setitem(sys.modules, kind, None)
    with pytest.raises(ImportError, match=f"pip install {kind}"):
        as_kind(FRAME, kind)


def test_pandas_gets_the_same_frame_with_and_without_pyarrow(monkeypatch):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    by_arrow = as_kind(FRAME, "pandas")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    pandas.testing.assert_frame_equal(as_kind(FRAME, "pandas"), by_arrow)


def test_pyarrow_gets_plain_strings_which_every_version_of_it_and_of_pandas_reads():
    arrow = pytest.importorskip("pyarrow")
    assert as_kind(FRAME, "pyarrow").schema.field("a").type == arrow.string()


def test_polars_frames_stay_as_they_are_and_other_kinds_are_refused():
    assert as_kind(FRAME, "polars") is FRAME
    with pytest.raises(ActalikeError, match="excel"):
        as_kind(FRAME, "excel")
