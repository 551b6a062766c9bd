"""A made-up process log for demonstrations: a loan desk whose labels have grown over the years.

Some steps have two labels, because the desk changed its systems half-way or because two channels name it differently. Which
of them are really the same step is what actalike is asked to find out.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np

from actalike.log import EventLog

SAME_STEP = [  # what the generator uses interchangeably: the truth that a demonstration can be judged by
    {"Receive application (web)", "Receive application (branch)", "Receive application (phone)"},
    {"Query credit bureau", "Query credit agency"},
    {"Request documents", "Ask for missing papers"},
    {"Assess risk", "Assess risk (senior)"},
    {"Send offer by post", "Send offer by e-mail"},
    {"Pay out", "Transfer loan"},
    {"Close file", "Archive file"},
]


def loan_desk(cases: int = 600, seed: int = 7) -> EventLog:
    """The log of a loan desk. The same arguments give the same log, on every machine.

    >>> loan_desk()
    EventLog(600 cases, 7,908 events, 28 activities, 543 variants)
    """
    random = Random(seed).random  # the only source of chance: its values are the same in every version of Python
    start = datetime(2024, 1, 2, 8, tzinfo=UTC)
    traces = [_application(random, share=number / cases) for number in range(cases)]
    times = []
    for number, trace in enumerate(traces):
        now = start + timedelta(hours=6 * number + 5 * random())
        for _ in trace:
            times.append(now.replace(tzinfo=None))
            now += timedelta(minutes=5 + 600 * random() ** 3)
    labels = sorted({label for trace in traces for label in trace})
    codes = [labels.index(label) for trace in traces for label in trace]
    offsets = np.cumsum([0, *map(len, traces)])
    ids = [f"L-{number + 1:04d}" for number in range(cases)]
    return EventLog(labels, codes, offsets, ids, np.array(times, dtype="datetime64[s]"))


def _application(random: Callable[[], float], share: float) -> list[str]:
    """One application; ``share`` is how far through the period it comes in, for the change of systems half-way."""

    def one_of(*options: tuple[float, str]) -> str:
        point = random()
        for probability, label in options:
            point -= probability
            if point < 0:
                return label
        return options[-1][1]

    def changed(old: str, new: str) -> str:
        return new if random() < (0.15 if share < 0.5 else 0.85) else old

    trace = [
        one_of(
            (0.5, "Receive application (web)"),
            (0.3, "Receive application (branch)"),
            (0.2, "Receive application (phone)"),
        )
    ]
    trace.append("Check completeness")
    while random() < 0.35:
        trace += [
            one_of((0.6, "Request documents"), (0.4, "Ask for missing papers")),
            "Documents received",
            "Check completeness",
        ]
    checks = [changed("Query credit bureau", "Query credit agency"), "Verify identity"]
    trace += checks if random() < 0.6 else checks[::-1]
    if random() < 0.3:
        trace.append("Call customer")
    trace.append(one_of((0.7, "Assess risk"), (0.3, "Assess risk (senior)")))
    while random() < 0.15:
        trace += ["Call customer", one_of((0.5, "Assess risk"), (0.5, "Assess risk (senior)"))]
    if random() < 0.25:
        trace += ["Reject application", "Send rejection"]
    else:
        trace += ["Approve loan", changed("Send offer by post", "Send offer by e-mail")]
        if random() < 0.3:
            trace.append("Remind customer")
        if random() < 0.8:
            trace += ["Customer accepts", "Sign contract", changed("Pay out", "Transfer loan")]
        else:
            trace.append(one_of((0.6, "Customer declines"), (0.4, "Offer expires")))
    trace.append(changed("Close file", "Archive file"))
    for place in range(len(trace) - 1, 0, -1):
        if random() < 0.04:
            trace.insert(place, "Write note")
    return trace
