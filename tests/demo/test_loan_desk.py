from actalike import embed
from actalike.demo.loan_desk import SAME_STEP, loan_desk


def test_the_log_is_the_same_every_time():
    assert loan_desk(100) == loan_desk(100)
    assert loan_desk(100) != loan_desk(100, seed=8)


def test_the_same_steps_are_found_by_the_default_method():
    embedding = embed(loan_desk())
    for group in SAME_STEP:
        for activity in group:
            assert embedding.most_similar(activity, topn=1)[0][0] in group - {activity}


def test_it_has_optional_and_repeated_steps_and_timestamps_in_order():
    log = loan_desk()
    shares = [sum(label in trace for trace in log.traces()) / log.n_cases for label in log.activities]
    assert any(share == 1 for share in shares)
    assert sum(0.1 < share < 0.9 for share in shares) > 10
    assert any(len(set(trace)) < len(trace) for trace in log.traces())
    for start, end in zip(log.offsets, log.offsets[1:], strict=False):
        times = log.timestamps[start:end]
        assert (times[1:] > times[:-1]).all()
