import pytest

from actalike.benchmark.logs import find_logs
from actalike.benchmark.matching.log_pairs import LogPair, NamedLog, find_pairs
from actalike.benchmark.matching.run import takes_log
from actalike.errors import ActalikeError
from actalike.log import EventLog
from tests.benchmark.matching.conftest import town


def test_logs_are_read_with_what_their_codes_mean(towns):
    named = NamedLog.of_file(find_logs([towns / "town1.csv"], takes_log), "town1")
    assert named.texts["01_HOOFD_000"] == "step 0"
    assert named.texts["01_HOOFD_060"] == named.texts["01_HOOFD_070"] == "step 6"


def test_pairs_are_two_logs_in_one_scheme_and_two_halves_of_each():
    logs = {"t1": NamedLog(town(1), {"01_HOOFD_000": "begin"}), "t2": NamedLog(town(2), {})}
    pairs = {pair.name: pair for pair in find_pairs(logs)}
    assert list(pairs) == ["t1~t2", "t1~by-time", "t1~by-cases", "t2~by-time", "t2~by-cases"]
    both = pairs["t1~t2"]
    assert (both.kind, both.family, both.texts_a) == ("codes", "t1", {"01_HOOFD_000": "begin"})
    assert both.log_a.timestamps is None
    assert not both.log_a.attributes
    facts = both.facts()
    assert (facts["cases"], facts["activities"], facts["events"]) == (120, 8, logs["t1"].log.n_events + logs["t2"].log.n_events)
    assert pairs["t1~by-time"].log_a.n_cases == 30
    assert pairs["t1~by-cases"].log_b is None
    assert len({pair.digest for pair in pairs.values()}) == 5
    assert [pair.kind for pair in find_pairs(logs, ["time"])] == ["time", "time"]


def test_logs_of_the_same_events_and_logs_with_few_labels_are_no_pairs():
    sentences = []
    logs = {"t": NamedLog(town(1), {}), "u": NamedLog(town(1), {}), "few": NamedLog(EventLog.from_traces([["a", "b"]] * 9), {})}
    assert find_pairs(logs, ["codes"], sentences.append) == []
    assert sentences == ["t and u are not matched with each other: they record the same events."]
    assert all(not pair.name.startswith("few") for pair in find_pairs(logs))


def test_pairs_of_one_challenge_are_a_family_and_names_are_unique():
    log = town(1)
    assert LogPair("BPIC15_1~BPIC15_4", "codes", log, log, {}, {}).family == "BPIC15"
    with pytest.raises(ActalikeError, match="by-time"):
        find_pairs({"a": NamedLog(log, {}), "b~by-time": NamedLog(town(2), {}), "a~b": NamedLog(town(3), {})})
