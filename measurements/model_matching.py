"""Match the process models of a model matching contest by behaviour and labels, and score the pairs against the experts'.

    python measurements/model_matching.py FOLDER            # FOLDER has models/*.bpmn and goldstandard/A-B.rdf
    python measurements/model_matching.py FOLDER --half 0   # every second pair of models: 0 to choose by, 1 to report

Each model is played out: 1,000 cases, equal choices, loops left after some steps, all pools of a case one after another or, with
--interleaved, mixed at random. What has a name is an activity: tasks, and events that wait or begin. Two logs are matched with their
labels; each pair of labels is a pair of all elements with these names. Precision, recall and F are over the pairs of all models.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from actalike import EventLog, match

CASES, MOST_STEPS = 1000, 300
ELEMENTS = {"task", "intermediateCatchEvent", "startEvent"}
PARALLEL = {"parallelGateway"}


def local(element):
    return element.tag.rpartition("}")[2]


class Model:
    """Hold the flow of a model: names and kinds of its elements, flows by their source, and where each pool begins."""

    def __init__(self, path):
        self.names, self.kinds, self.next = {}, {}, defaultdict(list)
        self.entries = defaultdict(int)  # of each element: how many flows lead to it
        self.starts = []
        for process in ElementTree.parse(path).getroot():
            if local(process) != "process":
                continue
            for element in process.iter():
                if local(element) == "sequenceFlow":
                    self.next[element.get("sourceRef")].append(element.get("targetRef"))
                    self.entries[element.get("targetRef")] += 1
                elif element.get("id") and local(element).endswith(("task", "Task", "Gateway", "Event")):
                    kind = "task" if local(element).endswith("Task") else local(element)
                    self.kinds[element.get("id")] = kind
                    self.names[element.get("id")] = " ".join((element.get("name") or "").split())
            inside = [element.get("id") for element in process.iter() if element.get("id") in self.kinds]
            self.starts.append([one for one in inside if not self.entries[one]])

    def activities(self):
        """The elements of each name."""
        named = defaultdict(set)
        for element, kind in self.kinds.items():
            if kind in ELEMENTS and self.names[element]:
                named[self.names[element]].add(element)
        return named

    def traces(self, seed, interleaved):
        chance = random.Random(seed)
        return [trace for _ in range(CASES) if (trace := self._trace(chance, interleaved))]

    def _trace(self, chance, interleaved):
        if interleaved:
            return self._played([start for pool in self.starts for start in pool], chance)
        return [label for pool in self.starts for label in self._played(pool, chance)]

    def _played(self, starts, chance):
        trace, tokens, waiting, visits = [], list(starts), defaultdict(int), defaultdict(int)
        for _ in range(MOST_STEPS):
            if not tokens:
                break
            here = tokens.pop(chance.randrange(len(tokens)))
            kind = self.kinds[here]
            if kind in PARALLEL and self.entries[here] > 1:
                waiting[here] += 1
                if waiting[here] < self.entries[here]:
                    continue
                waiting[here] = 0
            if kind in ELEMENTS and self.names[here]:
                trace.append(self.names[here])
            onward = self.next[here]
            if not onward:
                continue
            if kind.endswith("Gateway") and kind not in PARALLEL:
                fewest = min(visits[one] for one in onward)  # a loop is left once all ways were taken as often
                chosen = chance.choice(onward) if fewest == 0 else chance.choice([o for o in onward if visits[o] == fewest])
                visits[chosen] += 1
                tokens.append(chosen)
            else:
                tokens += onward
        return trace


def gold_pairs(path):
    pairs = set()
    for cell in ElementTree.parse(path).iter():
        if local(cell) == "Cell":
            ends = [
                next(iter(entity.attrib.values())).rpartition("#")[2] for entity in cell if local(entity).startswith("entity")
            ]
            pairs.add(tuple(ends))
    return pairs


def proposed(matching):
    """The pairs of labels that a matching proposes, with the further parts of split steps."""
    pairs = {(pair.a, pair.b) for pair in matching.pairs}
    for split in matching.splits:
        pairs |= {(split.activity, part) if split.side == "a" else (part, split.activity) for part in split.parts}
    return pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", type=int, choices=[0, 1])
    parser.add_argument("--interleaved", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without-labels", action="store_true")
    parser.add_argument("--wrong", action="store_true", help="print what was missed, and what was proposed wrongly")
    options = parser.parse_args()
    models = {path.stem: Model(path) for path in sorted((options.folder / "models").glob("*.bpmn"))}
    logs = {name: EventLog.from_traces(model.traces(options.seed, options.interleaved)) for name, model in models.items()}
    golds = sorted((options.folder / "goldstandard").glob("*.rdf"))
    right = said = true = 0
    for number, path in enumerate(golds):
        if options.half is not None and number % 2 != options.half:
            continue
        a, b = path.stem.split("-")
        matching = match(logs[a], logs[b], use_labels=not options.without_labels)
        of_a, of_b = models[a].activities(), models[b].activities()
        pairs = {(x, y) for label_a, label_b in proposed(matching) for x in of_a[label_a] for y in of_b[label_b]}
        gold = gold_pairs(path)
        right, said, true = right + len(pairs & gold), said + len(pairs), true + len(gold)
        if options.wrong:
            for sign, some in (("missed", gold - pairs), ("wrong", pairs - gold)):
                for x, y in sorted((models[a].names[x], models[b].names[y]) for x, y in some):
                    print(f"  {sign:6}  {x}  =  {y}")
    precision, recall = right / max(said, 1), right / max(true, 1)
    f = 2 * precision * recall / max(precision + recall, 1e-12)
    print(f"{said} pairs proposed, {right} right of {true}; precision {precision:.3f}, recall {recall:.3f}, F {f:.3f}")


if __name__ == "__main__":
    main()
