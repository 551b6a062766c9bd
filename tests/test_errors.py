"""The family of errors, and the suggestions in their messages."""

import pandas as pd
import pytest

import actalike
from actalike import EventLog, errors
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean


def test_every_error_is_one_of_the_family():
    family = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len(family) == 7
    assert all(issubclass(kind, ActalikeError) for kind in family)


def test_messages_are_shown_as_they_are():
    assert str(UnknownActivityError("No activity is called 'x'.")) == "No activity is called 'x'."


@pytest.mark.parametrize(
    ("word", "known", "question"),
    [
        ("PAY", ["Pay", "Check"], " Did you mean 'Pay'?"),
        ("case", ["Case ID", "User", "tags"], " Did you mean 'Case ID'?"),
        ("chek", ["Check", "Checked", "Pay"], " Did you mean 'Check' or 'Checked'?"),
        ("abcd", ["abc1", "abc2", "abc3", "abc4"], " Did you mean 'abc4' or 'abc3' or 'abc2'?"),
        ("xyz", ["Pay", "Check"], ""),
        ("pay", [], ""),
        ("pay", ["Pay", "pay"], " Did you mean 'Pay'?"),
    ],
)
def test_the_three_closest_words_are_offered_whatever_their_case(word, known, question):
    assert did_you_mean(word, known) == question


def test_a_long_message_keeps_its_beginning_and_its_end():
    message = str(UnknownActivityError(f"log.csv has {'x' * 5_000_000}: rename it."))
    assert len(message) < 2100
    assert message.startswith("log.csv has xxx")
    assert message.endswith("xxx: rename it.")
    assert did_you_mean("x" * 5_000_000, ["x"]) == did_you_mean("x", ["x" * 5_000_000]) == ""


MIXED = [pd.Timestamp("2024-01-01 10:00", tz="Europe/Berlin"), pd.Timestamp("2024-01-01 09:30")]
LOG = EventLog.from_traces([["a", "b"], ["a", "c"]] * 9)


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: actalike.embed(LOG, 5), "name"),
        (lambda: actalike.read_log(LOG.to_frame(), case=5), "case=5"),
        (lambda: actalike.same_step(LOG).most_likely("3"), "topn"),
        (lambda: actalike.embed(LOG).most_similar("a", 2.5), "topn"),
        (lambda: actalike.load(None), "path"),
        (lambda: actalike.embed(LOG).save(5), "path"),
        (lambda: actalike.drift(None), "drift takes"),
        (lambda: actalike.benchmark.run("intrinsic", logs=[LOG], out="out"), "paths"),
        (lambda: actalike.benchmark.run("intrinsic", logs=["x.csv"], out="out", method="kin"), "'method'"),
        (lambda: actalike.DecidedGroup("x", ("a", "b"), decision="reject"), "rejected"),
        (lambda: actalike.DecidedGroup("x", "ab"), "tuple"),
        (lambda: actalike.SimilarSteps().fit(LOG.to_frame()), "DataFrame"),
        (lambda: actalike.read_log(LOG.to_frame("pandas").set_index("case")), "reset_index"),
        (lambda: actalike.read_log(pd.DataFrame()), "no columns"),
        (lambda: actalike.group(LOG, at_least=80), "0.8"),
        (lambda: actalike.read_log(pd.DataFrame({"case": [1, 1], "activity": ["a", "b"], "time": MIXED})), "zone"),
    ],
)
def test_arguments_of_another_kind_are_one_sentence(call, word):
    with pytest.raises(ActalikeError, match=word):
        call()
