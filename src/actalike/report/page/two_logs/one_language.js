// The names that one log takes from the other: the labels of both as a table, as "actalike match -o matching.csv" writes it.

import { byCodePoint, csv } from "../shared/csv.js";
import { isToldApart, nameLinks } from "./links.js";

const SIDES = ["a", "b"];

// Whether a log has a label, as far as the page knows: it does not have the rarest labels of a large log.
export const mayHave = (log, label) => Boolean(log.left_out) || log.indexOf.has(label);

// A table whose first column is the language: relabelling the other log by it, both have the names of side `language`. Accepted pairs
// first, then the labels of the other log without a partner, by label. Labels that the logs do not have are left out. A label that a person has told apart from the one with the same
// name is marked, as labels/mapping.py does.
export function matchingText({ data, choices: { state } }, language) {
  const [own, other] = [SIDES[language], SIDES[1 - language]];
  const { named } = nameLinks(state, language);
  const pairs = state.links
    .filter((link) => named.get(link[other]) === link && mayHave(data.sides[0], link.a) && mayHave(data.sides[1], link.b))
    .map((link) => [link[own], link[other], link.by === "person" ? "yes" : ""]);
  const [names, { labels }] = [data.sides[language], data.sides[1 - language]];
  const taken = new Set([...names.labels, ...labels]);
  const isNamed = new Set(pairs.map(([, label]) => label));
  const alone = labels.filter((label) => !isNamed.has(label)).sort(byCodePoint);
  const nameOf = (label) => {
    if (!isToldApart(state, 1 - language, label, names.indexOf.has(label))) return "";
    let name = `${label} (b)`;
    for (let number = 2; taken.has(name); number++) name = `${label} (b${number})`;
    taken.add(name);
    return name;
  };
  return csv([["label_a", "label_b", "known"], ...pairs, ...alone.map((label) => [nameOf(label), label, ""])]);
}
