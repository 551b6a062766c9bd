"""What is measured of odd events beside the benchmark: a neural network that does the same job, and the time that it all takes."""

import json

import numpy as np
import pytest

from actalike import EventLog, write_log
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.distinct_cases import DistinctCases
from measurements import odd_ablations, odd_neural, odd_rare, odd_speed


@pytest.fixture
def log_file(tmp_path):
    write_log(EventLog.from_traces([list("abcd"), list("acbd")] * 40), tmp_path / "steps.csv")
    return tmp_path / "steps.csv"


@pytest.fixture
def prepared(tmp_path):
    """A log of 60 cases with an attribute: cases 7 and 8 skip a step, case 9 has an odd value."""
    cases = [[(0, 0), (1, 1), (2, -1), (3, case % 2)] for case in range(60)]
    del cases[7][1], cases[8][2]
    cases[9][1] = (1, 0)
    offsets = np.cumsum([0, *map(len, cases)])
    codes = np.array([event for case in cases for event in case], dtype=np.int32)
    planted = np.isin(np.arange(60), [7, 8, 9])
    cells = np.zeros(codes.shape, dtype=bool)
    cells[offsets[7] + 1, 0] = cells[offsets[8] + 2, 0] = cells[offsets[9] + 1, 1] = True
    np.savez(tmp_path / "log.npz", codes=codes, offsets=offsets, planted_cases=planted, planted_cells=cells)
    return tmp_path / "log.npz"


def test_a_network_finds_cases_unlike_the_others_and_the_same_ones_every_time(prepared):
    pytest.importorskip("torch")
    facts, cases, cells = odd_neural.train(prepared, epochs=10, batch=4, device="cpu")
    assert set(np.argsort(-cases)[:3]) == {7, 8, 9}
    assert (facts["AP of cases"], facts["F of cases"], facts["planted cells"], facts["columns"]) == (1.0, 1.0, 3, 2)
    assert facts["AP of cells"] > 0.9
    assert facts["seconds of training"] >= 0 < facts["MiB of the process"]
    assert 0 <= cells.min() <= cells.max() == cases.max() <= 1 + 1e-6
    (_, *first), (_, *second) = (odd_neural.train(prepared, epochs=2, batch=8, device="cpu") for _ in range(2))
    assert all(map(np.array_equal, first, second))


def test_cases_are_padded_in_batches_of_about_their_length():
    codes, offsets = np.array([[5], [6], [-1], [0], [1]]), np.array([0, 1, 4, 5])
    groups = odd_neural.batches(np.diff(offsets), 2)
    assert [group.tolist() for group in groups] == [[0, 2], [1]]
    assert odd_neural.padded(codes, offsets, np.array([0, 1]))[:, :, 0].tolist() == [[1, 9, 2, 0, 0], [1, 10, 3, 4, 2]]


def test_the_score_is_the_probability_of_what_is_more_probable():
    torch = pytest.importorskip("torch")
    scores = torch.tensor([0.1, 0.2, 0.3, 0.4]).log().expand(4, 4)
    assert np.allclose(odd_neural.mass_above(scores, torch.arange(4)), [0.9, 0.7, 0.4, 0])


def test_rankings_are_scored_by_every_threshold():
    scores, planted = np.array([0.9, 0.8, 0.8, 0.1, 0.5]), np.array([True, True, False, False, True])
    alarms = [scores >= threshold for threshold in sorted(set(scores), reverse=True)]
    precision = [planted[alarm].mean() for alarm in alarms]
    recall = [0, *(planted[alarm].sum() / 3 for alarm in alarms)]
    ap = sum((recall[k + 1] - recall[k]) * precision[k] for k in range(len(alarms)))
    f = max(2 * p * r / (p + r) for p, r in zip(precision, recall[1:], strict=True))
    assert odd_neural.ap_and_f(scores, planted) == pytest.approx((ap, f))


def test_a_log_is_prepared_as_plain_arrays_with_what_was_planted_and_nothing_is_overwritten(log_file, tmp_path):
    odd_neural.prepare(log_file, tmp_path / "as_it_is.npz")
    odd_neural.prepare(log_file, tmp_path / "planted.npz", "known")
    with np.load(tmp_path / "as_it_is.npz", allow_pickle=False) as arrays:
        assert set(arrays) == {"codes", "offsets"}
        assert arrays["codes"][:8, 0].tolist() == [0, 1, 2, 3, 0, 2, 1, 3]
        assert arrays["offsets"].tolist() == list(range(0, 321, 4))
    with np.load(tmp_path / "planted.npz", allow_pickle=False) as arrays:
        assert arrays["planted_cases"].sum() == 8
        assert arrays["planted_cells"].shape == arrays["codes"].shape
    with pytest.raises(SystemExit, match="exists already"):
        odd_neural.prepare(log_file, tmp_path / "planted.npz")


@pytest.mark.parametrize("method", [odd_speed.NOTHING, "odd"])
def test_a_detector_is_measured_apart_from_reading_and_counting(log_file, capsys, method):
    odd_speed.measure_here(log_file, method, None, 2)
    facts = json.loads(capsys.readouterr().out)
    assert (facts["name"], facts["cases"], facts["events"]) == ("steps", 80, 320)
    assert (facts["counting"] is None) == (method == "odd")
    assert facts["reading"] > 0 < facts["mib"]
    assert (facts["seconds"] > 0) == (method == "odd")


def log_probabilities(traces, without=odd_ablations.as_it_is):
    """The logarithms of the probabilities of each event, and of the end, of each trace, given with how often it is there."""
    log = EventLog.from_traces([list(trace) for trace, n in traces.items() for _ in range(n)])
    with without(log):
        cases = DistinctCases(log)
        values = CaseProbabilities(cases).log_probabilities
    first_cases = np.cumsum([0, *traces.values()])[:-1]
    starts = cases.places[cases.offsets[cases.variant_of_case[first_cases]]]
    return {trace: values[start : start + len(trace) + 1].tolist() for trace, start in zip(traces, starts, strict=True)}


def test_leaving_a_variant_out_is_as_if_it_were_there_once():
    traces = {"abcd": 5, "acbd": 3, "abd": 2, "abcbcd": 1}
    variant_out = log_probabilities(traces, odd_ablations.variant_out)
    for trace in traces:
        assert variant_out[trace] == pytest.approx(log_probabilities({**traces, trace: 1})[trace])
    assert variant_out["abd"] != pytest.approx(log_probabilities(traces)["abd"])


def test_rare_cases_are_those_with_a_variant_of_their_own():
    log = EventLog.from_traces([list("abcd")] * 150 + [list("abd")] + [list("acbd")] * 50)
    assert odd_rare.variant_counts(log).tolist() == [150] * 150 + [1] + [50] * 50
    assert odd_rare.called_odd(log).tolist() == [False] * 150 + [True] + [False] * 50
    assert odd_rare.listed(log) == ["201", "1 (0.5 %)", "1", "100 %", "0 %"]
    total = odd_rare.planted_and_listed(log, "steps", 0.02, 0)
    assert total["planted"] == 4
    assert total["right"] + total["false"] == total["called"]
    assert total["false and rare"] <= total["false"]
    assert 0 <= total["right by naive"] <= 4


def test_what_has_no_figure_is_a_dash():
    assert odd_ablations.shown((0.5, float("nan"))) == "0.500 / -"
    assert (odd_rare.percent(1, 0), odd_rare.percent(1, 8)) == ("-", "12 %")
