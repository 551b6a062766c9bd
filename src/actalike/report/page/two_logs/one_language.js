// The names that one log takes from the other: the labels of both as a table, as "actalike match -o matching.csv" writes it.

import { byCodePoint, csv } from "../shared/csv.js";

const SIDES = ["a", "b"];

// A table whose first column is the language: relabelling the other log by it, both have the names of side `language`. Accepted pairs
// first, then the labels of the other log without a partner, by label.
export function matchingText({ data, choices }, language) {
  const [own, other] = [SIDES[language], SIDES[1 - language]];
  const seen = new Set();
  const pairs = [];
  for (const link of choices.state.links) {
    if (link.decision !== "accepted" || link.a === null || link.b === null || seen.has(link[other])) continue;
    seen.add(link[other]); // of several partners the first
    pairs.push([link[own], link[other], link.by === "person" ? "yes" : ""]);
  }
  const alone = data.sides[1 - language].labels.filter((label) => !seen.has(label)).sort(byCodePoint);
  return csv([["label_a", "label_b", "known"], ...pairs, ...alone.map((label) => ["", label, ""])]);
}
