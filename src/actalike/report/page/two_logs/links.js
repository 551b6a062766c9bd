// What was decided about the labels of two logs, as a value that never changes: every function returns a new state.
//
// A state is { atLeast, note, links }; a link is { a, b, decision, by, note }. `a` and `b` are labels, so that labels that this page
// does not have are kept too; with null in the place of a label, the other one has no partner. `by` is who decided last.
//
// Accepted links are one to one, or a label has several partners that have no other: a step that one log splits.

import { byCodePoint, csv, wellFormed } from "../shared/texts.js";

const SIDES = ["a", "b"];
const isSame = (link, a, b) => link.a === a && link.b === b;
const isAccepted = ({ decision }) => decision === "accepted";

export const linkOf = ({ links }, a, b) => links.find((link) => isSame(link, a, b));

// The accepted partners of a label, null among them if it has none.
export const partners = ({ links }, side, label) =>
  links.filter((link) => isAccepted(link) && link[SIDES[side]] === label).map((link) => link[SIDES[1 - side]]);

// A state with what a person decided before, which stays as it is, and the proposals that nobody has decided about.
export function startState(proposals, atLeast, /** @type {Pick<Decided, "note" | "links">} */ decided = { note: "", links: [] }) {
  return { atLeast, note: decided.note, links: withProposals(proposals, atLeast, decided.links) };
}

// The links of persons, and the proposals that nobody has decided about: accepted if they are sure, and agree with what is accepted.
// A pair of actalike that was accepted beside one of a person (one more partner) stays.
function withProposals(proposals, atLeast, before) {
  const key = (a, b) => JSON.stringify([a, b]);
  const byPerson = before.filter(({ by }) => by === "person");
  const wasAccepted = new Set(before.filter((link) => isAccepted(link) && !byPerson.includes(link)).map(({ a, b }) => key(a, b)));
  const own = new Map(byPerson.map((link) => [key(link.a, link.b), link]));
  const taken = [new Set(), new Set()];
  const take = (link) => {
    if (link.a !== null) taken[0].add(link.a);
    if (link.b !== null) taken[1].add(link.b);
  };
  for (const link of byPerson) if (isAccepted(link)) take(link);
  const alone = new Set(byPerson.filter((link) => isAccepted(link) && link.b === null).map(({ a }) => a));
  const aloneB = new Set(byPerson.filter((link) => isAccepted(link) && link.a === null).map(({ b }) => b));
  const links = [];
  for (const { a, b, probability, split } of proposals) {
    const decided = own.get(key(a, b));
    if (decided) {
      links.push(decided);
      own.delete(key(a, b));
      continue;
    }
    const isFree = (side) => !taken[side].has([a, b][side]);
    const isPart = (one) =>
      isFree(1 - one) && !(one === 0 ? alone.has(a) : aloneB.has(b)) && isStar(links, byPerson, one, [a, b]);
    const isBeside = () => wasAccepted.has(key(a, b)) && (isPart(0) || isPart(1));
    const fits = split === null ? (isFree(0) && isFree(1)) || isBeside() : isPart(split);
    const link = { a, b, decision: fits && probability >= atLeast - 1e-9 ? "accepted" : "undecided", by: "actalike", note: "" };
    if (isAccepted(link)) take(link);
    links.push(link);
  }
  return [...links, ...own.values()];
}

// Whether the partners of the one label of a split have no other partner.
function isStar(links, byPerson, side, labels) {
  const state = { links: [...links, ...byPerson.filter((link) => !links.includes(link))] };
  return partners(state, side, labels[side]).every((part) => part !== null && partners(state, 1 - side, part).length === 1);
}

// Another threshold: what actalike accepts follows it, what a person decided stays.
export const setAtLeast = (state, proposals, atLeast) => ({
  ...state,
  atLeast,
  links: withProposals(proposals, atLeast, state.links),
});

// A state with a link changed, or added.
function changed(state, a, b, change) {
  const before = linkOf(state, a, b);
  const link = { a, b, decision: "undecided", by: "person", note: "", ...before, ...change };
  return { ...state, links: before ? state.links.map((one) => (one === before ? link : one)) : [...state.links, link] };
}

// Take back or reject the accepted links of labels that a new one does not agree with. That a label has no partner is forgotten.
function released(state, isInTheWay) {
  const links = state.links
    .filter((link) => !(isInTheWay(link) && isAccepted(link) && (link.a === null || link.b === null) && !link.note))
    .map((link) => (isInTheWay(link) && isAccepted(link) ? { ...link, decision: "rejected", by: "person" } : link));
  return { ...state, links };
}

// These two labels are the same step, and neither has another partner.
export function accept(state, a, b) {
  const free = released(state, (link) => !isSame(link, a, b) && (link.a === a || link.b === b));
  return changed(free, a, b, { decision: "accepted", by: "person" });
}

// A label (`side`, `label`) has one more partner, which has no other: the other log splits the step.
export function addPartner(state, side, label, partner) {
  const [one, other] = [SIDES[side], SIDES[1 - side]];
  const own = new Set(partners(state, side, label));
  const free = released(
    state,
    (link) =>
      link[other] === partner || // the partner's old ones
      (link[one] === label && link[other] === null) ||
      (own.has(link[other]) && link[one] !== label && link[other] !== null), // partners of partners
  );
  const [a, b] = side === 0 ? [label, partner] : [partner, label];
  return changed(free, a, b, { decision: "accepted", by: "person" });
}

// A label has no partner.
export function noPartner(state, side, label) {
  const free = released(state, (link) => link[SIDES[side]] === label && link[SIDES[1 - side]] !== null);
  const [a, b] = side === 0 ? [label, null] : [null, label];
  return changed(free, a, b, { decision: "accepted", by: "person" });
}

// What was decided about two labels is the decision of a person too.
export const confirm = (state, a, b) => changed(state, a, b, { by: "person" });

export const reject = (state, a, b) => changed(state, a, b, { decision: "rejected", by: "person" });

// Take a decision back.
export function takeBack(state, a, b) {
  const link = linkOf(state, a, b);
  if ((a === null || b === null) && !link?.note) return { ...state, links: state.links.filter((one) => one !== link) };
  return changed(state, a, b, { decision: "undecided", by: "person" });
}

export const setNote = (state, a, b, note) => changed(state, a, b, { note: wellFormed(note), by: "person" });

export const setLogNote = (state, note) => ({ ...state, note: wellFormed(note) });

// Without the links of labels that the logs do not have.
export const onlyLabels = (state, isThere) => ({
  ...state,
  links: state.links.filter(({ a, b }) => isThere(0, a) && isThere(1, b)),
});

// The accepted link that names each label of the log that takes the names of the other; `language` is the side of the names. Of several
// partners that of a person counts, before those of actalike, of which the first counts. `unclear` are the labels of which a person
// has accepted several: they can get one name only. labels/matching_decisions.py has the same rule.
export function nameLinks({ links }, language) {
  const other = SIDES[1 - language];
  const pairs = links.filter((link) => isAccepted(link) && link.a !== null && link.b !== null);
  const named = new Map();
  const unclear = new Set();
  for (const link of pairs.filter(({ by }) => by === "person")) {
    if (named.has(link[other])) unclear.add(link[other]);
    else named.set(link[other], link);
  }
  for (const link of pairs) if (!named.has(link[other])) named.set(link[other], link);
  return { named, unclear };
}

// Whether a person has decided that a label is not the same step as the label of the other log with the same name.
const isToldApart = ({ links }, side, label, isLabelOfOther) =>
  links.some(
    ({ by, decision, ...link }) =>
      by === "person" &&
      link[SIDES[side]] === label &&
      ((decision === "rejected" && link[SIDES[1 - side]] === label) ||
        (decision === "accepted" && link[SIDES[1 - side]] === null && isLabelOfOther)),
  );

// How the proposals of a page differ from those of decisions before.
export function differences(decided, state) {
  const key = ({ a, b }) => JSON.stringify([a, b]);
  const before = new Map(decided.links.map((link) => [key(link), link]));
  const byActalike = state.links.filter(({ by }) => by === "actalike");
  const here = new Set(state.links.map(key));
  return {
    added: byActalike.filter((link) => !before.has(key(link))).length,
    gone: decided.links.filter((link) => link.by === "actalike" && isAccepted(link) && !here.has(key(link))).length,
    changed: byActalike.filter((link) => before.has(key(link)) && before.get(key(link)).decision !== link.decision).length,
  };
}

// The links of a state as a file holds them.
export const storedPairs = ({ links }) => links.map(({ decision, by, a, b, note }) => ({ decision, by, a, b, note }));

// --- The names that one log takes from the other: the labels of both as a table, as "actalike match -o matching.csv" writes it.

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
