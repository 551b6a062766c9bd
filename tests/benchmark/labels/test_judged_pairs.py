import csv
from pathlib import Path

import pytest

from actalike import read_log

ROOT = Path(__file__).parents[3]
VERDICTS = {"synonyms", "outcomes", "companions", "different", "unclear"}


def table(path):
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


JUDGED, MUST_NOT_MERGE = table("measurements/judged_pairs.csv"), table("src/actalike/benchmark/tasks/must_not_merge.csv")


def keys(rows):
    return [(row["log"], row["a"], row["b"]) for row in rows]


@pytest.mark.parametrize("rows", [JUDGED, MUST_NOT_MERGE], ids=["judged", "must not merge"])
def test_pairs_are_sorted_none_stands_twice_and_each_has_a_reason(rows):
    assert keys(rows) == sorted(set(keys(rows)))
    assert all(row["a"] < row["b"] and row["reason"].strip() for row in rows)


def test_every_pair_has_a_verdict():
    assert {row["verdict"] for row in JUDGED} == VERDICTS


def test_what_must_not_merge_was_judged_to_be_outcomes_where_it_was_judged():
    verdicts = dict(zip(keys(JUDGED), (row["verdict"] for row in JUDGED), strict=True))
    judged = [verdicts[key] for key in keys(MUST_NOT_MERGE) if key in verdicts]
    assert len(judged) > 10
    assert set(judged) == {"outcomes"}


@pytest.mark.campaign
@pytest.mark.parametrize("name", sorted({row["log"] for row in JUDGED + MUST_NOT_MERGE}))
def test_every_judged_label_is_in_its_log(name, log_file):
    labels = {row[side] for row in JUDGED + MUST_NOT_MERGE if row["log"] == name for side in "ab"}
    assert labels <= set(read_log(log_file(name)).activities)
