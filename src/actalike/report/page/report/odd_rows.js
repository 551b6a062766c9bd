// Odd cases as rows: which are listed, and what stands in the strip of each.

import { csv } from "../shared/csv.js";
import { sentenceText } from "../shared/sentence.js";

const AROUND = 3; // events that are shown on either side of an odd place, until the reader wants more
const SHORT = 2; // so few events are shown rather than counted
const WHOLE = 12; // events of a case that is shown whole

// The label of an event of a case, undefined if the page does not have the event.
function activityAt({ events }, at) {
  const [first, codes] = events.find(([start, some]) => start <= at && at < start + some.length) ?? [0, []];
  return codes[at - first];
}

// How many odd places of each kind the log has, also in cases that are not listed.
export function kindCounts({ kinds, found }) {
  return kinds.map(([kind, words]) => ({ kind, words, number: found.kinds[kind] }));
}

const hasKind = ({ places }, kind) => places.some((place) => place.kind === kind);

// The cases with a kind of place (null: any) and a text in an id or a label; in the order of the data, the oddest first, or
// those first that most cases are equal to.
export function listedCases(data, { kind, query, byNumber }) {
  const text = query.trim().toLowerCase();
  const cases = data.odd.cases.filter((one) => (kind === null || hasKind(one, kind)) && (!text || hasText(data, one, text)));
  return byNumber ? cases.sort((a, b) => b.number - a.number) : cases;
}

function hasText(data, { ids, events, places }, text) {
  if (ids.some((id) => id.toLowerCase().includes(text))) return true;
  const labels = new Set([...events.flatMap(([, codes]) => codes), ...places.flatMap(({ missing }) => missing)]);
  return [...labels].some((i) => data.hasText(i, text)) || places.some(({ value }) => value?.toLowerCase().includes(text));
}

// The parts of a strip, in their order. A part is an event, a missing step, the place where an event belongs, an end of the case,
// or a gap: events that are left out until the reader opens them; those that the page does not have cannot be opened.
// `opened` holds the first events of the gaps that are open.
export function stripParts({ length, events, places }, opened = new Set()) {
  const codes = new Map(events.flatMap(([first, some]) => some.map((code, k) => [first + k, code])));
  const marked = places.flatMap(({ position, belongs, events: own }) => [
    position,
    ...own,
    ...(belongs === null ? [] : [belongs]),
  ]);
  const isNear = (at) => codes.has(at) && (length <= WHOLE || marked.some((mark) => Math.abs(mark - at) <= AROUND));
  const parts = [];
  let gap = null;
  const close = () => {
    if (!gap) return;
    const all = Array.from({ length: gap.number }, (_, k) => gap.first + k);
    if (gap.isHere && (gap.number <= SHORT || opened.has(gap.first)))
      parts.push(...all.map((at) => ({ part: "event", at, activity: codes.get(at), marks: [] })));
    else parts.push({ part: "gap", ...gap });
    gap = null;
  };
  for (let at = 0; at <= length; at++) {
    if (at < length && !isNear(at)) {
      const isHere = codes.has(at);
      if (gap?.isHere !== isHere) close();
      gap ??= { first: at, number: 0, isHere };
      gap.number += 1;
      continue;
    }
    close();
    parts.push(...before(at, places));
    if (at < length) parts.push({ part: "event", at, activity: codes.get(at), marks: marksAt(at, places) });
  }
  const start = parts[0]?.part === "gap" ? [] : [{ part: "start" }];
  const end = parts.at(-1)?.part === "gap" ? [] : [{ part: "end" }];
  return [...start, ...parts, ...end];
}

// What is drawn before an event that is not there: steps that are missing, and events that belong here.
function before(at, places) {
  return places.flatMap((place, number) => {
    const missing = place.position === at ? place.missing.map((activity) => ({ part: "missing", activity, number })) : [];
    const belongs = place.belongs === at ? [{ part: "belongs", place, number }] : [];
    return [...missing, ...belongs];
  });
}

// The places that an event is odd in. Before an event with missing steps, the steps are what is odd.
const marksAt = (at, places) =>
  places.flatMap((place, number) => (place.events.includes(at) && !place.missing.length ? [{ ...place, number }] : []));

const HEADER = ["score", "case", "cases", "event", "kind", "activity", "reason", "times", "total", "attribute", "value"];

// The odd places of cases as a CSV file: columns are called as in odd.csv, and events count from 1. `cases` is how many are equal.
export function oddTable(data, cases) {
  const quoted = (i) => (data.secondName(i) === null ? `'${data.label(i)}'` : `'${data.label(i)}' [${data.secondName(i)}]`);
  const rows = cases.flatMap((one) =>
    one.places.map((place) => {
      const activity = activityAt(one, place.position);
      return [
        place.score,
        one.ids[0],
        one.number,
        place.position + 1,
        place.kind,
        activity === undefined ? "" : data.label(activity),
        sentenceText(place.sentence, quoted),
        place.times,
        place.total,
        place.attribute ?? "",
        place.value ?? "",
      ].map(String);
    }),
  );
  return csv([HEADER, ...rows]);
}
