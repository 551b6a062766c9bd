import pytest

from actalike import Act2VecEmbedder, ActalikeError, EventLog, embed
from actalike.methods.act2vec import _sentences

L3 = EventLog.from_traces([list("abcde")] * 10 + [list("abdde"), list("abfde"), list("fbdef")])


@pytest.mark.parametrize(
    ("name", "distances"),
    [
        ("act2vec-cbow-w3", (0, 1.06175, 0.50012, 0.74014, 0.45194, 1.03595)),
        ("act2vec-skipgram-w3", (0, 1.01821, 0.51995, 0.74299, 0.45715, 1.04192)),
        ("act2vec-cbow-w9", (0, 1.03963, 0.51844, 0.70620, 0.41100, 1.07745)),
    ],
)
def test_the_check_values_of_the_specification(name, distances):
    assert embed(L3, name).distances()[0] == pytest.approx(distances, abs=2e-5)


def test_labels_have_no_part_in_it():
    odd = {"a": "", "b": "NA", "c": "📄", "d": "a b", "e": ".", "f": "e"}
    renamed = EventLog.from_traces([[odd[label] for label in trace] for trace in L3.traces()])
    ours, theirs = embed(L3, "act2vec-cbow-w3"), embed(renamed, "act2vec-cbow-w3")
    for a in "abcdef":
        for b in "abcdef":
            assert ours.similarity(a, b) == pytest.approx(theirs.similarity(odd[a], odd[b]), abs=1e-12)


def test_a_span_is_the_window_of_the_count_methods(monkeypatch):
    from gensim.models import word2vec

    asked = []
    original = word2vec.Word2Vec.__init__

    def spy(self, *arguments, **options):
        asked.append((options["window"], options["shrink_windows"], options["sg"]))
        original(self, *arguments, **options)

    monkeypatch.setattr(word2vec.Word2Vec, "__init__", spy)
    for name in ("act2vec-cbow-span3", "act2vec-skipgram-span9", "act2vec-cbow-w9"):
        embed(L3, name)
    assert asked == [(1, False, 0), (4, False, 1), (9, True, 0)]


def test_an_even_span_is_refused():
    with pytest.raises(ActalikeError, match="span"):
        embed(L3, "act2vec-cbow-span4")
    with pytest.raises(ActalikeError, match="skipgram"):
        Act2VecEmbedder("glove").fit(L3)


def test_no_event_of_a_very_long_case_is_lost():
    log = EventLog.from_traces([["a", "b", "c"] * 7_000])
    sentences = list(_sentences(log))
    assert [len(sentence) for sentence in sentences] == [10_000, 10_000, 1_000]
    assert [log.activities[int(word)] for sentence in sentences for word in sentence] == log.traces()[0]
