from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from actalike import ActalikeError, EventLog, count_windows, plot
from actalike.counting import directly_follows
from actalike.demo.loan_desk import loan_desk
from actalike.plot.frequent_part import frequent_part
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


@examples(10)
@given(logs())
def test_the_picture_has_a_box_for_each_activity_and_an_arrow_for_each_pair(log):
    axes = plot.directly_follows(log, top=4).axes[0]
    kinds = [type(patch).__name__ for patch in axes.patches]
    shown = min(4, len(log.activities))
    assert kinds.count("FancyBboxPatch") == shown
    part = frequent_part(directly_follows(log), log.activity_counts.tolist(), 4, 8)
    assert kinds.count("FancyArrowPatch") == len(part.arrows)
    assert f"{shown} of {len(log.activities)} activities" in axes.texts[-1].get_text()


def test_boxes_do_not_overlap_and_texts_fit_into_them():
    figure = plot.directly_follows(loan_desk(), top=28, arrows=60)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [patch.get_window_extent() for patch in axes.patches if type(patch).__name__ == "FancyBboxPatch"]
    for a, b in combinations(boxes, 2):
        assert not a.overlaps(b)
    labels = [text for text in axes.texts if any(letter.isalpha() for letter in text.get_text())][:-1]
    inside = 0
    for text in labels:
        extent = text.get_window_extent()
        inside += any(
            box.x0 <= extent.x0 and extent.x1 <= box.x1 and box.y0 <= extent.y0 and extent.y1 <= box.y1 for box in boxes
        )
    assert inside == 28


def test_a_table_of_windows_gives_the_same_picture_and_nonsense_is_refused(tmp_path):
    log = loan_desk(50)
    plot.directly_follows(log, path=tmp_path / "log.svg")
    plot.directly_follows(count_windows(log, 5), path=tmp_path / "counts.svg")
    assert (tmp_path / "log.svg").read_bytes() == (tmp_path / "counts.svg").read_bytes()
    for wrong in ({"top": 0}, {"arrows": -1}):
        with pytest.raises(ActalikeError, match="one activity or more"):
            plot.directly_follows(log, **wrong)
    assert not [
        patch for patch in plot.directly_follows(log, arrows=0).axes[0].patches if type(patch).__name__ == "FancyArrowPatch"
    ]


def test_a_hundred_activities_can_be_asked_for():
    labels = [f"step {i}" for i in range(120)]
    rng = np.random.default_rng(0)
    log = EventLog.from_traces([rng.choice(labels, 20).tolist() for _ in range(200)])
    axes = plot.directly_follows(log, top=100).axes[0]
    assert sum(type(patch).__name__ == "FancyBboxPatch" for patch in axes.patches) == 100
