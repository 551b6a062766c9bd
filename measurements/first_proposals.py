"""List the first proposal of every log, by weights that were fitted without the log's family; check those of BPIC15 by English names.

    python measurements/first_proposals.py                 # about 4 minutes
    python measurements/first_proposals.py --keep FOLDER   # with the evidence that fit_same_step.py has kept there

Needs a folder of the paper's logs (ACTALIKE_LOGS). The labels of BPIC15 are codes. Its events have English names
(`activityNameEN`), which nothing of this reads: a proposal of synonyms is checked if all its codes have the same English name.
"""

import argparse
import dataclasses
from pathlib import Path

from fit_same_step import KNOTS, LOGS, Basis, collect, family, leave_families_out, read
from same_step_unseen import weights_of

from actalike.benchmark.labels.natural import NAME_ATTRIBUTE, most_frequent_names
from actalike.counting import count_windows
from actalike.labels import group, same_step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    cells, _ = collect(arguments.keep)
    fits = leave_families_out(Basis(list(KNOTS)), cells)
    print("\n| log | labels | synonyms | alternatives | first proposal | relation | witness |\n" + "|---" * 7 + "|")
    checked = []
    for path in sorted(path for path in LOGS.iterdir() if path.name.endswith((".xes.gz", ".csv.gz"))):
        name = path.name.split(".")[0]
        log = read(name, path)
        english = most_frequent_names(log) if NAME_ATTRIBUTE in log.attributes else None
        log.attributes.pop(NAME_ATTRIBUTE, None)
        counts = count_windows(log, 5)
        weights = weights_of(fits[family(name)].weights([cell for cell in cells if family(cell["name"]) != family(name)]))
        same = dataclasses.replace(same_step(log, counts=counts), weights=weights)
        groups = [one for one in group(log, same=same, counts=counts) if one.relation in ("synonyms", "alternatives")]
        synonyms = [one for one in groups if one.relation == "synonyms"]
        first = groups[0] if groups else None
        shown = "none" if first is None else " = ".join(first.activities)
        witness = "" if first is None else ", ".join(sorted({one.kind for one in first.witnesses}))
        relation = "" if first is None else first.relation
        n_alternatives = len(groups) - len(synonyms)
        print(
            f"| {name} | {len(log.activities)} | {len(synonyms)} | {n_alternatives} | {shown} | {relation} | {witness} |",
            flush=True,
        )
        if english is not None:
            name_of = dict(zip(log.activities, english, strict=True))
            checked += [(name, one, {name_of[label] for label in one.activities}) for one in synonyms]
    right = sum(len(names) == 1 for *_, names in checked)
    print(f"\nBPIC15: {right} of {len(checked)} proposals of synonyms have one English name. The others:\n")
    for name, one, names in checked:
        if len(names) > 1:
            print(f"- {name}: {' = '.join(one.activities)} ({', '.join(sorted(map(str, names)))}), {one.probability:.2f}")


if __name__ == "__main__":
    main()
