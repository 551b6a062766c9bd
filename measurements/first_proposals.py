"""The first ten proposals of each public log, with verdicts, as the stored table first-proposals (docs/evaluation/labels.md).

    python measurements/first_proposals.py [--without-names]      # needs a folder of logs (ACTALIKE_LOGS); two minutes

BPIC15 is read with its second names (activityNameEN) unless --without-names; what is said of it then is no test, because the judge
saw these names. Verdicts are those of judged_pairs.csv, by the first label and each other one; - where a pair was not judged.
"""

import argparse
import csv
import os
from collections import Counter
from pathlib import Path

from actalike import group, read_log

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
SHOWN = ("synonyms", "alternatives")
MOST = 10


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--without-names", action="store_true")
    given = arguments.parse_args()
    with Path(__file__).with_name("judged_pairs.csv").open(encoding="utf-8") as file:
        judged = {(row["log"], frozenset((row["a"], row["b"]))): row["verdict"] for row in csv.DictReader(file)}
    counts = Counter()
    print("| log | proposal | relation, because of | judged |\n|---|---|---|---|")
    for path in sorted(LOGS.glob("*.gz")):
        name = path.name.split(".")[0]
        has_names = name.startswith("BPIC15") and not given.without_names
        log = read_log(path, attributes="people", name="activityNameEN" if has_names else None)
        groups = [one for one in group(log) if one.relation in SHOWN][:MOST]
        for one in groups:
            labels = [label + (f" [{log.names[label]}]" if label in log.names else "") for label in one.activities]
            shown = " = ".join(labels[:4]) + (f" and {len(labels) - 4} more" if len(labels) > 4 else "")
            verdicts = [judged.get((name, frozenset((one.activities[0], other))), "-") for other in one.activities[1:]]
            kinds = ", ".join(dict.fromkeys(witness.kind for witness in one.witnesses))
            print(f"| {name} | {shown} | {one.relation}{f', {kinds}' if kinds else ''} | {', '.join(dict.fromkeys(verdicts))} |")
            counts[one.relation, ", ".join(dict.fromkeys(verdicts))] += 1
        if not groups:
            print(f"| {name} | none | | |")
    for (relation, verdict), number in sorted(counts.items()):
        print(f"<!-- {relation}, {verdict}: {number} -->")


if __name__ == "__main__":
    main()
