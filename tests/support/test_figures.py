"""What all figures have in common: they are drawn whatever the labels, saved in three formats, and always the same."""

import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from actalike import ActalikeError, Embedding, EventLog, MissingExtraError, embed, plot
from actalike.demo.loan_desk import loan_desk
from actalike.support import figures
from tests.helpers.pictures import number_of_colours

FIGURES = {
    "activities_per_log": lambda log, path=None: plot.activities_per_log({"one": log, "BPIC15_1": log}, path),
    "zipf": lambda log, path=None: plot.zipf({"one": log, "$two$": log}, path=path),
    "positions": lambda log, path=None: plot.positions({"one": log, "two": log}, path=path),
    "directly_follows": lambda log, path=None: plot.directly_follows(log, path=path),
    "embedding": lambda log, path=None: plot.embedding({"kin": embed(log), "aa": embed(log, "aa-sequence-pmi-w3")}, path=path),
    "embedding in 3-D": lambda log, path=None: plot.embedding(embed(log), 3, path=path),
    "similarities": lambda log, path=None: plot.heat_map(embed(log), path=path),
    "vectors": lambda log, path=None: plot.heat_map(embed(log, "ac-sequence-pmi-w3"), of="vectors", path=path),
    "activity_map": lambda log, path=None: plot.activity_map(embed(log), log, arrows=5, title="A <title> & $more", path=path),
    "map of scores": lambda log, path=None: plot.activity_map(embed(log, "substitution-w3"), log, arrows=5, path=path),
}
HOSTILE = ["<script>alert(1)</script>", "$x^2$ & $", "", "a\nb\tc", "\x00\x1b[31m", "📄 emoji", "漢字", "\ufffe", "ש" * 30, "]]>", "x" * 500, "-->", "\\$\\frac{", "%s {0}"]  # fmt: skip
ODD = {
    "one activity": [["a"]],
    "one activity again and again": [["a", "a", "a"]],
    "two activities, and a case without events": [[], ["a", "b", "a"], ["a", "b"]],
    "hostile labels": [HOSTILE, HOSTILE[::-1], HOSTILE[3:9] * 2],
    "many activities": [[f"Activity number {i}" for i in range(101)], [f"Activity number {i * 7 % 101}" for i in range(100)]],
}

every_figure = pytest.mark.parametrize("name", FIGURES)


@pytest.mark.campaign
@every_figure
@pytest.mark.parametrize("odd", ODD)
def test_odd_logs_are_drawn_and_their_svg_is_sound(name, odd, tmp_path):
    log = EventLog.from_traces(ODD[odd])
    FIGURES[name](log, tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert "<script" not in text
    assert len(text) > 2000


@pytest.mark.campaign
@every_figure
def test_a_figure_shows_something_in_a_notebook_and_the_same_log_gives_the_same_bytes(name, tmp_path):
    figure = FIGURES[name](loan_desk(60))
    assert figure.axes
    figures.save_figure(figure, tmp_path / "1.svg")
    FIGURES[name](loan_desk(60), tmp_path / "2.svg")  # a vector picture shows all that could differ
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()
    figures.save_figure(figure, tmp_path / "1.pdf")
    (tmp_path / "1.png").write_bytes(figure._repr_png_())
    assert_something_is_shown(tmp_path / "1.png")
    assert b"Software" not in figure._repr_png_()  # a notebook stores the same bytes, whichever matplotlib drew them


def assert_something_is_shown(path):
    from matplotlib.image import imread

    assert (imread(path)[..., :3] < 0.9).any(axis=2).mean() > 0.005  # not a white page
    assert number_of_colours(path) > 20


@pytest.mark.parametrize(("ending", "beginning"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_ending_says_the_format_and_the_same_figure_gives_the_same_bytes(ending, beginning, tmp_path):
    for i in (1, 2):
        plot.zipf(loan_desk(5), path=tmp_path / f"{i}.{ending}")
    first, second = ((tmp_path / f"{i}.{ending}").read_bytes() for i in (1, 2))
    assert first.startswith(beginning)
    assert first == second


@every_figure
def test_a_wrong_ending_is_one_sentence_and_nothing_is_written(name, tmp_path):
    with pytest.raises(ActalikeError, match="figure"):
        FIGURES[name](loan_desk(5), tmp_path / "figure.gif")
    assert not list(tmp_path.iterdir())


@every_figure
def test_without_matplotlib_the_extra_is_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match="matplotlib"):
        FIGURES[name](loan_desk(5))


def test_figures_are_not_kept_by_pyplot():
    from matplotlib import pyplot

    plot.zipf(loan_desk(5))
    assert not pyplot.get_fignums()


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ActalikeError, match="written"):
        plot.zipf(loan_desk(5), path=tmp_path / "no" / "zipf.png")


def test_nothing_to_draw_is_said():
    for draw in (plot.zipf, plot.positions, plot.activities_per_log, plot.embedding):
        with pytest.raises(ActalikeError, match="draw"):
            draw({})


@pytest.mark.parametrize("label", HOSTILE)
def test_labels_are_shown_on_one_line_and_never_too_long(label):
    found = figures.shown(label, 20)
    assert "\n" not in found
    assert len(found.replace(r"\$", "$")) <= 20
    assert found.count("$") == found.count(r"\$")


def test_labels_that_differ_at_the_end_stay_different():
    labels = [f"A very long label that goes on for a while, number {i}" for i in range(100)]
    assert len({figures.shown(label) for label in labels}) == 100


def test_embeddings_with_lone_surrogates_are_drawn(tmp_path):
    plot.heat_map(Embedding(["a", "\ud800"], np.eye(2)), path=tmp_path / "figure.svg")
    ElementTree.fromstring((tmp_path / "figure.svg").read_text(encoding="utf-8"))
