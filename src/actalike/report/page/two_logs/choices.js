// What the reader has chosen and decided about two logs, and what follows from it.

import { DecidedChoices } from "../shared/decided_choices.js";
import { accept, addPartner, startState } from "./links.js";

export const ORDERS = {
  frequency: "most frequent first",
  place: "by place in the case",
  unsure: "least sure first",
  label: "by label",
};

export class TwoLogChoices extends DecidedChoices {
  constructor(/** @type {TwoLogPage["data"]} */ data, /** @type {Decided | undefined} */ decided = undefined) {
    super(["filter", "query", "order", "arrows"], startState(data.proposals, data.at_least, decided));
    this.data = data;
    this.query = "";
    this.order = "frequency";
    this.shown = "all";
    this.arrows = 0;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Step[]} those of them that are accepted */
    this.accepted = [];
    /** @type {number[][]} labels of each side that are in no step */
    this.unmatched = [];
    /** @type {string[][]} labels of each side that the page does not know */
    this.unknown = [];
    /** @type {Map<string, StoredPair>[]} labels without a partner, of each side */
    this.isAlone = [];
    this.derive();
  }

  // The steps: sets of labels that are the same step or may be, each { key, a, b, links, decision, probability }; `a` and `b` are
  // numbers of the labels. `rejected` are rejected pairs whose labels have no other partner, `unmatched[side]` the labels of a side that
  // are in no step. Parts of a split that are undecided are one step.
  derive() {
    const { data, state } = this;
    const [a, b] = data.sides;
    const known = state.links
      .filter((link) => link.a !== null && link.b !== null && a.indexOf.has(link.a) && b.indexOf.has(link.b))
      .map((link) => this.numbered(link));
    const accepted = known.filter(({ link }) => link.decision === "accepted");
    this.isAlone = [0, 1].map(
      (side) =>
        new Map(
          state.links
            .filter((link) => link.decision === "accepted" && link[side ? "a" : "b"] === null)
            .map((link) => [link[side ? "b" : "a"], link]),
        ),
    );
    const isAlone = (side, i) => this.isAlone[side].has(data.sides[side].labels[i]);
    const undecided = known.filter((one) => one.link.decision === "undecided" && !isAlone(0, one.i) && !isAlone(1, one.j));
    const open = grouped(
      undecided.filter((one) => this.isFree(one, accepted)),
      (one) => data.splitOf(one.i, one.j) ?? one,
    );
    this.steps = [...stars(accepted), ...open.map(stepOf)];
    const inStep = [new Set(), new Set()];
    for (const step of this.steps) {
      for (const i of step.a) inStep[0].add(i);
      for (const j of step.b) inStep[1].add(j);
    }
    const rejected = known.filter(({ link, i, j }) => link.decision === "rejected" && !inStep[0].has(i) && !inStep[1].has(j));
    this.rejected = rejected.map((one) => stepOf([one]));
    this.unmatched = data.sides.map((log) => [...log.labels.keys()].filter((i) => !inStep[log.side].has(i)));
    this.accepted = this.steps.filter(({ decision }) => decision === "accepted");
    this.unknown = [0, 1].map((side) => this.unknownLabels(side));
  }

  // Whether a link agrees with those that are accepted: its labels have no partners, or those of its own split.
  isFree({ i, j }, accepted) {
    const split = this.data.splitOf(i, j);
    return accepted.every((one) => (one.i !== i && one.j !== j) || (split && this.data.splitOf(one.i, one.j) === split));
  }

  // The state with undecided steps accepted, except those that do not agree with the ones before them.
  accepting(steps) {
    const accepted = this.accepted.flatMap(({ links }) => links);
    let { state } = this;
    for (const { links } of steps) {
      if (!links.every((one) => this.isFree(one, accepted))) continue;
      for (const { link, i, j } of links) {
        const side = this.data.splitOf(i, j)?.[0];
        if (side === undefined) state = accept(state, link.a, link.b);
        else state = addPartner(state, side, ...(side === 0 ? [link.a, link.b] : [link.b, link.a]));
      }
      accepted.push(...links);
    }
    return state;
  }

  numbered(link) {
    const [i, j] = [this.data.sides[0].indexOf.get(link.a), this.data.sides[1].indexOf.get(link.b)];
    return { link, i, j, probability: this.data.probability(i, j) };
  }

  // The labels of accepted links, and of those of a person, that this page does not have.
  unknownLabels(side) {
    const log = this.data.sides[side];
    const labels = this.state.links
      .filter(({ decision, by }) => decision === "accepted" || by === "person")
      .map((link) => link[side ? "b" : "a"])
      .filter((label) => label !== null && !log.indexOf.has(label));
    return [...new Set(labels)];
  }

  // The step of each label of a side, by its number; null if it is in none that is accepted.
  stepsOf(side) {
    const of = new Array(this.data.sides[side].size).fill(null);
    for (const step of this.accepted) for (const i of step[side ? "b" : "a"]) of[i] = step;
    return of;
  }

  // How many of the pairs a person has decided about, and how many there are; a split is one.
  get progress() {
    const rows = [...this.steps, ...this.rejected];
    const isDecided = ({ link }) => link.by === "person" && link.decision !== "undecided";
    return { decided: rows.filter(({ links }) => links.every(isDecided)).length, all: rows.length };
  }

  // Whether a person has decided or changed anything.
  get isTouched() {
    return this.state.links.some(({ by }) => by === "person");
  }
}

function stepOf(links) {
  const [first] = links;
  const some = links.map(({ probability }) => probability).filter((probability) => probability !== null);
  return {
    key: JSON.stringify([first.link.a, first.link.b]),
    a: [...new Set(links.map(({ i }) => i))],
    b: [...new Set(links.map(({ j }) => j))],
    links,
    decision: first.link.decision,
    probability: some.length ? Math.min(...some) : null,
  };
}

// Accepted links put together: those that share a label are one step.
function stars(links) {
  const count = (key) => {
    const counts = new Map();
    for (const one of links) counts.set(one[key], (counts.get(one[key]) ?? 0) + 1);
    return counts;
  };
  const [ofI, ofJ] = [count("i"), count("j")];
  const centre = ({ i, j }) => (ofJ.get(j) > 1 ? `b${j}` : ofI.get(i) > 1 ? `a${i}` : `${i} ${j}`);
  return grouped(links, centre).map(stepOf);
}

// Lists of those that have the same key.
function grouped(some, keyOf) {
  const groups = new Map();
  for (const one of some) {
    const key = keyOf(one);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  return [...groups.values()];
}
