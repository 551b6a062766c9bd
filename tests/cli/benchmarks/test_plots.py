"""The command benchmark plots."""

import json

import pytest

from actalike import benchmark
from actalike.benchmark.tasks.intrinsic import IntrinsicResults
from actalike.support.figures import new_figure
from tests.helpers.commands import fails, ok, refuses


@pytest.fixture
def drawn(monkeypatch):
    """What would be drawn from now on: the output, the format and the logs of each call."""
    drawn = []

    def plots(results, output, *, form, logs):
        drawn.append((output, form, logs))
        return [output / f"a.{form}", output / f"b.{form}"]

    monkeypatch.setattr(benchmark, "plots", plots)
    return drawn


def test_the_paths_of_the_pictures_are_shown(drawn, results, tmp_path):
    shown = ok("benchmark", "plots", results, "-o", tmp_path)
    assert shown.splitlines() == [str(tmp_path / "a.png"), str(tmp_path / "b.png")]
    assert json.loads(ok("benchmark", "plots", results, "-o", tmp_path, "--json")) == shown.splitlines()
    assert drawn == [(tmp_path, "png", None)] * 2


def test_format_and_logs_reach_the_pictures(drawn, results, tmp_path):
    ok("benchmark", "plots", results, "-o", tmp_path, "--format", "pdf", "--logs", "letters", "orders")
    assert drawn == [(tmp_path, "pdf", ["letters", "orders"])]


def test_no_result_is_written_over_through_a_link(results, tmp_path, monkeypatch):
    monkeypatch.setattr(IntrinsicResults, "pictures", lambda _: {"a": new_figure(1, 1)})
    plan = results / "benchmark.json"
    before = plan.read_bytes()
    (tmp_path / "a.png").symlink_to(plan)
    message = fails("benchmark", "plots", results, "-o", tmp_path, "--overwrite")
    assert f"{tmp_path / 'a.png'} is the same file as the input {plan}, which must stay as it is" in message
    assert plan.read_bytes() == before


def test_wrong_calls_are_told(results, tmp_path):
    assert "no results of a log called 'leters'" in fails("benchmark", "plots", results, "-o", tmp_path, "--logs", "leters")
    assert "not a folder of results" in fails("benchmark", "plots", tmp_path, "-o", tmp_path)
    refuses("benchmark", "plots", results, "-o", tmp_path, "--format", "gif")
