"""Made-up events in Parquet files, as many as one likes: cases interleaved, rows in no order.

    python measurements/event_files.py FOLDER 100_000_000

The process is that of measurements/purchases.py. Each event goes to a file by chance, so the events of a case are spread over all
files; within a file, blocks of rows are shuffled. Columns: case (whole number), activity (text), time (of the event; events
of a case are at least a second apart).
"""

import shutil
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from purchases import LABELS, walks

FILES = 8
BLOCK = 600_000  # cases made at a time


def write_events(folder, events, seed=0):
    """Write so many events, the last case cut short; a folder that is there whole already is left as it is."""
    folder = Path(folder)
    if folder.exists():
        return folder
    unfinished = folder.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    schema = pa.schema([("case", pa.int64()), ("activity", pa.dictionary(pa.int8(), pa.string())), ("time", pa.timestamp("us"))])
    writers = [pq.ParquetWriter(unfinished / f"events-{number}.parquet", schema, compression="zstd") for number in range(FILES)]
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
        print(f"\r{written:,} of {events:,} events", end="", file=sys.stderr, flush=True)
    for writer in writers:
        writer.close()
    print(file=sys.stderr)
    unfinished.rename(folder)
    return folder


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(write_events(sys.argv[1], int(sys.argv[2])))
