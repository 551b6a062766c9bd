// The names that one log takes from the other, as a mapping; the twin of MatchingDecisions.names_of_a and names_of_b.

import { byCodePoint, csv } from "../shared/csv.js";

// The new name of each label of a log (`side`) that is on the page, where another one takes its name with the log's title added.
export function adoptedNames({ data, choices }, side) {
  const [own, other] = side === 0 ? ["a", "b"] : ["b", "a"];
  const names = new Map();
  for (const link of choices.state.links)
    if (link.decision === "accepted" && link[own] !== null && link[other] !== null && !names.has(link[own]))
      names.set(link[own], link[other]);
  const { labels, title } = data.sides[side];
  const taken = new Set(names.values());
  const isTaken = (name) => taken.has(name) || data.sides[side].indexOf.has(name);
  for (const label of labels)
    if (taken.has(label) && !names.has(label)) {
      const name = `${label} (${title || "the other log"})`;
      let free = name;
      for (let number = 2; isTaken(free); number++) free = `${name} ${number}`;
      names.set(label, free);
    }
  return names;
}

// A row for each label of a log that the page has: those with a new name first, then all others, by label.
export function mappingText(page, side) {
  const names = adoptedNames(page, side);
  const { labels } = page.data.sides[side];
  const here = labels.filter((label) => names.has(label)).map((label) => [label, names.get(label)]);
  const others = labels
    .filter((label) => !names.has(label))
    .sort(byCodePoint)
    .map((label) => [label, label]);
  return csv([["activity", "group"], ...here, ...others]);
}
