"""Made-up purchase orders, of the size and shape of BPIC19: for measurements that must not depend on a download.

    python measurements/made_up_logs.py BPIC19-like.parquet    # writes the log, 1.6 million events

BPIC19 has 251,734 cases, 1.6 million events, 42 activities, 12 thousand variants, and cases of 1 to 990 events (6.3 on
average). This log has 13,513 variants and cases of 1 to 69 events, otherwise the same figures. The process is a random walk
over the activities with few likely successors each, in which some steps repeat.
"""

import sys
from pathlib import Path

import numpy as np

from actalike import EventLog, write_log

CASES = 251_734
ACTIVITIES = 42
LABELS = [f"Step {place + 1:02}" for place in range(ACTIVITIES)]
FILES = 8
BLOCK = 600_000  # cases made at a time


def purchases(cases=CASES, seed=0):
    """The log; the same arguments give the same log."""
    codes, offsets = walks(cases, np.random.default_rng(seed))
    return EventLog(LABELS, codes, offsets, [f"PO-{number:06}" for number in range(cases)])


def walks(cases, rng):
    """So many cases of the process: their activities one case after the other, and where each begins."""
    steps, ranks, repeats = process()
    now = np.searchsorted(ranks, rng.random(cases))
    alive = np.arange(cases)
    happened, of_case = [], []
    while len(alive):
        happened.append(now)
        of_case.append(alive)
        rank = np.searchsorted(ranks, rng.random(len(alive)))
        following = np.where(rng.random(len(alive)) < repeats[now], now, steps[now, rank])
        stays = rng.random(len(alive)) > np.where(following < now, 0.5, 0.157)  # going back is rare: most cases are short
        alive, now = alive[stays], following[stays]
    codes, case = np.concatenate(happened), np.concatenate(of_case)
    order = np.argsort(case, kind="stable")  # events were made step by step, so a stable sort keeps their order in the case
    return codes[order], np.concatenate([[0], np.cumsum(np.bincount(case, minlength=cases))])


def process():
    """The process: the successors of each activity, likeliest first; how likely they are, summed up; what repeats."""
    rng = np.random.default_rng(19)
    likely = 0.05 ** np.arange(ACTIVITIES)  # nearly always the first successor, else nearly always the second
    ahead = (np.arange(ACTIVITIES) - np.arange(ACTIVITIES)[:, None] - 1) % ACTIVITIES
    steps = np.argsort(ahead + rng.gamma(1.5, 4.0, ahead.shape), axis=1, kind="stable")  # mostly what comes soon after
    return steps, np.cumsum(likely / likely.sum()), np.where(rng.random(ACTIVITIES) < 0.15, 0.2, 0.0)


def write_events(folder, events, seed=0):
    """Write so many events of this process into a folder of Parquet files, the last case cut short, and return the folder.

    Each event goes to a file by chance, so the events of a case are spread over all files; within a file, blocks of rows are
    shuffled. Columns: case (whole number), activity (text), time (events of a case are at least a second apart).
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = Path(folder)
    folder.mkdir()
    schema = pa.schema([("case", pa.int64()), ("activity", pa.dictionary(pa.int8(), pa.string())), ("time", pa.timestamp("us"))])
    writers = [pq.ParquetWriter(folder / f"events-{number}.parquet", schema, compression="zstd") for number in range(FILES)]
    rng = np.random.default_rng(seed)
    written = cases = 0
    while written < events:
        codes, offsets = walks(min(BLOCK, events - written), rng)
        lengths = np.diff(offsets)
        case = np.repeat(np.arange(cases, cases + len(lengths)), lengths)
        started = np.repeat(rng.integers(0, 10**9, len(lengths)) * 10**6, lengths)
        pause = np.cumsum(rng.integers(10**6, 10**10, len(codes)))
        time = started + pause - np.repeat(pause[offsets[:-1]], lengths)
        chosen = rng.permutation(min(len(codes), events - written))
        for number, writer in enumerate(writers):
            rows = chosen[number::FILES]
            activity = pa.DictionaryArray.from_arrays(pa.array(codes[rows].astype(np.int8)), pa.array(LABELS))
            writer.write_table(pa.table([case[rows], activity, pa.array(time[rows], pa.timestamp("us"))], schema=schema))
        written += len(chosen)
        cases += len(lengths)
    for writer in writers:
        writer.close()
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write_log(purchases(), sys.argv[1])
