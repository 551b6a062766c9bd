// Comparing how activities are used. A side is a list of activities, whose uses are added; most have one.

import { NOT_SHOWN, OUTSIDE } from "./data.js";

const SAME_PLACE = 0.1; // of their neighbours in common: then the later one may have replaced the earlier one

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const known = new WeakMap(); // the neighbours of each activity, of each log

// What is directly before and after each activity: two lists of maps from a neighbour to its count.
function neighbours(data) {
  if (known.has(data)) return known.get(data);
  const { first, second, counts, starts, ends } = data.follows;
  const [before, after] = [starts, ends].map((ofEnds) =>
    ofEnds.map((count) => (count ? new Map([[OUTSIDE, count]]) : new Map())),
  );
  for (let k = 0; k < first.length; k++) {
    after[first[k]].set(second[k], counts[k]);
    before[second[k]].set(first[k], counts[k]);
  }
  for (const maps of [before, after])
    for (const [i, map] of maps.entries()) {
      const rest = data.counts[i] - sum([...map.values()]);
      if (rest > 0) map.set(NOT_SHOWN, rest); // with activities that the page does not show
    }
  known.set(data, { before, after });
  return known.get(data);
}

function added(maps) {
  const total = new Map();
  for (const map of maps) for (const [key, count] of map) total.set(key, (total.get(key) ?? 0) + count);
  return total;
}

const steps = new WeakMap(); // of each log: for each activity of an accepted group all of its members

// Neighbours that are accepted as one step count as one from now on.
export function countSteps(data, groups) {
  steps.set(data, new Map(groups.flatMap(({ members }) => members.map((member) => [member, members]))));
}

// The activities that count as one neighbour with one of them; those of a side stay what they are.
export const stepOf = (data, key, sides) => {
  const members = steps.get(data)?.get(key) ?? [key];
  return members.some((member) => sides.flat().includes(member)) ? [key] : members;
};

export const eventsOf = (data, members) => sum(members.map((i) => data.counts[i]));

// The neighbours of both sides, "before" or "after", with counts and shares of events: the largest share of either first.
export function neighbourRows(data, where, a, b) {
  const inSteps = (map) => added([...map].map(([key, count]) => new Map([[stepOf(data, key, [a, b])[0], count]])));
  const [ofA, ofB] = [a, b].map((members) => inSteps(added(members.map((i) => neighbours(data)[where][i]))));
  return rows(ofA, ofB, eventsOf(data, a), eventsOf(data, b));
}

function rows(ofA, ofB, totalA, totalB) {
  const keys = [...new Set([...ofA.keys(), ...ofB.keys()])];
  return keys
    .map((key) => {
      const [countA, countB] = [ofA.get(key) ?? 0, ofB.get(key) ?? 0];
      return { key, countA, countB, shareA: countA / (totalA || 1), shareB: countB / (totalB || 1) };
    })
    .sort((x, y) => Math.max(y.shareA, y.shareB) - Math.max(x.shareA, x.shareB) || x.key - y.key);
}

// The share that both sides have in common.
const inCommon = (compared) => sum(compared.map(({ shareA, shareB }) => Math.min(shareA, shareB)));

// The share of direct neighbours in common, before and after, the smaller of the two.
export const overlap = (data, a, b) =>
  Math.min(...["before", "after"].map((where) => inCommon(neighbourRows(data, where, a, b))));

// The largest differences between the neighbours of both sides, before and after.
export function differences(data, a, b, atLeast, most) {
  return ["before", "after"]
    .flatMap((where) => neighbourRows(data, where, a, b).map((row) => ({ ...row, where })))
    .filter(({ key, shareA, shareB }) => key !== NOT_SHOWN && Math.abs(shareA - shareB) >= atLeast)
    .sort((x, y) => Math.abs(y.shareA - y.shareB) - Math.abs(x.shareA - x.shareB))
    .slice(0, most);
}

// How many events each side has in each period; null without timestamps.
export function overTime(data, a, b) {
  if (!data.timeline) return null;
  const { counts, starts, unit } = data.timeline;
  const [ofA, ofB] = [a, b].map((members) => starts.map((_, period) => sum(members.map((i) => counts[i][period]))));
  return { unit, starts, countsA: ofA, countsB: ofB };
}

// Whether one side was used before the other: its last use before the first of the other. Null if not, and of groups: the page has the periods of single activities only.
export function separatePeriods(data, a, b) {
  const spans = [a, b].map(([i, ...others]) => (others.length ? null : (data.uses.periods?.[i] ?? null)));
  if (spans.includes(null)) return null;
  const [[sinceA, untilA], [sinceB, untilB]] = spans;
  const earlier = untilA < sinceB ? 0 : untilB < sinceA ? 1 : null;
  if (earlier === null) return null;
  const [, , , until] = spans[earlier]; // in words
  const [, , since] = spans[1 - earlier];
  return { earlier, until, since, replaces: overlap(data, a, b) >= SAME_PLACE };
}

// Who does the steps of both sides, for each attribute; empty if the page does not have it.
export function peopleRows(data, a, b) {
  return (data.uses.people ?? []).map(({ name, values, labels }) => {
    const [ofA, ofB] = [a, b].map((members) => {
      const maps = members.map((i) => {
        const [, , ...pairs] = labels[i];
        return new Map(pairs.flatMap((key, k) => (k % 2 ? [] : [[key, pairs[k + 1]]])));
      });
      const counts = added(maps);
      const unlisted = sum(members.map((i) => labels[i][1]));
      return { counts, unlisted, missing: sum(members.map((i) => labels[i][0])), total: sum([...counts.values()]) + unlisted };
    });
    const compared = rows(ofA.counts, ofB.counts, ofA.total, ofB.total);
    return {
      name,
      rows: compared.map((row) => ({ ...row, value: values[row.key] })),
      unlisted: [ofA.unlisted, ofB.unlisted],
      missing: [ofA.missing, ofB.missing],
      inCommon: ofA.total && ofB.total ? inCommon(compared) : null,
      isLeast: ofA.unlisted > 0 && ofB.unlisted > 0, // values that are not listed may be in common too
    };
  });
}

// How often both sides are in one case: directly beside each other, and in how many cases. The latter is known of two single
// activities, and of groups if no two members share a case.
export function together(data, a, b) {
  const { after } = neighbours(data);
  const directly = (from, to) => sum(from.flatMap((i) => to.map((j) => after[i].get(j) ?? 0)));
  const beside = { aBeforeB: directly(a, b), bBeforeA: directly(b, a) };
  const shares = a.flatMap((i) => b.map((j) => data.uses.share(i, j)));
  if (shares.every((share) => share === 0)) return { ...beside, share: 0, cases: 0, instants: 0 };
  if (shares.length > 1) return { ...beside, share: null, cases: null, instants: null };
  const [share] = shares;
  const [cases = null, instants = null] = data.uses.exact(a[0], b[0]) ?? [];
  return { ...beside, share, cases, instants };
}

// Examples of a side: the first of each member, then the second of each, and so on.
export function examplesOf(data, members, most) {
  const lists = members.map((i) => data.uses.examples[i]);
  const longest = Math.max(...lists.map((list) => list.length));
  const turns = Array.from({ length: longest }, (_, k) => lists.flatMap((list) => list.slice(k, k + 1)));
  return turns.flat().slice(0, most);
}
