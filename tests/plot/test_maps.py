import numpy as np
import pytest

from actalike import ActalikeError, Embedding, EventLog, embed, group
from actalike.demo.loan_desk import loan_desk
from actalike.plot.maps import activity_map
from actalike.plot.neighbour_layout import neighbour_layout


def test_dots_lie_at_the_places_and_groups_share_a_colour():
    log = loan_desk(200)
    embedding = embed(log)
    axes = activity_map(embedding, log).axes[0]
    dots = axes.collections[0]
    np.testing.assert_allclose(dots.get_offsets(), neighbour_layout(embedding.distances()))
    sizes = dots.get_sizes()
    assert (np.diff(sizes[np.argsort(log.activity_counts)]) >= 0).all()
    colour = dict(zip(log.activities, (tuple(colour[:3]) for colour in dots.get_facecolors()), strict=True))
    groups = [proposal for proposal in group(log) if proposal.relation in ("synonyms", "alternatives")]
    assert groups
    for proposal in groups:
        assert len({colour[label] for label in proposal.activities}) == 1
    assert len({colour[proposal.activities[0]] for proposal in groups}) == min(len(groups), 10)
    in_none = {colour[label] for label in set(log.activities).difference(*(proposal.activities for proposal in groups))}
    assert len(in_none) == 1  # grey
    assert not in_none & {colour[proposal.activities[0]] for proposal in groups}
    assert {text.get_text() for text in axes.texts} <= set(log.activities)


def test_activities_in_few_cases_are_faint():
    log = EventLog.from_traces([list("abc")] * 30 + [["r"]])
    opacities = activity_map(embed(log), log).axes[0].collections[0].get_facecolors()[:, 3]
    assert (opacities < 0.5).tolist() == [label == "r" for label in log.activities]


def test_arrows_are_the_most_frequent_pairs_of_different_activities():
    log = EventLog.from_traces([list("abc")] * 5 + [list("aab")] * 3 + [["c", "a"]])
    embedding = Embedding(["a", "b", "c"], np.array([[1.0, 0], [0, 1], [1, 1]]))
    axes = activity_map(embedding, log, arrows=2).axes[0]
    places = neighbour_layout(embedding.distances())
    arrows = [text for text in axes.texts if not text.get_text()]
    drawn = [(tuple(arrow.xyann), tuple(arrow.xy)) for arrow in arrows]
    assert drawn == [(tuple(places[0]), tuple(places[1])), (tuple(places[1]), tuple(places[2]))]


def test_arrows_without_the_log_and_logs_of_others_are_refused():
    log = loan_desk(10)
    with pytest.raises(ActalikeError, match="need the log"):
        activity_map(embed(log), arrows=3)
    with pytest.raises(ActalikeError, match="other activities"):
        activity_map(embed(log), EventLog.from_traces([["a"]]))


def test_labels_that_find_no_place_are_counted():
    figure = activity_map(Embedding([f"activity {i}" for i in range(400)], np.eye(400)))
    shown = len(figure.axes[0].texts)
    assert f"{400 - shown} more activities" in figure.axes[0].get_xlabel()
