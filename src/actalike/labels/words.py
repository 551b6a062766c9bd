"""Evidence in English: the sentences of the command line."""

from collections.abc import Sequence

from actalike.embedding import ENOUGH_CASES
from actalike.labels.evidence import OUTSIDE, Caution, SharedContext

THIN_CASES = 20  # in fewer cases, chance has a large part in a similarity (docs/concepts.md)
_NAMED = 3  # labels of a caution


def in_words(evidence: SharedContext | Caution) -> str:
    """Say what speaks for a group or against it.

    >>> in_words(SharedContext("x", "y", (2000, 17)))
    "both follow 'x' and precede 'y' (2,000 and 17 times)"
    """
    if isinstance(evidence, Caution):
        return caution_words(evidence)
    return f"{shared_context_words(evidence)} ({_listed([f'{count:,}' for count in evidence.counts])} times)"


def shared_context_words(context: SharedContext) -> str:
    """Say which neighbours members of a group share.

    >>> shared_context_words(SharedContext("x", "y", (20, 17)))
    "both follow 'x' and precede 'y'"
    >>> shared_context_words(SharedContext(OUTSIDE, None, (5, 1, 0)))
    '2 of them begin the case'
    """
    members, having = len(context.counts), sum(count > 0 for count in context.counts)
    who = f"{having} of them" if having < members else "both" if members == 2 else "all"
    follow = "begin the case" if context.before is OUTSIDE else f"follow {context.before!r}"
    precede = "end the case" if context.after is OUTSIDE else f"precede {context.after!r}"
    return f"{who} " + " and ".join([follow] * (context.before is not None) + [precede] * (context.after is not None))


def caution_words(caution: Caution) -> str:
    """Say why a group may be wrong.

    >>> caution_words(Caution("too rare", ("a", "b", "c", "d")))
    "In fewer than 5 cases, too rare to judge: 'a', 'b', 'c' and 1 more."
    """
    named = ", ".join(map(repr, caution.labels[:_NAMED]))
    if len(caution.labels) > _NAMED:
        named += f" and {len(caution.labels) - _NAMED} more"
    match caution.kind:
        case "too rare":
            return f"In fewer than {ENOUGH_CASES} cases, too rare to judge: {named}."
        case "few cases":
            return f"In fewer than {THIN_CASES} cases, so the evidence is thin: {named}."
        case "never together":
            return "Never in the same case: two names of one step, or different outcomes of one decision."
        case "always together":
            return "Always in the same cases: steps that belong together rather than names of one step."
        case "often together":
            return (
                f"In the same cases {caution.times:.1f} times as often as names of one step would be: perhaps steps of one case."
            )


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
