"""Damaged result files are rejected in one sentence, wherever the damage is."""

import json
import random
import shutil
import warnings

import pytest

from actalike import ActalikeError, EventLog, benchmark, write_log
from actalike.report.leaderboard import write_leaderboard

ODD = [-1, 1e308, float("nan"), "", "\ud800", None, [], {}, True, 10**400, [[[[]]]], {"a": 1}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("sound")
    write_log(EventLog.from_traces([["a", "b", "c"], ["a", "c", "b"]] * 5), place / "log.csv")
    benchmark.run("intrinsic", logs=[place / "log.csv"], methods=["one-hot", "kin-w3"], r=[1], w=[2], out=place / "intrinsic")
    return place / "intrinsic"


def places_in(value, place=()):
    yield place
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places_in(item, (*place, key))


def damage(content, chance):
    """Put something odd in any place, or remove what is there."""
    *outer, last = chance.choice(list(places_in(content))[1:])
    inner = content
    for key in outer:
        inner = inner[key]
    if chance.random() < 0.25:
        del inner[last]
    else:
        inner[last] = chance.choice(ODD)
    return content


def test_a_damaged_result_file_is_rejected_in_words_or_harmless(folder, tmp_path):
    chance = random.Random(7)
    shutil.copytree(folder, tmp_path / "out")
    refusals = []
    files = sorted((tmp_path / "out").rglob("*.json"))
    for _ in range(150):
        file = chance.choice(files)
        sound = file.read_text()
        file.write_text(json.dumps(damage(json.loads(sound), chance)))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                benchmark.table(tmp_path / "out")
                write_leaderboard([tmp_path / "out"], tmp_path / "page.html")
        except ActalikeError as error:
            refusals.append(str(error))
        file.write_text(sound)
    assert sum("is not a sound result file" in refusal for refusal in refusals) > 30
    assert benchmark.table(tmp_path / "out")


@pytest.mark.parametrize("asked", [True, 3, None, {"log": "many"}, [{"participants": ["one-hot"], "units": {"log": "whole"}}]])
def test_a_request_of_another_type_is_refused(folder, tmp_path, asked):
    shutil.copytree(folder, tmp_path / "out")
    (request,) = (tmp_path / "out" / "_requests").iterdir()
    request.write_text(json.dumps({**json.loads(request.read_text()), "asked": asked}))
    with pytest.raises(ActalikeError, match="sound"):
        benchmark.table(tmp_path / "out")


def test_brackets_without_end_and_unknown_figures_are_refused(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "out")
    (cell,) = (tmp_path / "out").glob("*/r01-w2/_counts.json")
    content = json.loads(cell.read_text())
    cell.write_text('{"a":' * 100_000)
    with pytest.raises(ActalikeError, match="deep"):
        benchmark.table(tmp_path / "out")
    content["participants"]["kin-w3"]["figures"][0]["I_new"] = 0.5
    cell.write_text(json.dumps(content))
    with pytest.raises(ActalikeError, match="I_new"):
        benchmark.table(tmp_path / "out")


def test_a_result_has_figures_or_an_error(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "out")
    (cell,) = (tmp_path / "out").glob("*/r01-w2/_counts.json")
    content = json.loads(cell.read_text())
    del content["participants"]["kin-w3"]["figures"]
    cell.write_text(json.dumps(content))
    with pytest.raises(ActalikeError, match="figures"):
        benchmark.table(tmp_path / "out")
