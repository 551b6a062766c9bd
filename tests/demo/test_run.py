"""The demonstration, start to end."""

import pytest

from actalike import ActalikeError, read_log
from actalike.demo.loan_desk import loan_desk
from actalike.demo.run import ASKED, run


def test_it_writes_a_log_a_report_and_a_map_and_explains_a_pair_exactly(tmp_path):
    demo = run(tmp_path / "new" / "folder", topn=4)
    assert read_log(demo.log_file) == loan_desk()
    assert {path.name for path in demo.log_file.parent.iterdir()} == {"loan_desk.xes.gz", "activity_map.png", "report.html"}
    assert len(demo.pairs) == 4
    assert sum(share.share for share in demo.shares) == pytest.approx(demo.embedding.similarity(*ASKED))
    assert all(context.count_a and context.count_b for context in demo.common)
    assert demo.as_dict()["pairs"][0]["a"] == demo.pairs[0][0]


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ActalikeError, match=r"file cannot be created: File exists"):
        run(tmp_path / "file")
