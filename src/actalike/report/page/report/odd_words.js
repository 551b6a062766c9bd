// What is odd about a place of a case in English: the twin of oddities/odd_words.py, where sentences are the same. Here they are
// lists, as in words.js; { text } is a text that others have written.

import { counted, percent, thousands } from "../shared/formats.js";
import { OUTSIDE } from "./data.js";

const SHOWN = 3; // labels in a row
const NOTABLE = 0.1; // of the most frequent alternative: one that is rarer is not named
const USUAL = 0.1; // share from which on a continuation shows nothing odd about a repetition

const label = (activity) => [{ activity, button: false }];

// The label of an event of a case, undefined if the page does not have the event.
export function activityAt({ events }, at) {
  const [first, codes] = events.find(([start, some]) => start <= at && at < start + some.length) ?? [0, []];
  return codes[at - first];
}

// What is odd about a place, what is usual there, and how often it is as here.
export function oddSentence(one, place) {
  const { kind, seam, position, times, total } = place;
  if (kind === "attribute") return [...oddClaim(one, place), ` (${countWords(place)})`, ...usualValues(one, place)];
  const isTold = kind === "inserted" && seam === position && 2 * times <= total; // that the event is unexpected
  return isTold
    ? usualSteps(one, place)
    : [...oddClaim(one, place), ": ", ...(usualNumber(one, place) ?? usualSteps(one, place))];
}

// What is odd about a place, in a few words.
export function oddClaim(one, place) {
  const { kind, events, position, before, after, missing, attribute, value } = place;
  const here = () =>
    listed(
      events.map((at) => label(activityAt(one, at))),
      "and",
    );
  const be = (many) => (many ? "are" : "is");
  const many = events.length > 1;
  switch (kind) {
    case "skipped": {
      // it is not always known which step it is that is missing at the end
      const steps = missing.length ? listed(missing.map(label), "and") : ["a step"];
      return [...steps, ` ${be(missing.length > 1)} missing `, ...betweenWords(before, activityAt(one, position) ?? OUTSIDE)];
    }
    case "inserted":
      return [...here(), " does not belong ", ...betweenWords(before, after)];
    case "repeated":
      return [...here(), ` ${be(many)} repeated`];
    case "early":
    case "late":
      return [...here(), ` ${many ? "come" : "comes"} `, ...shiftWords(one, place)];
    case "attribute":
      return [{ text: attribute }, " is ", ...valueWords(value)];
    default:
      throw new Error(`unknown kind of odd place: ${kind}`);
  }
}

// How cases usually go on where it shows best that something is odd, and how often as here.
function usualSteps(one, place) {
  const { context, times, total, seam } = place;
  const activity = activityAt(one, seam);
  const isEnd = activity === undefined;
  const here = isEnd ? ["the case ends"] : label(activity);
  const others = notable(place.expected);
  if (!others.length || 2 * times > total)
    return [...afterWords(context), isEnd ? " " : " comes ", ...here, ` in ${countWords(place)}`];
  const share = percent(others.reduce((sum, [, often]) => sum + often / total, 0));
  const steps = others.filter(([value]) => value !== OUTSIDE).map(([value]) => label(value));
  const end = steps.length < others.length ? [["end"]] : [];
  const asHere = ["; here: ", ...here, `, ${countWords(place)}`];
  if (context.length === 1 && context[0] === OUTSIDE)
    return [`${share} of the cases begin with `, ...(steps.length ? listed(steps, "or") : ["no event"]), ...asHere];
  return [...afterWords(context), ` ${share} ${steps.length ? "go on to " : ""}`, ...listed([...steps, ...end], "or"), ...asHere];
}

// How often a repeated activity occurs in its case, and in how many cases so often, if this is what is odd; else null.
function usualNumber(one, { events, times, total, occurs }) {
  if (!occurs.length || times <= USUAL * total) return null;
  const [here, soOften, atAll] = occurs;
  if (soOften * total >= times * atAll) return null; // what comes next is rarer
  const cases = `${thousands(soOften)} of the ${thousands(atAll)} cases with it`;
  return [...label(activityAt(one, events[0])), ` occurs ${thousands(here)} times here, and so often in ${cases}`];
}

// Which values an attribute usually has for this activity.
function usualValues(one, { expected, position, total }) {
  const others = notable(expected);
  if (!others.length) return [];
  const values = others.map(([other, often]) => [...valueWords(other), ` (${percent(often / total)})`]);
  return [": for ", ...label(activityAt(one, position)), " it is ", ...listed(values, "or")];
}

// The alternatives that are not much rarer than the most frequent one.
function notable(expected) {
  const largest = Math.max(0, ...expected.map(([, times]) => times));
  return expected.filter(([, times]) => times >= NOTABLE * largest).slice(0, SHOWN);
}

// How far from where it belongs an event is, and what is there.
function shiftWords(one, { kind, words: how, events, belongs }) {
  const isEarly = kind === "early";
  const distance = isEarly ? belongs - Math.max(...events) - 1 : Math.min(...events) - belongs;
  const where = `${events.length > 1 ? "they belong" : "it belongs"} ${isEarly ? "after" : "before"} `;
  return [`${counted(distance, "event", "events")} ${how}, ${where}`, ...label(activityAt(one, isEarly ? belongs - 1 : belongs))];
}

// Between which events a place is.
function betweenWords(before, after) {
  if (before !== OUTSIDE && after !== OUTSIDE) return ["between ", ...label(before), " and ", ...label(after)];
  if (before !== OUTSIDE) return ["at the end, after ", ...label(before)];
  return after === OUTSIDE ? ["here"] : ["at the start, before ", ...label(after)];
}

// After which labels something comes; the first of them may be the start of the case.
function afterWords(context) {
  const labels = context.filter((i) => i !== OUTSIDE).flatMap((i, k) => [k ? " and then " : "after ", ...label(i)]);
  if (!context.includes(OUTSIDE)) return labels;
  return [...labels, labels.length ? " at the start" : "at the start"];
}

const valueWords = (value) => (value === null ? ["missing"] : ["'", { text: value }, "'"]);

const countWords = ({ times, total }) => `${thousands(times)} of ${thousands(total)}`;

// Parts of a sentence as a list in it; of many only the first are named.
function listed(parts, last) {
  const isLong = parts.length > SHOWN;
  const all = isLong ? [...parts.slice(0, SHOWN), [`${thousands(parts.length - SHOWN)} more`]] : parts;
  const joint = ` ${isLong ? "and" : last} `;
  return all.flatMap((part, i) => (i === 0 ? part : [i === all.length - 1 ? joint : ", ", ...part]));
}

export const scoreText = (score) => score.toFixed(1);

export const NOTHING_ODD = "No case of this log is odd.";

export const NO_CASES =
  "This page was written without example cases, so it lists no odd cases. The command actalike odd finds them.";

// How many places and cases are odd, and how many of the cases are listed.
export function listedWords({ found, listed, cases }, all) {
  const odd = `${counted(found.places, "odd place", "odd places")} in ${thousands(found.cases)} of ${counted(all, "case", "cases")}`;
  const some = listed < found.cases ? `; listed are the ${counted(listed, "case", "cases")} with the oddest` : "";
  const once = listed > cases.length ? " Cases with the same events and the same odd places stand once." : "";
  return `${odd}${some}.${once}`;
}

// A sentence as plain text, for files.
export function plainText(data, words) {
  const quoted = (i) => (data.secondName(i) === null ? `'${data.label(i)}'` : `'${data.label(i)}' [${data.secondName(i)}]`);
  const texts = words.map((word) => (typeof word === "string" ? word : (word.text ?? quoted(word.activity))));
  return texts.join("").replaceAll("\u00a0", " ");
}
