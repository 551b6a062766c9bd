"""What the report's page is given, against the definitions."""

import base64
import json
import math
import struct
from collections import Counter
from itertools import combinations, pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog, Oddities, embed, group, same_step
from actalike.counting import count_windows
from actalike.demo.loan_desk import loan_desk
from actalike.embedding import RESAMPLES
from actalike.labels import OUTSIDE, NeighbourCounts, group_words, shared_neighbours_words
from actalike.report import report_data as module
from actalike.report.proposals import Sentences, proposal, share_parts
from actalike.report.report_data import report_data
from actalike.report.single_file import as_json
from actalike.support.text import json_parts, percent
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


def unpacked(text, letter):
    content = base64.b64decode(text)
    return struct.unpack(f"<{len(content) // struct.calcsize(letter)}{letter}", content)


@pytest.fixture(scope="module")
def log():
    return loan_desk(150)


@pytest.fixture(scope="module")
def data(log):
    with patch.object(module, "RESAMPLES", RESAMPLES):
        return report_data(log)


@examples(12)
@given(logs())
def test_labels_counts_and_cases_are_those_of_the_log_the_most_frequent_first(log):
    data = report_data(log)
    events = Counter(label for trace in log.traces() for label in trace)
    cases = Counter(label for trace in log.traces() for label in set(trace))
    assert data["labels"] == sorted(events, key=lambda label: (-events[label], label))
    assert data["counts"] == [events[label] for label in data["labels"]]
    assert data["cases"] == [cases[label] for label in data["labels"]]
    json.loads(as_json(data))


def test_labels_of_odd_cases_have_numbers_even_if_they_are_not_drawn(log, data):
    assert data["further"] == []
    with patch.object(module, "MOST_ACTIVITIES", 3), patch.object(Oddities, "most", lambda oddities, topn: oddities.explain(0)):
        data = report_data(log, examples=True)
    assert data["odd"]["cases"]
    labels = [*data["labels"], *data["hidden"], *data["further"]]
    assert len(set(labels)) == len(labels)
    traces = dict(zip(log.case_ids, log.traces(), strict=True))
    for case in data["odd"]["cases"]:
        ((_, codes),) = case["events"]
        assert [labels[code] for code in codes] == traces[case["ids"][0]]


@examples(12)
@given(logs())
def test_what_follows_what_is_counted_with_the_ends_of_cases(log):
    data = report_data(log)
    labels, follows = data["labels"], data["follows"]
    traces = [trace for trace in log.traces() if trace]
    columns = zip(
        unpacked(follows["first"], "H"), unpacked(follows["second"], "H"), unpacked(follows["counts"], "I"), strict=True
    )
    found = {(labels[a], labels[b]): count for a, b, count in columns}
    assert found == Counter(pair for trace in traces for pair in pairwise(trace))
    assert dict(zip(labels, follows["starts"], strict=True)) == {label: sum(t[0] == label for t in traces) for label in labels}
    assert dict(zip(labels, follows["ends"], strict=True)) == {label: sum(t[-1] == label for t in traces) for label in labels}


def test_neighbours_have_the_digits_of_the_embedding(log, data):
    embedding = embed(log)
    for i, near in enumerate(data["neighbours"]):
        for j, value, *_ in near:
            assert f"{value:.3f}" == f"{embedding.similarity(data['labels'][i], data['labels'][j]):.3f}"


@pytest.mark.parametrize(("method", "checked"), [("kin-w3", True), ("ac-sequence-pmi-w3", False)])
def test_the_page_is_told_whether_intervals_of_the_method_were_checked(log, method, checked):
    assert ("too narrow" in report_data(log, method)["words"]["intervals"]) is not checked


def test_neighbours_are_the_likeliest_with_the_intervals_of_the_embedding(log, data):
    embedding = embed(log)
    same = same_step(log)
    for i, near in enumerate(data["neighbours"]):
        label = data["labels"][i]
        assert [same.probability(label, data["labels"][j]) for j, *_ in near] == pytest.approx(
            [pair.probability for pair in same.most_likely(10, label)]
        )
    pairs = [(data["labels"][0], data["labels"][j]) for j, *_ in data["neighbours"][0]]
    assert "resampled 100 times" in data["words"]["intervals"]
    for (a, b), (_, value, low, high) in zip(pairs, data["neighbours"][0], strict=True):
        expected = embedding.confidence(a, b)
        assert (value, low, high) == pytest.approx((expected.similarity, expected.low, expected.high), abs=1e-4)


def test_an_activity_that_is_too_rare_to_judge_has_no_interval():
    data = report_data(EventLog.from_traces([["x", "a", "y"]] * 9 + [["x", "b", "y"]]))
    rare = data["labels"].index("b")
    assert all(found[2:] == [None, None] for found in data["neighbours"][rare])


@pytest.mark.parametrize(
    "method", ["kin-w5", "ac-sequence-pmi-w3", "ac-multiset-ppmi-w5", "aa-sequence-pmi-w3", "positional-ppmi-w5"]
)
def test_reasons_are_the_largest_shares_of_the_explanation(log, method):
    embedding, data = embed(log, method), report_data(log, method)
    labels = data["labels"]
    number = {label: i for i, label in enumerate(labels)}
    for i, j, _, _, shares, _ in data["pairs"][::5]:
        expected = embedding.shares(*(embedding.activities.index(labels[k]) for k in (i, j)), 4)
        assert [share for share, _ in shares] == pytest.approx([share.share for share in expected], abs=1e-4)
        parts = [json_parts(share_parts(share, embedding.activities.__getitem__), number.__getitem__, 60) for share in expected]
        assert [data["sentences"][sentence] for _, sentence in shares] == parts


def test_a_neighbour_is_at_its_own_place_whatever_labels_look_like():
    """The text of x two places before is that of an activity called 'x → ·' directly before."""
    traces = [["x", "m", "a", "e"], ["x", "n", "b", "f"], ["x → ·", "a", "e"], ["x → ·", "b", "f"]] * 20
    data = report_data(EventLog.from_traces(traces), "positional-raw-w5")
    number = {label: i for i, label in enumerate(data["labels"])}
    a, b = sorted((number["a"], number["b"]))
    shares = next(shares for i, j, _, _, shares, _ in data["pairs"] if (i, j) == (a, b))
    sentences = [data["sentences"][sentence] for _, sentence in shares]
    assert ["both come two steps after ", {"label": number["x"]}] in sentences
    assert ["both come directly after ", {"label": number["x → ·"]}] in sentences
    assert ["both come directly after ", {"label": number["x"]}] not in sentences


def test_the_contexts_of_a_pair_are_counted_in_shares_of_events(log, data):
    number = {label: i for i, label in enumerate(data["labels"])}
    a, b = sorted((number["Pay out"], number["Transfer loan"]))
    contexts = next(contexts for i, j, _, contexts, *_ in data["pairs"] if (i, j) == (a, b))
    assert contexts
    padded = [[OUTSIDE, *trace, OUTSIDE] for trace in log.traces()]
    shared = NeighbourCounts(count_windows(log, 5)).shared_by([log.activities.index(data["labels"][k]) for k in (a, b)], 4)
    for (sentence, said), context in zip(contexts, shared, strict=True):
        assert text(data, sentence) == shared_neighbours_words(context)
        shares = []
        for label in ("Pay out", "Transfer loan"):
            around = [(t[k - 1], t[k + 1]) for t in padded for k in range(1, len(t) - 1) if t[k] == label]
            fits = [p for p in around if context.before in (None, p[0]) and context.after in (None, p[1])]
            shares.append(len(fits) / len(around))
        assert said == f"{' to '.join(dict.fromkeys(percent(round(share, 3)) for share in sorted(shares)))} of events"


def text(data, number):
    """A sentence of the page, as the command line says it."""
    labels = [*data["labels"], *data["hidden"]]
    parts = data["sentences"][number]
    return "".join(part if isinstance(part, str) else part.get("text") or repr(labels[part["label"]]) for part in parts)


def test_proposals_say_what_the_command_says(log, data):
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    number = {label: i for i, label in enumerate(data["labels"])}
    for shown, found in zip(data["groups"], group(log), strict=True):
        plain = proposal(found, number, events, Sentences(number.__getitem__))
        assert [shown[key] for key in ("members", "name", "relation")] == [plain[key] for key in ("members", "name", "relation")]
        said = [(sign, text(data, sentence)) for sign, sentence in shown["shown"] + shown["more"]]
        assert sorted(said) == sorted(group_words(found))
        assert sum(sign == "-" for sign, _ in shown["shown"]) >= len(found.cautions)
    assert data["groups"]
    assert data["at_least"] == 0.5


def test_the_groups_can_be_surer(log):
    surer = report_data(log, at_least=0.999)
    labels = [tuple(surer["labels"][member] for member in found["members"]) for found in surer["groups"]]
    assert labels == [found.activities for found in group(log, 0.999)]
    assert surer["at_least"] == 0.999


def percent_step(share):
    """The byte of a share, by the words that the page says: 0 %, under 1 %, 1 % ... 99 %, over 99 %, 100 %."""
    if share in (0, 1):
        return 102 * share
    return 1 if share < 0.01 else 101 if share > 0.99 else math.floor(share * 100 + 0.5) + 1


def test_every_pair_has_its_probability_and_overlap_in_percent(log, data):
    same = same_step(log)
    cells = zip(base64.b64decode(data["probability"]), base64.b64decode(data["overlap"]), strict=True)
    for i, a in enumerate(data["labels"]):
        for b in data["labels"][i + 1 :]:
            assert next(cells) == (percent_step(same.probability(a, b)), percent_step(same.overlap(a, b)))
    assert next(cells, None) is None


def test_the_reasons_of_a_pair_sum_to_its_probability(log, data):
    same = same_step(log)
    explained = {(i, j): reasons for i, j, _, _, _, reasons in data["pairs"]}
    for (i, j), reasons in list(explained.items())[::7]:
        odds = sum(log_odds for log_odds, _ in reasons)
        assert 1 / (1 + math.exp(-odds)) == pytest.approx(same.probability(data["labels"][i], data["labels"][j]), abs=0.002)
    for found in data["groups"]:
        assert explained.keys() >= set(combinations(sorted(found["members"]), 2))


def test_windows_are_counted_once_and_labels_compared_once(log, monkeypatch):
    given = []

    def watched(name):
        function = getattr(module, name)

        def call(*arguments, **options):
            given.append((name, sorted(options)))
            return function(*arguments, **options)

        return call

    for name in ("count_windows", "embed", "compare_labels", "group"):
        monkeypatch.setattr(module, name, watched(name))
    report_data(log)
    assert given == [("count_windows", []), ("embed", ["counts"]), ("compare_labels", []), ("group", ["counts", "same"])]


@pytest.mark.parametrize("label", ["it's", 'say "x"', "both ' and \"", "back\\slash", "precede 'y'", "new\nline"])
def test_the_neighbours_of_a_context_are_found_whatever_their_labels_contain(label):
    log = EventLog.from_traces([[label, "a", "y"], [label, "b", "y"], ["y", "c"]] * 20)
    data = report_data(log)
    contexts = [data["sentences"][sentence] for found in data["groups"] for sentence, _ in found["evidence"]]
    named = {data["labels"][part["label"]] for parts in contexts for part in parts if isinstance(part, dict)}
    assert label in named


def test_more_activities_than_a_page_can_show_leave_out_the_rarest(monkeypatch):
    monkeypatch.setattr(module, "MOST_ACTIVITIES", 5)
    log = loan_desk(60)
    data = report_data(log)
    assert len(data["labels"]) == 5
    assert data["facts"]["activities"] == len(log.activities)
    assert max(member for found in data["groups"] for member in found["members"]) == 4 + len(data["hidden"])
    assert all(i < 5 and j < 5 for i, j, *_ in data["pairs"])
    json.loads(as_json(data))


def test_a_page_of_the_frequent_activities_says_what_is_left_out_and_agrees_with_the_commands(monkeypatch):
    monkeypatch.setattr(module, "MOST_ACTIVITIES", 12)
    log = loan_desk(150)
    data = report_data(log)
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    groups = group(log)
    assert data["left_out"] == {
        "activities": len(log.activities) - 12,
        "events": log.n_events - sum(events[label] for label in data["labels"]),
    }
    labels = [*data["labels"], *data["hidden"]]
    assert len(set(labels)) == len(labels) > 12
    assert set(data["hidden"]) == {label for found in groups for label in found.activities} - set(data["labels"])
    for found, one in zip(data["groups"], groups, strict=True):
        assert tuple(labels[member] for member in found["members"]) == one.activities
        assert (found["probability"], found["relation"]) == (round(one.probability, 8), one.relation)
        assert sorted(text(data, number) for _, number in found["shown"] + found["more"]) == sorted(
            words for _, words in group_words(one)
        )
    embedding = embed(log)
    for i, near in enumerate(data["neighbours"]):
        for j, similarity, *_ in near:
            assert similarity == round(embedding.similarity(data["labels"][i], data["labels"][j]), 8)


@pytest.mark.parametrize("method", ["ac-sequence-pmi-w3", "substitution-w3"])
def test_similarities_of_the_frequent_activities_are_those_of_all(method, monkeypatch):
    log = loan_desk(60)
    whole = report_data(log, method)
    monkeypatch.setattr(module, "MOST_ACTIVITIES", 6)
    part = report_data(log, method)
    for i, near in enumerate(part["neighbours"]):
        values = {j: value for j, value, *_ in whole["neighbours"][i]}
        assert all(value == pytest.approx(values[j], abs=1e-8) for j, value, *_ in near if j in values)


def test_a_page_of_all_activities_says_nothing_about_left_out_ones(data):
    assert "left_out" not in data
    assert data["hidden"] == []


def test_a_large_log_is_resampled_less_often(log, monkeypatch):
    monkeypatch.setattr(module, "RESAMPLES", RESAMPLES)
    monkeypatch.setattr(module, "_DRAWN_EVENTS", 30 * len(log.variants.codes))
    assert "resampled 30 times" in report_data(log)["words"]["intervals"]
    monkeypatch.setattr(module, "_DRAWN_EVENTS", 1)
    assert "resampled 20 times" in report_data(log)["words"]["intervals"]


def test_places_on_the_map_are_near_for_what_is_alike(log, data):
    places = np.array(data["places"]).reshape(-1, 2)
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    number = {label: i for i, label in enumerate(data["labels"])}
    far = apart[np.triu_indices(len(places), 1)]
    assert apart[number["Pay out"], number["Transfer loan"]] < np.quantile(far, 0.1)
