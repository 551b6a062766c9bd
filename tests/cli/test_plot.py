"""The commands that draw: each writes the file it is asked for, or says why not."""

import json

import pytest

from actalike import write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers import commands

KINDS = {
    "activities": ["--beside-paper-logs"],
    "zipf": ["--law-from-one"],
    "positions": ["--top", "3"],
    "directly-follows": ["--top", "6", "--arrows", "9"],
    "embedding": ["--method", "kin-w3", "--method", "one-hot", "--dimensions", "3"],
    "heat-map": ["--of", "vectors", "--method", "aa-sequence-pmi-w3"],
    "map": ["--arrows", "4"],
}


def run(*arguments):
    return commands.run("plot", *arguments)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "BPIC15_1.xes.gz"
    write_log(loan_desk(30), path)
    return path


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_with_and_without_its_options(kind, log, tmp_path):
    plain = run(kind, log, "-o", tmp_path / "plain.png")
    assert (plain.returncode, commands.without_what_was_read(plain.stderr)) == (0, [])
    assert plain.stdout == f"{tmp_path / 'plain.png'}: BPIC15_1\n"
    changed = run(kind, log, "-o", tmp_path / "changed.png", *KINDS[kind], "--json")
    assert changed.returncode == 0, changed.stderr
    facts = json.loads(changed.stdout)
    assert (facts["output"], facts["logs"]) == (str(tmp_path / "changed.png"), ["BPIC15_1"])
    assert [read["cases"] for read in facts["read"]] == [30]
    assert (tmp_path / "plain.png").read_bytes() != (tmp_path / "changed.png").read_bytes()


def test_several_logs_are_drawn_together_and_their_names_must_differ(log, tmp_path):
    other = tmp_path / "other.csv"
    write_log(loan_desk(20), other)
    done = run("zipf", log, other, "-o", tmp_path / "zipf.svg")
    assert done.stdout == f"{tmp_path / 'zipf.svg'}: BPIC15_1, other\n"
    twice = run("zipf", log, log, "-o", tmp_path / "twice.svg")
    assert twice.returncode == 1
    assert "both called BPIC15_1" in twice.stderr
    assert not (tmp_path / "twice.svg").exists()


def test_a_wrong_ending_is_said_before_the_log_is_read(tmp_path):
    done = run("map", tmp_path / "missing.xes", "-o", tmp_path / "map.jpeg")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "must end in .png, .svg or .pdf" in done.stderr


def test_logs_are_read_with_the_reading_options(tmp_path):
    (tmp_path / "orders.csv").write_text("Order;Step\n1;a\n1;b\n2;a\n")
    done = run("zipf", tmp_path / "orders.csv", "-o", tmp_path / "zipf.png", "--case", "Order", "--activity", "Step")
    assert done.returncode == 0, done.stderr
    wrong = run("zipf", tmp_path / "orders.csv", "-o", tmp_path / "zipf.png", "--case", "Nothing")
    assert wrong.returncode == 1
