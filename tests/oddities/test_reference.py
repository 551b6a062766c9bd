"""What a reference log, a saved model and false alarms promise."""

import numpy as np
import pytest
from hypothesis import given

from actalike import Attribute, EventLog, load, odd, odd_model
from actalike.errors import ActalikeError, FileFormatError
from actalike.log import Variants
from tests.helpers.damaged_files import write_unchecked
from tests.helpers.examples import examples
from tests.helpers.naive_oddities import Continuations, log_probability
from tests.helpers.strategies import logs_with_equal_cases

USUAL = [list("abcdef")] * 300 + [list("abdcef")] * 30
NEW = [list("abcdef"), list("abcef"), list("abcdxef"), list("fedcba")]


def with_users(traces, users):
    log = EventLog.from_traces(traces)
    texts = [users[label] for trace in traces for label in trace]
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"user": Attribute.from_texts(texts)})


@examples(15)
@given(logs_with_equal_cases(max_attributes=0), logs_with_equal_cases(max_attributes=0))
def test_a_case_is_as_probable_as_the_cases_of_the_reference_make_it(reference, log):
    labels = list(dict.fromkeys([*log.activities, *reference.activities]))
    flow = odd(log, reference=reference)._flow
    found = flow._probabilities.log_probabilities
    numbers = [[labels.index(label) for label in trace] for trace in reference.traces()]
    others = Continuations(numbers)
    for variant, trace in enumerate(log.variants.traces()):
        case = [labels.index(label) for label in trace]
        first, end = int(flow._cases.first[variant]), int(flow._cases.ends[variant])
        assert found[first : end + 1].sum() == pytest.approx(log_probability(case, others, len(labels)))


def test_what_is_usual_in_the_reference_is_not_odd_and_what_is_not_is():
    scores = odd(EventLog.from_traces(NEW), reference=EventLog.from_traces(USUAL)).case_scores()
    assert scores[0] < 1 < np.log(100) < scores[1:].min()


def test_other_cases_of_the_log_do_not_change_the_score_of_a_case():
    model = odd_model(EventLog.from_traces(USUAL))
    alone, together = (model.score(EventLog.from_traces(traces)).case_scores() for traces in (NEW[1:2], [NEW[1]] * 500 + NEW[:2]))
    assert alone[0] == pytest.approx(together[0]) == pytest.approx(together[-1])


def test_variants_as_a_reference_are_the_same_as_their_log():
    usual, new = EventLog.from_traces(USUAL), EventLog.from_traces(NEW)
    by_variants = odd(new.variants, reference=usual.variants)
    assert sorted(by_variants.case_scores()) == pytest.approx(sorted(odd(new, reference=usual).case_scores()))


def test_a_model_that_was_saved_scores_as_before(tmp_path):
    users = dict(zip("abcdefx", "SSBBSBX", strict=True))
    usual, new = with_users(USUAL, users), with_users(NEW, {**users, "e": "X"})
    for model in (odd_model(usual), odd_model(usual, [])):
        model.save(tmp_path / "model.actalike")
        again = load(tmp_path / "model.actalike")
        again.save(tmp_path / "again.actalike")
        assert (tmp_path / "again.actalike").read_bytes() == (tmp_path / "model.actalike").read_bytes()
        assert again.score(new).case_scores().tolist() == model.score(new).case_scores().tolist()
        assert again.score(new).attributes == model.attributes
    assert odd(new, reference=usual).case_scores()[0] > odd(new, [], reference=usual).case_scores()[0], "who did it is unusual"


@pytest.mark.parametrize(
    "changed",
    [{"codes": [0, 5]}, {"lengths": [3]}, {"value0": [0, 1, 0]}, {"value0": [0, 9]}, {"weights": [1]}, {"lengths": [-1, 3]}],
)
def test_a_model_whose_parts_contradict_each_other_is_rejected(tmp_path, changed):
    header = {"format": 1, "kind": "odd-model", "activities": ["a"], "attributes": [{"name": "u", "values": ["x"]}]}
    dtypes = {"codes": np.int32, "lengths": np.int64, "value0": np.int32, "weights": np.int64}
    parts = {"codes": [0, 0], "lengths": [2], "value0": [0, -1]} | changed
    path = write_unchecked(
        tmp_path / "x.actalike", header, {name: np.array(one, dtype=dtypes[name]) for name, one in parts.items()}
    )
    with pytest.raises(FileFormatError, match="nothing was read"):
        load(path)


def test_an_attribute_that_the_reference_lacks_is_an_error_if_it_is_asked_for():
    new = with_users(NEW, dict.fromkeys("abcdefx", "S"))
    with pytest.raises(ActalikeError, match="has no attribute"):
        odd(new, ["user"], reference=EventLog.from_traces(USUAL))
    assert odd(new, reference=EventLog.from_traces(USUAL)).attributes == ()


def test_probabilities_rise_with_scores_and_are_higher_where_more_is_wrong():
    random = np.random.default_rng(0)
    wrong = [random.permutation(list("abcdef")).tolist() for _ in range(40)]
    few, many = (EventLog.from_traces(USUAL * 2 + wrong[:n]) for n in (1, 40))
    for log in (few, many):
        result = odd(log)
        order = np.argsort(result.case_scores())
        assert (np.diff(result.probabilities()[order]) >= 0).all()
        assert ((result.probabilities() >= 0) & (result.probabilities() <= 1)).all()
    assert odd(few).rate < odd(many).rate


def test_of_a_clean_reference_no_more_cases_are_called_odd_than_was_allowed():
    random = np.random.default_rng(0)
    traces = [[f"step {min(code, 6)}" for code in row] for row in random.geometric(0.4, (3000, 8))]
    usual, new = (EventLog.from_traces(part) for part in (traces[:1500], traces[1500:]))
    result = odd(new, reference=usual)
    for allowed in (0.01, 0.05, 0.2):
        assert 0 < result.alarms(allowed).mean() < 1.5 * allowed
    assert odd(new, reference=usual, false_alarms=0.05).called.tolist() == result.alarms(0.05).tolist()


@pytest.mark.parametrize("share", [-0.1, 1.1, "1%", True, None])
def test_false_alarms_are_a_share(share):
    with pytest.raises(ActalikeError, match="share"):
        odd(EventLog.from_traces(NEW)).alarms(share)


def test_variants_of_several_strata_are_learned_as_one():
    variants = EventLog.from_traces(USUAL).variants
    divided = Variants(
        variants.activities,
        variants.codes,
        variants.offsets,
        variants.weights,
        None,
        ["x", "y"],
        np.array([0, 1], dtype=np.int32),
    )
    assert odd_model(divided).variants.n_cases == len(USUAL)


def drifting(n_cases):
    """Cases in which ever other steps are rare."""
    random = np.random.default_rng(1)
    return [
        [f"step {step + 5 * (random.random() < 0.02) * (number * 40 // n_cases)}" for step in range(5)]
        for number in range(n_cases)
    ]


def test_cases_of_another_time_are_called_no_more_often_than_was_allowed_in_a_log_that_changes():
    traces = drifting(4000)
    usual, new = (EventLog.from_traces(part) for part in (traces[:2000], traces[2000:]))
    model = odd_model(usual)
    assert model.score(new).alarms(0.1).mean() < 0.12
    later, each_left_out = (np.sort(scores) for scores in (model.ordinary_scores(new)[0], model.usual.case_scores()))
    assert later.mean() > each_left_out.mean(), "what is new to a part of the reference is odder"


def test_cases_of_the_time_of_the_reference_are_compared_with_single_cases_that_are_left_out():
    days = np.arange("2024-01-01", "2024-02-20", dtype="datetime64[D]")
    codes, offsets = np.zeros(50, dtype=np.int32), np.arange(51)
    log = EventLog(["a"], codes, offsets, [str(i) for i in range(50)], days)
    model = odd_model(log)
    assert model.ordinary_scores(log)[0].tolist() == model.usual.case_scores().tolist()
    after = EventLog(["a"], codes, offsets, [str(i) for i in range(50)], days + np.timedelta64(90, "D"))
    assert len(model.ordinary_scores(after)[0]) < 50, "equal cases of a part have one score"


def test_a_reference_promises_no_fewer_false_alarms_than_it_can_show():
    usual, new = EventLog.from_traces(USUAL[:40]), EventLog.from_traces(NEW)
    with pytest.raises(ActalikeError, match="cannot promise"):
        odd(new, reference=usual, false_alarms=0.01)
    assert odd(new, reference=usual).to_dict()["false_alarms"] == pytest.approx(1 / 41)
    assert odd(new, reference=usual).called.tolist() == [False, True, True, True]


def test_an_ordinary_case_is_called_odd_as_often_as_its_rank_among_left_out_cases_says():
    usual, new = EventLog.from_traces(USUAL), EventLog.from_traces(NEW)
    result = odd(new, reference=usual)
    scores, weights = odd_model(usual).ordinary_scores(new)
    for score, share in zip(result.case_scores(), result._calibration.false_alarms(), strict=True):
        assert share == pytest.approx((weights[scores >= score].sum() + 1) / (len(USUAL) + 1))
