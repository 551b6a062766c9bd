// The mapping of labels to steps, as "actalike group -o mapping.csv" writes it.

import { byCodePoint, csv } from "../shared/csv.js";

// A row for each activity that the page knows: those that are merged first, by group; then all others, by label. Second names are a third column.
export function mappingText(data, choices) {
  const merged = choices.groups
    .filter((group) => choices.isMerged(group))
    .flatMap((group) =>
      group.decided.members.filter((label) => choices.isHere(label)).map((label) => [label, choices.stepName(group)]),
    );
  const done = new Set(merged.map(([label]) => label));
  const labels = [...data.labels, ...data.hidden];
  const others = labels
    .filter((label) => !done.has(label))
    .sort(byCodePoint)
    .map((label) => [label, label]);
  const rows = [["activity", "group"], ...merged, ...others];
  if (!data.names) return csv(rows);
  const second = new Map(labels.map((label, i) => [label, data.names[i]]));
  return csv(rows.map((row, k) => [...row, k ? (second.get(row[0]) ?? "") : "name"]));
}
