"""Pictures of logs, and how logs are told apart in one picture."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from actalike import ActalikeError, EventLog, plot
from actalike.datasets.catalogue import paper_logs
from actalike.demo.loan_desk import loan_desk
from actalike.plot.logs import family, styles, zipf_shares
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


@given(logs())
def test_zipf_shares_are_counts_over_events_by_rank(log):
    counts = Counter(label for trace in log.traces() for label in trace)
    assert zipf_shares(log).tolist() == pytest.approx([n / sum(counts.values()) for _, n in counts.most_common()])


@examples(10)
@given(logs(), logs())
def test_a_zipf_plot_has_a_line_for_each_log_and_one_for_the_law(one, other):
    axes = plot.zipf({"one": one, "other": other}).axes[0]
    first, second, law = axes.lines
    for line, log in ((first, one), (second, other)):
        assert line.get_xdata().tolist() == list(range(1, len(log.activities) + 1))
        assert line.get_ydata().tolist() == zipf_shares(log).tolist()
    k = max(len(one.activities), len(other.activities))
    harmonic = sum(1 / i for i in range(1, k + 1))
    assert law.get_ydata().tolist() == pytest.approx([1 / rank / harmonic for rank in range(1, k + 1)])
    assert sum(law.get_ydata()) == pytest.approx(1)
    assert axes.get_xscale() == axes.get_yscale() == "log"
    for low, high, values in ((*axes.get_ylim(), first.get_ydata()), (*axes.get_xlim(), first.get_xdata())):
        assert low < min(values) <= max(values) < high


def test_the_law_of_the_paper_begins_at_one():
    law = plot.zipf(loan_desk(20), normalised=False).axes[0].lines[-1]
    assert law.get_ydata().tolist() == [1 / rank for rank in range(1, len(law.get_ydata()) + 1)]


def test_each_log_is_a_hollow_marker_in_the_row_of_its_family():
    numbers = {entry.name: entry.activities for entry in paper_logs()}
    own = EventLog.from_traces([list("abcde")])
    axes = plot.activities_per_log({**numbers, "mine": own}).axes[0]
    rows = [label.get_text() for label in axes.get_yticklabels()]
    assert rows == sorted(rows, key=str.lower)
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first on top
    found = {line.get_label(): (line.get_xdata()[0], rows[int(line.get_ydata()[0])]) for line in axes.lines}
    assert found == {name: (n, family(name)) for name, n in {**numbers, "mine": 5}.items()}
    assert {line.get_markerfacecolor() for line in axes.lines} == {"none"}


def test_positions_are_boxes_from_least_to_most_of_the_most_frequent_activities():
    log = EventLog.from_traces([list("abca"), list("ab"), list("cabbb")])
    axes = plot.positions(log, top=2).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]
    pooled = {label: [i / len(t) for t in log.traces() for i, x in enumerate(t) if x == label] for label in "ab"}
    ends = [line.get_xdata().tolist() for line in axes.lines if len(set(line.get_xdata())) == 2]
    assert [min(pooled["b"]), np.quantile(pooled["b"], 0.25)] in [sorted(end) for end in ends]
    assert [np.quantile(pooled["b"], 0.75), max(pooled["b"])] in [sorted(end) for end in ends]
    assert axes.get_xlim()[0] <= 0
    assert axes.get_xlim()[1] >= 1


def test_positions_of_several_logs_have_a_titled_panel_each():
    log = loan_desk(20)
    for n in (1, 2, 3, 4, 5, 7):
        figure = plot.positions({f"log {i}": log for i in range(n)})
        assert [axes.get_title() for axes in figure.axes] == [f"log {i}" for i in range(n)]


def test_no_activity_at_all_is_refused():
    with pytest.raises(ActalikeError, match="one activity or more"):
        plot.positions(loan_desk(5), top=0)


def test_logs_are_told_apart_and_families_share_a_colour():
    names = [entry.name for entry in paper_logs()]
    found = styles(names)
    assert len({(style.colour, style.marker) for style in found.values()}) == len(names)
    for one in names:
        for other in names:
            if family(one) == family(other):
                assert found[one].colour == found[other].colour
    assert {family(name) for name in names if name.startswith("BPIC15")} == {"BPIC15"}
    assert family("BPIC2000x") == "BPIC2000x"
