// Labels of two logs in the document.

import { make } from "../shared/dom.js";
import { counted, labelText, percent, thousands } from "../shared/texts.js";
import { OUTSIDE } from "./data.js";

// A label, with its second name if it has one.
export function labelElement(log, i) {
  const label = labelText(log.name(i));
  const second = i < 0 ? null : log.secondName(i);
  if (second === null) return label;
  const element = labelText(second);
  element.classList.add("second-name");
  return make("span", label, " ", element);
}

// The elements of a sentence of match_words.js.
export const sentence = ({ data }, words) =>
  words.map((word) => (typeof word === "string" ? word : labelElement(data.sides[word.side], word.activity)));

// What is said on paper where a list is cut.
export const cutWords = (shown, all, what) =>
  `The first ${thousands(shown)} of ${thousands(all)} ${what} are printed; the page has all.`;

// --- Why two labels are taken for the same step, in English. A sentence is a list of texts and of labels ({ side, activity }).

const REACH = 4;
const DISTANCES = { 1: "directly", 2: "two steps", 3: "three steps", [REACH]: "up to four steps" };

// A term of a score: [share, offset, neighbour in A, neighbour in B, 1 if both are seldom with these, else 0]; `isNamedAlike(x, y)`
// says whether both have the same label.
// The offset 0 stands for anywhere in the case, and -REACH and REACH for up to so many events before and after.
export function reasonWords([share, offset, x, y, isSeldom], isNamedAlike = () => false) {
  const words = companyWords(offset, x, y, isSeldom, isNamedAlike);
  return share < 0 ? ["one more, the other less than usual: ", ...words] : words;
}

function companyWords(offset, x, y, isSeldom, isNamedAlike) {
  const isBefore = offset < 0;
  const edge = isBefore ? "the beginning of the case" : "the end of the case";
  if (x === OUTSIDE && y === OUTSIDE) return [edgeWords(offset, isBefore)];
  const named = (side, activity) => (activity === OUTSIDE ? edge : { side, activity });
  const neighbour = x !== OUTSIDE && isNamedAlike(x, y) ? [named(0, x)] : [named(0, x), " = ", named(1, y)];
  if (offset === 0) return [`both are ${isSeldom ? "seldom " : ""}in cases with `, ...neighbour];
  return [`both come ${DISTANCES[Math.abs(offset)]} ${isBefore ? "after" : "before"} `, ...neighbour];
}

function edgeWords(offset, isBefore) {
  const distance = Math.abs(offset);
  if (distance === 1) return isBefore ? "both begin the case" : "both end the case";
  const most = counted(distance - 1, "event", "events");
  return isBefore
    ? `both are near the beginning (at most ${most} before them)`
    : `both are near the end (at most ${most} after them)`;
}

// How sure a link is, and who decided it.
export function linkWords({ decision, by }, probability, isKnown) {
  const sure = probability === null ? "not among the likeliest" : isKnown ? "known" : `${percent(probability)} likely`;
  if (decision === "undecided") return `${sure}, undecided`;
  return `${sure}, ${decision} by ${by === "person" ? "you" : "actalike"}`;
}

// What the first screen says of the whole: how many steps are likely in both logs, and how many are doubtful.
export function headline({ likely, doubtful, undecided }) {
  if (!likely && !doubtful && !undecided) return "No label of one log looks like a label of the other";
  if (!likely && !doubtful)
    return `${counted(undecided, "pair of labels might be the same step", "pairs of labels might be the same step")}: you decide`;
  if (!likely) return `No step is likely in both logs, ${thousands(doubtful)} doubtful`;
  const words = `${counted(likely, "step is", "steps are")} likely in both logs`;
  return doubtful ? `${words}, ${thousands(doubtful)} doubtful` : words;
}

// How sure the steps are: of those that are accepted, or not decided, how many are `doubtful`; what a person has accepted is not
// doubted, and not averaged.
export function sureness(steps, sure) {
  const accepted = steps.filter(({ decision }) => decision === "accepted");
  const own = accepted.filter(({ links }) => links.every(({ link }) => link.by === "person"));
  const judged = accepted.filter((step) => !own.includes(step));
  const isDoubtful = ({ probability }) => (probability ?? 0) < sure;
  const mean = judged.length ? judged.reduce((sum, { probability }) => sum + (probability ?? 0), 0) / judged.length : null;
  return {
    own: own.length,
    likely: accepted.length - judged.filter(isDoubtful).length,
    doubtful: steps.filter((step) => !own.includes(step) && isDoubtful(step)).length,
    mean,
  };
}
