// The data of a report (report/report_data.py), unpacked. Activities are numbers; the most frequent is 0. From `size` on they are
// hidden: members of groups that are too rare to be drawn, of which the page knows the label and nothing else. Then come further
// labels, which are in odd cases only.

import { untyped } from "../shared/dom.js";
import { Labels } from "../shared/labels.js";
import { Percentages, unpackFollows, unpackRuns } from "../shared/packing.js";
import { percent } from "../shared/texts.js";

export const OUTSIDE = -1; // what is before the first and after the last event of a case
export const NOT_SHOWN = -2; // an activity that is too rare to be on the page

/** @type {new (packed: ReportFacts) => Labels & ReportFacts} what Python has sent stays as it is */
const SentReport = untyped(Labels);

export class ReportData extends SentReport {
  /** @param {PackedReport} packed */
  constructor({ probability, overlap, pairs, groups, ...packed }) {
    super(packed);
    this.probabilities = new Percentages(probability, this.size);
    this.overlaps = new Percentages(overlap, this.size);
    this.groups = groups.map((group) => ({ ...group, reasons: weighed(group.reasons) }));
    this.isHiddenReason = new Set(packed.quiet_sentences);
    this.follows = unpackFollows(packed.follows);
    /** @type {any} null without timestamps */
    this.timeline = packed.timeline && unpackedTimeline(packed.timeline, this.size);
    // When the process changed (report/changes_data.py). A side is like these data, with the figures of its own cases.
    const side = (own) => Object.assign(Object.create(this), own, { follows: unpackFollows(own.follows) });
    const { shown, further } = packed.changes ?? { shown: [], further: 0 };
    this.changes = { shown: shown.map((change) => ({ ...change, sides: change.sides.map(side) })), further };
    this.uses = unpackedUses(packed.uses, this.size);
    /** @type {any} null if the page was made of variants */
    this.odd = packed.odd && unpackedOdd(packed.odd);
    this.explanations = new Map(
      pairs.map(([i, j, similarity, contexts, shares, reasons]) => [
        i * this.size + j,
        { similarity, contexts, shares, reasons: weighed(reasons) },
      ]),
    );
  }

  // The probability that two activities are one step, as a share that reads as it should be shown.
  probability(i, j) {
    return i === j ? 1 : this.probabilities.at(i, j);
  }

  // The share of direct neighbours that two activities have in common.
  overlap(i, j) {
    return i === j ? 1 : this.overlaps.at(i, j);
  }

  // By the method; undefined for all but the nearest pairs and those inside groups.
  similarity(i, j) {
    return this.neighbour(i, j)?.[1] ?? this.explanation(i, j)?.similarity;
  }

  // The 95 % interval of a similarity: [low, high], [null, null] for activities that are too rare, null where there is none.
  interval(i, j) {
    const neighbour = this.neighbour(i, j);
    return neighbour && neighbour.length > 2 ? [neighbour[2], neighbour[3]] : null;
  }

  neighbour(i, j) {
    return this.neighbours[i].find(([other]) => other === j) ?? this.neighbours[j].find(([other]) => other === i);
  }

  // The contexts that two activities share, the shares of their similarity, and the reasons for their probability; undefined for
  // all but the nearest pairs and those inside groups.
  explanation(i, j) {
    return this.explanations.get(Math.min(i, j) * this.size + Math.max(i, j));
  }

  // Whether the page draws an activity, and can tell more of it than its label.
  isDrawn(i) {
    return i >= 0 && i < this.size;
  }

  label(i) {
    if (i < this.labels.length) return this.labels[i];
    return this.hidden[i - this.labels.length] ?? this.further[i - this.labels.length - this.hidden.length];
  }

  // The verdict about a group, or about two activities; a group's `relation` is null if they are in none.
  verdict(relation, probability) {
    return this.verdicts[relation ?? "pair"].replace("{}", percent(probability));
  }

  // The verdict where there is little room.
  shortVerdict(relation, probability) {
    return relation === null || relation === "synonyms" ? percent(probability) : this.verdicts[relation].split(":")[0];
  }

  // What holds of two activities, in figures that can be checked.
  pairWords(i, j) {
    const overlap = this.verdicts.overlap.replace("{}", percent(this.overlap(i, j)));
    return `${this.verdict(null, this.probability(i, j))}, ${overlap}`;
  }
}

const weighed = (reasons) => reasons.map(([logOdds, sentence]) => ({ logOdds, sentence }));

// How often each activity was used: counts[i][period].
function unpackedTimeline({ counts, ...timeline }, size) {
  const periods = timeline.starts.length;
  const all = unpackRuns(counts, size * periods);
  return { ...timeline, counts: Array.from({ length: size }, (_, i) => all.subarray(i * periods, (i + 1) * periods)) };
}

// How activities are used (report/label_uses_data.py): what is said of pairs can be asked for by their numbers.
function unpackedUses({ together, exact, examples_together: examplesTogether, ...uses }, size) {
  const key = (i, j) => Math.min(i, j) * size + Math.max(i, j);
  const shares = new Percentages(unpackRuns(together, (size * (size - 1)) / 2), size);
  const counts = new Map(exact.map(([i, j, ...figures]) => [key(i, j), figures]));
  const cases = new Map((examplesTogether ?? []).map(([i, j, examples]) => [key(i, j), examples]));
  return {
    ...uses,
    share: (i, j) => shares.at(i, j), // of the rarer one's cases, those that have both
    exact: (i, j) => counts.get(key(i, j)) ?? null, // [cases, instants] with both
    examplesTogether: (i, j) => cases.get(key(i, j)) ?? [],
  };
}

// Odd cases (report/odd_cases_data.py): places have the words of their kinds and their sentences.
function unpackedOdd(/** @type {PackedOdd} */ { kinds = [], sentences = [], cases, ...figures }) {
  const unpackedPlace = ({ kind, sentence, ...place }) => ({
    events: [place.position],
    missing: [],
    belongs: null,
    attribute: null,
    value: null,
    ...place,
    kind: kinds[kind][0],
    words: kinds[kind][1],
    sentence: sentences[sentence],
  });
  return { ...figures, kinds, cases: cases.map((one) => ({ ...one, places: one.places.map(unpackedPlace) })) };
}
