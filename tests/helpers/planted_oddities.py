"""A log with an odd place of every kind, given by hand: what the page shows of it does not depend on the detector."""

from actalike import Attribute, EventLog
from actalike.oddities import Expected, OddEvent

NORMAL = ["Register", "Check", "Approve", "Pay", "Archive"]
HOSTILE = "<img src=x onerror=alert(1)>"
LONG = ["Register", *["Ask", "Receive"] * 40, HOSTILE, *["Ask", "Receive"] * 2500, "Archive"]
CASES = [
    ["Register", "Check", "Archive"],
    ["Register", "Check", "Archive"],
    ["Register", "Pay", "Check", "Approve", "Archive"],
    ["Register", "Check", "Approve", "Check", "Approve", "Pay", "Archive"],
    ["Register", "Approve", "Pay", "Archive", "Check"],
    ["Register", "Check", "Approve"],
    LONG,
]
IDS = ["S-1", "S-2", HOSTILE, "Twice", "Late", "x" * 5000, "Long"]


def planted_log() -> EventLog:
    """Return a hundred normal cases and the odd ones; nobody but Sue does anything, except once."""
    log = EventLog.from_traces([*CASES, *[NORMAL] * 100])
    names = ["Sue"] * log.n_events
    names[int(log.offsets[2]) + 3] = "Bob"
    attributes = {"org:resource": Attribute.from_texts(names)}
    ids = [*IDS, *(f"N-{k}" for k in range(100))]
    return EventLog(log.activities, log.codes, log.offsets, ids, attributes=attributes, names={"Pay": "Betaling"})


class PlantedOddities:
    """Stands for :class:`actalike.Oddities` of the log."""

    has_times = False

    def __init__(self, log=None, attributes=("org:resource",)):
        self.log = log or planted_log()
        self.attributes = tuple(attributes)
        skip = [self._place(case, 2, "skipped", 12, [("Approve", 100)], missing=("Approve", "Pay")) for case in (0, 1)]
        self.places = {
            0: [skip[0]],
            1: [skip[1]],
            2: [
                self._place(2, 1, "early", 7, [("Check", 104)], belongs=4),
                self._place(2, 3, "attribute", 3, [("Sue", 104)], attribute="org:resource", value="Bob"),
            ],
            3: [self._place(3, 3, "repeated", 8, [("Pay", 103), (None, 1)], events=(3, 4))],
            4: [self._place(4, 4, "late", 6, [(None, 104)], belongs=1)],
            5: [self._place(5, 3, "skipped", 5, [("Pay", 103)], missing=("Pay", "Archive"))],
            6: [self._place(6, 81, "inserted", 4, [("Ask", 104)])],
        }

    def most(self, topn=None):
        return sorted((place for places in self.places.values() for place in places), key=lambda place: -place.score)

    def _place(self, case, position, kind, score, expected, **more):
        labels = [None, *CASES[case], None, None]
        before, activity, after = labels[position : position + 3]
        return OddEvent(
            **{"events": (position,) if activity else (), **more},
            case=self.log.case_ids[case], case_number=case, position=position, activity=activity, kind=kind, score=10.0 * score,
            before=before, after=after, context=(before,), seam=position, times=1, total=105,
            expected=tuple(Expected(value, times, times / 105) for value, times in expected),
        )  # fmt: skip
