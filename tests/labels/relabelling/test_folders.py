import errno
import os

import polars as pl
import pytest

from actalike import ActalikeError, read_log, relabel, relabel_file
from actalike.labels import relabel_files
from tests.helpers.ocel import purchases, write


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.csv").write_text("case,activity,note\n1,Check,x\n2,Pay,\n")
    (folder / "b.csv").write_text("case;activity\n3;Verify\n3;Pay\n")
    return folder


def test_the_files_of_a_folder_are_relabelled_as_one_log(logs, tmp_path):
    done = relabel_files(logs, {"Verify": "Check"}, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a.csv", "b.csv"]
    assert read_log(tmp_path / "new") == relabel(read_log(logs), {"Verify": "Check"})
    assert (done.events, done.renamed, done.activities, done.activities_before) == (4, 1, 2, 3)
    assert (tmp_path / "new" / "b.csv").read_text() == "case;activity;actalike:original\n3;Check;Verify\n3;Pay;\n"
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("logs", "new")] == []


def test_labels_with_a_blank_name_keep_theirs_in_all_files(logs, tmp_path):
    done = relabel_files(logs, {"Verify": "", "Check": " ", "Pay": "Paid"}, tmp_path / "new")
    assert (done.unnamed, read_log(tmp_path / "new").activities) == (2, ["Check", "Paid", "Verify"])


def test_all_files_are_written_or_none(logs, tmp_path):
    with pytest.raises(ActalikeError, match="Verifi"):
        relabel_files(logs, {"Verifi": "Check"}, tmp_path / "new")
    (logs / "c.csv").write_text("case,activity\n4\n")
    with pytest.raises(ActalikeError, match="field"):
        relabel_files(logs, {"Verify": "Check"}, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_a_folder_that_exists_is_never_replaced(logs, tmp_path):
    (tmp_path / "new").mkdir()
    with pytest.raises(ActalikeError, match="exists"):
        relabel_files(logs, {}, tmp_path / "new")
    with pytest.raises(ActalikeError, match="is one file"):
        relabel_files(logs / "a.csv", {}, tmp_path / "other")


def test_the_folder_is_not_called_like_a_file(logs, tmp_path):
    with pytest.raises(ActalikeError, match="written"):
        relabel_files(logs, {}, tmp_path / "new.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_an_error_of_writing_names_the_folder_that_was_asked_for(logs, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ActalikeError) as caught:
        relabel_files(logs, {}, tmp_path / "new")
    assert str(caught.value) == f"{tmp_path / 'new' / 'a.csv'} cannot be written: No space left on device. Nothing was written."
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_object_centric_logs_are_refused_before_anything_is_written(tmp_path):
    (tmp_path / "logs").mkdir()
    write(purchases(), tmp_path / "logs" / "buy.sqlite")
    with pytest.raises(ActalikeError, match="sqlite"):
        relabel_files(tmp_path / "logs", {"Book invoice": "Enter invoice"}, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_row_without_a_case_keeps_its_label_in_files_folders_and_frames(tmp_path):
    frame = pl.DataFrame({"case": ["1", None, "1"], "activity": ["a", "a", "b"]})
    kept = [("1", "A", "a"), (None, "a", None), ("1", "b", None)]
    (tmp_path / "logs").mkdir()
    for kind in ("csv", "parquet"):
        getattr(frame, f"write_{kind}")(tmp_path / "logs" / f"log.{kind}")
        relabel_file(tmp_path / "logs" / f"log.{kind}", {"a": "A"}, tmp_path / f"new.{kind}", missing="skip")
    relabel_files(tmp_path / "logs", {"a": "A"}, tmp_path / "new", cases="separate", missing="skip")
    for folder, stem in ((tmp_path, "new"), (tmp_path / "new", "log")):
        assert pl.read_csv(folder / f"{stem}.csv", infer_schema=False).rows() == kept
        assert pl.read_parquet(folder / f"{stem}.parquet").rows() == kept
    for each in (frame, frame.cast({"activity": pl.Categorical}), frame.to_arrow(), frame.cast(pl.Categorical).to_arrow()):
        assert pl.DataFrame(relabel(each, {"a": "A"}, missing="skip")).rows() == kept
    categories = relabel(frame.to_pandas().astype({"activity": "category"}), {"a": "A"}, missing="skip")
    assert categories["activity"].tolist() == ["A", "a", "b"]
