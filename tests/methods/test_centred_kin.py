import pytest

from actalike import ActalikeError, EventLog, count_windows, embed
from actalike.methods.centred_kin import CentredKinEmbedder


def test_more_than_100_activities_get_two_rounds():
    few, many = (EventLog.from_traces([[str(i), "x", str(i + 1), "y"] for i in range(n)]) for n in (97, 98))
    for log, rounds in ((few, 6), (many, 2)):
        assert len(log.activities) == (100 if rounds == 6 else 101)
        fixed = CentredKinEmbedder(3, rounds).fit(log).embedding_
        assert (embed(log, "kin2-w3").cosines == fixed.cosines).all()


def test_counts_give_the_embedding_of_the_log():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c", "x"]] * 5)
    assert (embed(count_windows(log, 7), "kin2-w5").cosines == embed(log, "kin2").cosines).all()


def test_what_cannot_work_is_refused(monkeypatch):
    log = EventLog.from_traces([["a", "b"]])
    for options, message in (
        ({"window": 1}, "kin2-w1 needs a neighbour"),
        ({"rounds": 0}, "less than 1"),
        ({"shrinkage": 0}, "not more than 0"),
    ):
        with pytest.raises(ActalikeError, match=message):
            CentredKinEmbedder(**options).fit(log)
    monkeypatch.setenv("ACTALIKE_MEMORY", "20MB")
    many = EventLog.from_traces([[f"a{i}", f"a{i + 1}"] for i in range(1000)])
    with pytest.raises(
        ActalikeError, match=r"kin2-w5 on 1,001 activities needs about .*choose kin-w5, which needs less for many"
    ):
        embed(many, "kin2-w5")


def test_similarities_have_intervals():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c", "x"]] * 9)
    similarity, low, high = embed(log, "kin2-w3").confidence("a", "b", resamples=20)[:3]
    assert low <= similarity <= high <= 1
