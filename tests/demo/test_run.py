"""The demonstration, start to end."""

import pytest

from actalike import ActalikeError, group, read_log
from actalike.demo.loan_desk import loan_desk
from actalike.demo.run import ASKED, run


def test_it_writes_a_log_and_a_report_and_proposes_groups(tmp_path):
    demo = run(tmp_path / "new" / "folder")
    assert read_log(demo.log_file, attributes="people") == loan_desk()
    assert {path.name for path in demo.log_file.parent.iterdir()} == {"loan_desk.xes.gz", "report.html"}
    assert set(ASKED) in [set(proposal.activities) for proposal in demo.groups]
    assert demo.groups == group(loan_desk())


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ActalikeError, match="created"):
        run(tmp_path / "file")
