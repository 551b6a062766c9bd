"""The logs that the report's page is measured and shown with: the loan desk, real logs, and two that are made up."""

import os
from pathlib import Path

import numpy as np

from actalike import EventLog, read_log, write_log
from actalike.demo.loan_desk import loan_desk

FOLDER = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
FILES = {
    "loan desk": "loan_desk.xes.gz",
    "Helpdesk": "Helpdesk.xes.gz",
    "PermitLog": "BPIC20_PermitLog.xes.gz",
    "BPIC15_1": "BPIC15_1.xes.gz",
    "2,000 labels": "users.csv",
    "RTFM": "RTFM.xes.gz",
    "made-up": "made-up.parquet",
}
SECOND_NAMES = {"BPIC15_1": "activityNameEN"}


def report_file(name, folder):
    """Return the file of a log; one that is made up is written into a folder."""
    makers = {"loan desk": loan_desk, "2,000 labels": labels_with_users, "made-up": made_up}
    if name not in makers:
        return FOLDER / FILES[name]
    path = folder / FILES[name]
    if not path.exists():
        write_log(makers[name](), path)
    return path


def report_log(name, folder):
    """Read a log as the command ``report`` does."""
    return read_log(report_file(name, folder), attributes="people", name=SECOND_NAMES.get(name))


def labels_with_users(users=500, cases=20_000, seed=0):
    """Make a log of four steps whose labels end in the number of a user: 2,000 labels of four steps."""
    rng = np.random.default_rng(seed)
    steps = ["Register order", "Check order", "Approve order", "Send invoice"]
    activities = [f"{step} by user {user}" for step in steps for user in range(users)]
    codes = rng.integers(0, users, (cases, len(steps))) + np.arange(len(steps)) * users
    offsets = np.arange(cases + 1) * len(steps)
    minutes = np.sort(rng.integers(0, 365 * 24 * 60, cases))[:, None] + np.cumsum(rng.integers(5, 600, codes.shape), axis=1)
    times = np.datetime64("2024-01-01T00:00", "us") + minutes.ravel().astype("timedelta64[m]")
    return EventLog(activities, codes.ravel(), offsets, [f"order {case}" for case in range(cases)], times)


def made_up(activities=400, events=1_500_000, seed=0):
    """Make a log of random walks over steps with few likely successors; some steps have two labels, used by turns."""
    rng = np.random.default_rng(seed)
    likely = np.cumsum(0.5 ** np.arange(1, 9))
    ahead = rng.integers(1, 26, (activities, 8)) * np.where(rng.random((activities, 8)) < 0.15, -1, 1)
    ahead[:, 0] = 1  # so that all are reached
    successors = (np.arange(activities)[:, None] + ahead) % activities
    cases = events // 25
    now = rng.integers(0, 40, cases)
    alive = np.arange(cases)
    happened, of_case = [], []
    while len(alive) and sum(map(len, happened)) < events:
        happened.append(now)
        of_case.append(alive)
        choice = np.minimum(np.searchsorted(likely, rng.random(len(alive))), 7)
        stays = rng.random(len(alive)) > 0.04
        alive, now = alive[stays], successors[now, choice][stays]
    codes, case = np.concatenate(happened)[:events], np.concatenate(of_case)[:events]
    twins = (codes % 10 == 1) & (rng.random(len(codes)) < 0.5)
    codes = np.where(twins, codes - 1, codes)
    order = np.argsort(case, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(case, minlength=cases))])
    return EventLog(
        [f"Step {i:03} of the process" for i in range(activities)], codes[order], offsets, [str(i) for i in range(cases)]
    )
