// The data of the page of two logs (report/matching_report.py), unpacked. Activities of each log are numbers; the most frequent is 0.
// The first log is side 0, called A, the second is side 1, called B.

import { Sent, untyped } from "../shared/dom.js";
import { Labels } from "../shared/labels.js";
import { unpackFollows } from "../shared/packing.js";

export const OUTSIDE = -1; // what is before the first and after the last event of a case
export const LETTERS = ["A", "B"];

// One of the two logs.
/** @type {new (packed: PackedSide) => Labels & PackedSide} */
const SentSide = untyped(Labels);

class LogSide extends SentSide {
  /** @param {PackedSide & { follows: PackedFollows }} packed @param {0 | 1 | number} side */
  constructor(packed, side) {
    super(packed);
    this.indexOf = new Map(packed.labels.map((label, i) => [label, i]));
    this.side = side;
    this.letter = LETTERS[side];
    this.follows = unpackFollows(packed.follows);
  }
}

/** @type {new (packed: TwoLogsFacts) => TwoLogsFacts} */
const SentLogs = untyped(Sent);

export class TwoLogs extends SentLogs {
  /** @param {PackedTwoLogs} packed */
  constructor({ logs, reasons, alone, ...packed }) {
    super(packed);
    this.sides = logs.map((log, side) => new LogSide(log, side));
    const [a, b] = this.sides;
    const key = (i, j) => i * b.size + j;
    this.key = key;
    this.explained = new Map(reasons.map(([i, j, lines]) => [key(i, j), lines]));
    this.alone = alone.map((some) => new Map(some));
    this.known = new Set(packed.known.map(([i, j]) => key(i, j)));
    this.likely = new Map();
    this.candidates[0].forEach((near, i) => {
      for (const [j, probability] of near) this.likely.set(key(i, j), probability);
    });
    this.candidates[1].forEach((near, j) => {
      for (const [i, probability] of near) this.likely.set(key(i, j), probability);
    });
    this.proposals = proposalsOf(packed, a, b);
    for (const { i, j, probability } of this.proposals) this.likely.set(key(i, j), probability);
  }

  // How likely two activities are the same step; null if the page does not know, because they are not among the likeliest.
  probability(i, j) {
    return this.likely.get(this.key(i, j)) ?? null;
  }

  // The split that a pair is a part of, as Python gives it; undefined without one.
  splitOf(i, j) {
    return this.splits.find(([side, one, parts]) => one === [i, j][side] && parts.includes([j, i][side]));
  }

  // Why a pair is one step or not: [sign, sentence]; undefined for all but the likeliest pairs.
  reasons(i, j) {
    return this.explained.get(this.key(i, j));
  }
}

// The pairs that actalike proposes: partners, and the parts of split steps. `split` is the side of the one label of a split, null if
// the pair is none.
function proposalsOf({ pairs, splits }, a, b) {
  const proposals = pairs.map(([i, j, probability]) => ({ a: a.labels[i], b: b.labels[j], i, j, probability, split: null }));
  const isThere = (i, j) => proposals.some((proposal) => proposal.i === i && proposal.j === j);
  for (const [side, one, parts, probability] of splits)
    for (const part of parts) {
      const [i, j] = side === 0 ? [one, part] : [part, one];
      if (!isThere(i, j)) proposals.push({ a: a.labels[i], b: b.labels[j], i, j, probability, split: side });
    }
  return proposals;
}
