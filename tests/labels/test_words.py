"""Evidence in English."""

import pytest

from actalike.labels.evidence import OUTSIDE, Caution, SharedNeighbours
from actalike.labels.words import in_words


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (SharedNeighbours("x", None, (3, 2)), "both follow 'x' (3 and 2 times)"),
        (SharedNeighbours(None, "y", (3, 2, 1)), "all precede 'y' (3, 2 and 1 times)"),
        (SharedNeighbours("x", OUTSIDE, (3, 0, 1)), "2 of them follow 'x' and end the case (3, 0 and 1 times)"),
        (SharedNeighbours(OUTSIDE, OUTSIDE, (1000, 20)), "both begin the case and end the case (1,000 and 20 times)"),
    ],
)
def test_what_members_share_is_said_with_their_counts(context, words):
    assert in_words(context) == words


@pytest.mark.parametrize(
    ("caution", "words"),
    [
        (Caution("few cases", ("a", "b", "c")), "In fewer than 20 cases, so the evidence is thin: 'a', 'b', 'c'."),
        (Caution("too rare", ("a",) * 5), "In fewer than 5 cases, too rare to judge: 'a', 'a', 'a' and 2 more."),
        (Caution("often together", times=2.04), "In the same cases 2.0 times as often as names of one step would be: perhaps"),
        (Caution("never together"), "Never in the same case: two names of one step, or different outcomes of one decision."),
        (Caution("always together"), "Always in the same cases: steps that belong together rather than names of one step."),
    ],
)
def test_a_caution_names_its_reason(caution, words):
    assert in_words(caution).startswith(words)


@pytest.mark.parametrize("kind", ["too rare", "few cases", "never together", "always together", "often together"])
def test_only_never_sharing_a_case_is_no_warning(kind):
    assert Caution(kind).is_warning == (kind != "never together")
