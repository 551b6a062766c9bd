"""Turn the evidence for and against a group into English sentences for the command line."""

from collections.abc import Sequence

from actalike.embedding import ENOUGH_CASES
from actalike.labels.evidence import OUTSIDE, THIN_CASES, Caution, SharedNeighbours

_SHOWN_LABELS = 3  # of a caution; the others are only counted


def in_words(evidence: SharedNeighbours | Caution) -> str:
    """Return a piece of evidence, for or against a group, as a sentence.

    >>> in_words(SharedNeighbours("x", "y", (2000, 17)))
    "both follow 'x' and precede 'y' (2,000 and 17 times)"
    """
    if isinstance(evidence, Caution):
        return caution_words(evidence)
    return f"{shared_neighbours_words(evidence)} ({_listed([f'{count:,}' for count in evidence.counts])} times)"


def shared_neighbours_words(shared: SharedNeighbours) -> str:
    """Return which neighbours the members of a group share, without the counts.

    >>> shared_neighbours_words(SharedNeighbours("x", "y", (20, 17)))
    "both follow 'x' and precede 'y'"
    >>> shared_neighbours_words(SharedNeighbours(OUTSIDE, None, (5, 1, 0)))
    '2 of them begin the case'
    """
    members, having = len(shared.counts), sum(count > 0 for count in shared.counts)
    who = f"{having} of them" if having < members else "both" if members == 2 else "all"
    follow = "begin the case" if shared.before is OUTSIDE else f"follow {shared.before!r}"
    precede = "end the case" if shared.after is OUTSIDE else f"precede {shared.after!r}"
    return f"{who} " + " and ".join([follow] * (shared.before is not None) + [precede] * (shared.after is not None))


def caution_words(caution: Caution) -> str:
    """Return a caution as a sentence.

    >>> caution_words(Caution("too rare", ("a", "b", "c", "d")))
    "In fewer than 5 cases, too rare to judge: 'a', 'b', 'c' and 1 more."
    """
    labels = ", ".join(map(repr, caution.labels[:_SHOWN_LABELS]))
    if len(caution.labels) > _SHOWN_LABELS:
        labels += f" and {len(caution.labels) - _SHOWN_LABELS} more"
    match caution.kind:
        case "too rare":
            return f"In fewer than {ENOUGH_CASES} cases, too rare to judge: {labels}."
        case "few cases":
            return f"In fewer than {THIN_CASES} cases, so the evidence is thin: {labels}."
        case "opposites":
            return f"Their words say the opposite: {labels}."


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
