// The names that one log takes from the other: the labels of both as a table, as "actalike match -o matching.csv" writes it.

import { byCodePoint, csv } from "../shared/csv.js";
import { isToldApart, nameLinks } from "./links.js";

const SIDES = ["a", "b"];

// A table whose first column is the language: relabelling the other log by it, both have the names of side `language`. Accepted pairs
// first, then the labels of the other log without a partner, by label. A label that a person has told apart from the one with the same
// name is marked, as labels/mapping.py does.
export function matchingText({ data, choices: { state } }, language) {
  const [own, other] = [SIDES[language], SIDES[1 - language]];
  const { named } = nameLinks(state, language);
  const pairs = state.links
    .filter((link) => named.get(link[other]) === link)
    .map((link) => [link[own], link[other], link.by === "person" ? "yes" : ""]);
  const [names, { labels }] = [data.sides[language], data.sides[1 - language]];
  const taken = new Set([...names.labels, ...labels]);
  const alone = labels.filter((label) => !named.has(label)).sort(byCodePoint);
  const nameOf = (label) => {
    if (!isToldApart(state, 1 - language, label, names.indexOf.has(label))) return "";
    let name = `${label} (b)`;
    for (let number = 2; taken.has(name); number++) name = `${label} (b${number})`;
    taken.add(name);
    return name;
  };
  return csv([["label_a", "label_b", "known"], ...pairs, ...alone.map((label) => [nameOf(label), label, ""])]);
}
