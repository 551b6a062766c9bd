"""What the activities of a group have in common, in words: the neighbours that all of them have."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from actalike.log import EventLog
from actalike.matrices import activity_context
from actalike.windows import PAD, count_windows

ANY = -2  # a side on which the neighbour does not matter


class SharedContext(NamedTuple):
    """Neighbours that members of a group share: in words, and how often each member has them, in the order of the group.

    >>> str(SharedContext("both follow 'x' and precede 'y'", (20, 17)))
    "both follow 'x' and precede 'y' (20 and 17 times)"
    """

    words: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.words} ({_listed([f'{count:,}' for count in self.counts])} times)"


class SharedContexts:
    """The contexts of a log's activities: both direct neighbours, and each of them alone."""

    def __init__(self, log: EventLog) -> None:
        matrix = activity_context(count_windows(log, 3), "sequence")
        self.activities = log.activities
        pairs = matrix.contexts.codes.astype(np.int64)
        sides = []
        for side in (0, 1):
            seen, column = np.unique(pairs[:, side], return_inverse=True)
            summing = csr_array((np.ones(len(column), dtype=np.int64), (np.arange(len(column)), column)))
            codes = np.full((len(seen), 2), ANY)
            codes[:, side] = seen
            sides.append((codes, csr_array(matrix.counts @ summing)))
        self.codes = np.concatenate([pairs, *(codes for codes, _ in sides)])
        self._counts = csr_array(hstack([matrix.counts, *(counts for _, counts in sides)]))
        self._events = log.activity_counts

    def of(self, members: Sequence[int], topn: int) -> list[SharedContext]:
        """The contexts that several members have, first those that make up much of what each of them does.

        That is, by the least of the members' shares of their events, then by the mean. A context of both neighbours counts
        twice, as it says twice as much; one neighbour alone is left out where it is already in a context before it.
        """
        mine = self._counts[list(members)]
        columns = np.flatnonzero(np.bincount(mine.indices) > 1)
        counts = mine[:, columns].toarray()
        shares = counts / self._events[list(members)][:, np.newaxis]
        codes = self.codes[columns]
        telling = np.where((codes == ANY).any(axis=1), 1, 2)
        order = np.lexsort((columns, -(shares.mean(axis=0) * telling).round(12), -(shares.min(axis=0) * telling).round(12)))
        found: list[SharedContext] = []
        said: set[tuple[int, int]] = set()
        for column in order.tolist():
            if len(found) == topn:
                break
            before, after = codes[column].tolist()
            if ANY not in (before, after):
                said |= {(before, ANY), (ANY, after)}
            elif (before, after) in said:
                continue
            having = int((counts[:, column] > 0).sum())
            found.append(SharedContext(self._words(before, after, having, len(members)), tuple(counts[:, column].tolist())))
        return found

    def _words(self, before: int, after: int, having: int, members: int) -> str:
        who = f"{having} of them" if having < members else "both" if members == 2 else "all"
        follow = "begin the case" if before == PAD else f"follow {self.activities[before]!r}"
        precede = "end the case" if after == PAD else f"precede {self.activities[after]!r}"
        return f"{who} " + " and ".join([follow] * (before != ANY) + [precede] * (after != ANY))


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
