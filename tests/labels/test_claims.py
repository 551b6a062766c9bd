"""A made-up log of claims with nineteen labels that are another name of a step, and eight traps: what is merged, asked, left alone."""

from datetime import datetime, timedelta

import numpy as np
import polars as pl
import pytest

from actalike import group, read_log

OFFICES = {"Inspect damage": "Survey loss", "Estimate costs": "Quote price", "Confirm cover": "Verify insurance"}
NEW_SYSTEM = {"Enter reserve": "Book provision", "Print letter": "Generate notice", "Archive file": "Store dossier"}
SPELLINGS = {  # of a step, and how often
    "Register claim": [("Regsiter claim", 0.01)],
    "Check policy": [("Check polcy", 0.03), ("check policy", 0.1)],
    "Unterlagen prüfen": [("Unterlagen prÃ¼fen", 0.05), ("Unterlagen pruefen", 0.2), ("UNTERLAGEN PRÜFEN", 0.1)],
    "Request documents": [("Request documnets", 0.06), ("Request  documents", 0.05)],
    "Transfer payment to customer": [("Transfer payment to custome", 0.05)],
    "Department approval": [("Dept. approval", 0.3)],
    "Calculate refund": [("Calcualte refund", 0.005), ("Calculate-refund", 0.2)],
    "Close claim": [("Closed claim", 0.05)],
}
PROBLEMS = {
    *((old, new) for names in (OFFICES, NEW_SYSTEM) for old, new in names.items()),
    *((step, other) for step, others in SPELLINGS.items() for other, _ in others),
}
TRAPS = [
    {"Accept claim", "Refuse claim"},
    {"05_EIND_010", "05_EIND_020", "05_EIND_030"},
    {"Send invoice to customer", "Send customer to invoice"},
    {"Register at ER", "Register at FD"},
    {"Wait - Vendor", "Wait - Customer"},
    {"Review plan", "Review plane"},
    {"Signed by CLERK", "Signed by MANAGER"},
    {"Measure CRP", "Measure LDH"},
]


def claims(n=700, seed=3):
    """Cases in the order of time; two offices, and a new system from the middle on."""
    rng = np.random.default_rng(seed)

    def one_of(*steps):
        return str(rng.choice(steps))

    cases = []
    for case in range(n):
        south, late = rng.random() < 0.5, case >= n // 2
        steps = ["Register claim", "Check policy", "Register at FD" if south else "Register at ER"]
        steps += ["Request documents", "Unterlagen prüfen"] if rng.random() < 0.7 else []
        steps += ["Inspect damage", "Estimate costs", "Confirm cover"]
        steps += rng.permutation(["Measure CRP", "Measure LDH"]).tolist()
        steps += ["05_EIND_010", "05_EIND_020", "05_EIND_030"] if rng.random() < 0.4 else []
        steps += [one_of("Wait - Vendor", "Wait - Customer")] if rng.random() < 0.3 else []
        steps += ["Enter reserve"] + (["Print letter"] if rng.random() < 0.6 else [])
        steps += ["Signed by MANAGER" if late else "Signed by CLERK", "Department approval"]
        if rng.random() < 0.7:
            steps += ["Accept claim", "Calculate refund", "Send invoice to customer", "Transfer payment to customer"]
        else:
            steps += ["Refuse claim", "Send customer to invoice"] + (["Review plane"] if rng.random() < 0.1 else [])
        steps += (["Review plan"] if rng.random() < 0.5 else []) + ["Archive file", "Close claim"]
        names = (OFFICES if south else {}) | (NEW_SYSTEM if late else {})
        cases.append(("south" if south else "north", [spelled(names.get(step, step), rng) for step in steps]))
    rows = [
        (str(case), step, datetime(2024, 1, 1) + timedelta(hours=8 * case, minutes=5 * place), site)
        for case, (site, steps) in enumerate(cases)
        for place, step in enumerate(steps)
    ]
    events = pl.DataFrame(rows, schema=["case", "activity", "time", "site"], orient="row")
    return read_log(events, attributes=["site"])


def spelled(step, rng):
    chance = rng.random()
    for other, share in SPELLINGS.get(step, []):
        if chance < share:
            return other
        chance -= share
    return step


@pytest.fixture(scope="module")
def groups():
    return group(claims())


def test_most_other_names_are_accepted_and_all_are_shown(groups):
    accepted = [set(one.activities) for one in groups if one.relation == "synonyms"]
    shown = [set(one.activities) for one in groups]
    missed = {pair for pair in PROBLEMS if not any(set(pair) <= one for one in accepted)}
    assert len(PROBLEMS) == 19
    assert missed == {("Department approval", "Dept. approval")}  # an abbreviation in 30 % of the cases
    assert all(any(set(pair) <= one for one in shown) for pair in missed)


def test_no_trap_is_merged_without_asking(groups):
    accepted = [set(one.activities) for one in groups if one.relation == "synonyms"]
    assert [trap for trap in TRAPS if any(len(trap & one) > 1 for one in accepted)] == []


def test_nothing_else_is_accepted(groups):
    step_of = {other: step for step, other in PROBLEMS}
    for one in groups:
        if one.relation == "synonyms":
            assert len({step_of.get(label, label) for label in one.activities}) == 1
