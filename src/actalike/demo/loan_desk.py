"""Make up a process log for demonstrations: a loan desk whose labels have grown over the years.

Some steps have two labels: a new system brought new names half-way, two offices have different words, and people mistype. Other
labels are only interchangeable: a customer declines, or the offer expires. Which is which, actalike is asked to find out.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np

from actalike.log import Attribute, EventLog

NEW_SYSTEM = {  # names that the new system brought
    "Query credit bureau": "Query credit agency",
    "Pay out": "Transfer loan",
}
SOUTHERN = {  # names that only one of the two offices uses
    "Request documents": "Ask for missing papers",
    "Close file": "Archive file",
}
TYPING_ERRORS = {"Check completeness": "Check completness", "Sign contract": "Sign contarct"}
SAME_STEP = [{name, other} for names in (NEW_SYSTEM, SOUTHERN, TYPING_ERRORS) for name, other in names.items()]  # the truth
ALTERNATIVES = [  # different steps that are interchangeable
    {"Customer declines", "Offer expires"},
    {"Send offer by e-mail", "Send offer by post"},
]

_START = datetime(2024, 1, 2, 8, tzinfo=UTC)
_HOURS = 6  # between two applications
_MISTYPED = 0.015
_OFFICES = {"North": ("Anna", "Ben", "Carla"), "South": ("David", "Emma", "Farid")}
_SENIORS = {"North": "Greta", "South": "Hugo"}


def loan_desk(cases: int = 600, seed: int = 7) -> EventLog:
    """Return the log of a loan desk. The same arguments give the same log, on every machine.

    Each event has a timestamp, the clerk (``org:resource``) and the office (``org:group``).

    >>> loan_desk()
    EventLog(600 cases, 7,785 events, 30 activities, 549 variants)
    """
    random = Random(seed).random  # the only source of chance: its values are the same in every version of Python
    change = _START + timedelta(hours=_HOURS * cases / 2)
    traces: list[list[str]] = []
    times: list[datetime] = []
    clerks: list[str] = []
    offices: list[str] = []
    for number in range(cases):
        office = "North" if random() < 0.55 else "South"
        now = _START + timedelta(hours=_HOURS * number + 5 * random())
        trace = []
        for step in _application(random):
            label = NEW_SYSTEM.get(step, step) if now >= change else step
            label = SOUTHERN.get(label, label) if office == "South" else label
            trace.append(TYPING_ERRORS.get(label, label) if random() < _MISTYPED else label)
            people = _OFFICES[office]
            clerks.append(_SENIORS[office] if step == "Assess risk (senior)" else people[int(random() * len(people))])
            offices.append(office)
            times.append(now.replace(tzinfo=None))
            now += timedelta(minutes=5 + 600 * random() ** 3)
        traces.append(trace)
    labels = sorted({label for trace in traces for label in trace})
    code = {label: i for i, label in enumerate(labels)}
    return EventLog(
        labels,
        [code[label] for trace in traces for label in trace],
        np.cumsum([0, *map(len, traces)]),
        [f"L-{number + 1:04d}" for number in range(cases)],
        np.array(times, dtype="datetime64[s]"),
        attributes={"org:group": Attribute.from_texts(offices), "org:resource": Attribute.from_texts(clerks)},
    )


def _application(random: Callable[[], float]) -> list[str]:
    """Return the steps of one application, by their first names."""

    def one_of(*options: tuple[float, str]) -> str:
        point = random()
        for probability, label in options:
            point -= probability
            if point < 0:
                return label
        return options[-1][1]

    trace = [
        one_of(
            (0.5, "Receive application (web)"),
            (0.3, "Receive application (branch)"),
            (0.2, "Receive application (phone)"),
        )
    ]
    trace.append("Check completeness")
    while random() < 0.35:
        trace += ["Request documents", "Documents received", "Check completeness"]
    checks = ["Query credit bureau", "Verify identity"]
    trace += checks if random() < 0.6 else checks[::-1]
    if random() < 0.3:
        trace.append("Call customer")
    trace.append(one_of((0.7, "Assess risk"), (0.3, "Assess risk (senior)")))
    while random() < 0.15:
        trace += ["Call customer", one_of((0.5, "Assess risk"), (0.5, "Assess risk (senior)"))]
    if random() < 0.25:
        trace += ["Reject application", "Send rejection"]
    else:
        trace += ["Approve loan", one_of((0.5, "Send offer by post"), (0.5, "Send offer by e-mail"))]
        if random() < 0.3:
            trace.append("Remind customer")
        if random() < 0.8:
            trace += ["Customer accepts", "Sign contract", "Pay out"]
        else:
            trace.append(one_of((0.6, "Customer declines"), (0.4, "Offer expires")))
    trace.append("Close file")
    for place in range(len(trace) - 1, 0, -1):
        if random() < 0.04:
            trace.insert(place, "Write note")
    return trace
