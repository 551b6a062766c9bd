// What the page says beside the sentences that Python sends: shares of similarities, intervals, and what is not drawn.
//
// A sentence is a list of texts and of activities, which are objects: { activity: 3, button: true }. labels.js shows them.

import { counted, percent, similarityText, thousands } from "../shared/formats.js";
import { OUTSIDE } from "./data.js";

const DISTANCES = ["", "directly", "two steps", "three steps", "four steps"];

const button = (activity) => ({ activity, button: true });

// [[a], [b], [c]] -> a, b and c
const listed = (parts) => parts.flatMap((part, i) => (i === 0 ? part : [i === parts.length - 1 ? " and " : ", ", ...part]));

// A share of a similarity: its kind, how much it is, its activities, and their place (the offset, or how many come before).
export function shareWords([kind, share, codes, place]) {
  if (kind === "beside" && share < 0)
    return ["one more, the other less than usual: ", ...besideWords(place, codes[0], codes.at(-1))];
  if (kind === "beside") return besideWords(place, codes[0], codes.at(-1));
  if (kind === "seldom") return ["less than usual: ", ...besideWords(place, codes[0], codes.at(-1))];
  if (kind === "constant") return ["what all activities of this log have in common"];
  if (kind === "between") return betweenWords(codes.slice(0, place), codes.slice(place));
  if (kind === "among")
    return [
      "both have around them ",
      ...listed(codes.map((code) => [code === OUTSIDE ? "the outside of the case" : button(code)])),
    ];
  return ["both are like ", button(codes[0])];
}

function besideWords(offset, x, y) {
  const distance = Math.abs(offset);
  const isBefore = offset < 0;
  if (x === OUTSIDE) {
    if (distance === 1) return [isBefore ? "both begin the case" : "both end the case"];
    const events = distance === 2 ? "event" : "events";
    return [
      isBefore
        ? `both are near the beginning of the case (at most ${distance - 1} ${events} before them)`
        : `both are near the end of the case (at most ${distance - 1} ${events} after them)`,
    ];
  }
  const where = `${DISTANCES[distance] ?? `${distance} steps`} ${isBefore ? "after" : "before"} `;
  if (x === y) return [`both come ${where}`, button(x)];
  return [`one comes ${where}`, button(x), `, the other ${isBefore ? "after" : "before"} `, button(y), ", which are alike"];
}

function betweenWords(before, after) {
  const path = (codes) =>
    codes.filter((code) => code !== OUTSIDE).flatMap((code, i) => (i ? [" → ", button(code)] : [button(code)]));
  const [begins, ends] = [before.includes(OUTSIDE), after.includes(OUTSIDE)];
  const [pathBefore, pathAfter] = [path(before), path(after)];
  const parts = [];
  if (pathBefore.length) parts.push(["follow ", ...pathBefore, ...(begins ? [" at the beginning of the case"] : [])]);
  else if (begins) parts.push(["begin the case"]);
  if (pathAfter.length) parts.push(["precede ", ...pathAfter, ...(ends ? [" at the end of the case"] : [])]);
  else if (ends) parts.push(["end the case"]);
  return ["both ", ...listed(parts)];
}

// How many groups there are that are never accepted by themselves.
export function otherGroupsWords(others) {
  const number = (relation) => others.filter((group) => group.relation === relation).length;
  const [together, named, rare] = [number("belong together"), number("same name"), number("too rare to judge")];
  const parts = [
    together ? counted(together, "group belongs together", "groups belong together") : "",
    named ? counted(named, "group has one name for different codes", "groups have one name for different codes") : "",
    rare ? counted(rare, "group is too rare to judge", "groups are too rare to judge") : "",
  ];
  return parts.filter(Boolean).join(", ");
}

// The ends of an interval, beside the similarity that they belong to.
export function intervalWords(interval) {
  if (!interval) return "";
  return interval[0] === null ? "too rare to judge" : `${similarityText(interval[0])} to ${similarityText(interval[1])}`;
}

export const INTERVAL_TITLE = "95 % interval (cases resampled)";

// Of a label in a group that is too rare to be drawn.
export const HIDDEN = "not drawn";

// Why a label of a decision is not shown.
export const missingWords = ({ left_out: leftOut }) => (leftOut ? "not on this page" : "not in this log");

// Which activities the page does not draw, and how many events they have.
export function leftOutWords({ left_out: leftOut, size, facts }) {
  if (!leftOut) return "";
  const share = percent(1 - leftOut.events / facts.events);
  return (
    ` The groups are those of all ${thousands(facts.activities)} activities. Drawn and compared are the ${thousands(size)} most frequent, which have ${share} of the events;` +
    ` ${counted(leftOut.activities, "rarer activity", "rarer activities")} with ${counted(leftOut.events, "event", "events")} are not.`
  );
}

// What the intervals of the page mean.
export function intervalNote({ draws, intervals_checked: checked }) {
  if (!draws) return "";
  const doubt = checked ? "" : " They may be too narrow: only those of kin have been checked.";
  return `The smaller figures are 95 % intervals (cases resampled ${draws} times).${doubt}`;
}
