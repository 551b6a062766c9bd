import pytest

from actalike import ActalikeError, EventLog, embed
from actalike.methods.kin import KinEmbedder


def test_more_than_100_activities_get_two_rounds():
    few, many = (EventLog.from_traces([[str(i), "x", str(i + 1), "y"] for i in range(n)]) for n in (97, 98))
    for log, rounds in ((few, 4), (many, 2)):
        assert len(log.activities) == (100 if rounds == 4 else 101)
        fixed = KinEmbedder(3, rounds).fit(log).embedding_
        assert (embed(log, "kin-w3").vectors == fixed.vectors).all()


def test_what_cannot_work_is_refused():
    log = EventLog.from_traces([["a", "b"]])
    for options, message in (
        ({"window": 1}, "needs a neighbour"),
        ({"rounds": 0}, "less than 1"),
        ({"shrinkage": 0}, "not more than 0"),
    ):
        with pytest.raises(ActalikeError, match=message):
            KinEmbedder(**options).fit(log)
