// What the reader has chosen and decided about two logs, and what follows from it.

import { DecidedChoices } from "../shared/decided_choices.js";
import { startState } from "./links.js";

export const ORDERS = {
  frequency: "most frequent first",
  place: "by place in the case",
  unsure: "least sure first",
  label: "by label",
};

export class TwoLogChoices extends DecidedChoices {
  constructor(data, decided = undefined) {
    super(["filter", "query", "order", "arrows", "open"], startState(data.proposals, sureness(data, decided), decided));
    Object.assign(this, { data, query: "", order: "frequency", shown: "all", arrows: 0, allRows: false, open: new Set() });
    this.derive();
  }

  // From which probability on actalike accepts, as it was decided; this page proposes no pairs that are less likely than its own.
  sureness(decided) {
    return sureness(this.data, decided);
  }

  // The steps: sets of labels that are the same step or may be, each { key, a, b, links, decision, probability }; `a` and `b` are
  // numbers of the labels. `rejected` are rejected pairs, `unmatched[side]` the labels of a side that are in no step.
  derive() {
    const { data, state } = this;
    const [a, b] = data.sides;
    const known = state.links
      .filter((link) => link.a !== null && link.b !== null && a.indexOf.has(link.a) && b.indexOf.has(link.b))
      .map((link) => this.numbered(link));
    const accepted = known.filter(({ link }) => link.decision === "accepted");
    const taken = [new Set(), new Set()];
    for (const { i, j } of accepted) [taken[0].add(i), taken[1].add(j)];
    this.isAlone = [0, 1].map(
      (side) =>
        new Map(
          state.links
            .filter((link) => link.decision === "accepted" && link[side ? "a" : "b"] === null)
            .map((link) => [link[side ? "b" : "a"], link]),
        ),
    );
    const isAlone = (side, i) => this.isAlone[side].has(data.sides[side].labels[i]);
    const isFree = ({ i, j }) => !taken[0].has(i) && !taken[1].has(j) && !isAlone(0, i) && !isAlone(1, j);
    const undecided = known.filter((one) => one.link.decision === "undecided" && isFree(one));
    this.steps = [...stars(accepted), ...undecided.map((one) => stepOf([one]))];
    this.rejected = known.filter(({ link }) => link.decision === "rejected").map((one) => stepOf([one]));
    const inStep = [new Set(), new Set()];
    for (const step of this.steps) {
      for (const i of step.a) inStep[0].add(i);
      for (const j of step.b) inStep[1].add(j);
    }
    this.unmatched = data.sides.map((log) => [...log.labels.keys()].filter((i) => !inStep[log.side].has(i)));
    this.accepted = this.steps.filter(({ decision }) => decision === "accepted");
    this.unknown = [0, 1].map((side) => this.unknownLabels(side));
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

  // Whether a person has decided or changed anything.
  get isTouched() {
    return this.state.links.some(({ by }) => by === "person");
  }
}

const sureness = (data, decided) => Math.max(data.at_least, decided?.atLeast ?? 0);

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
  const groups = new Map();
  for (const one of links) {
    const centre = ofJ.get(one.j) > 1 ? `b${one.j}` : ofI.get(one.i) > 1 ? `a${one.i}` : `${one.i} ${one.j}`;
    if (!groups.has(centre)) groups.set(centre, []);
    groups.get(centre).push(one);
  }
  return [...groups.values()].map(stepOf);
}
