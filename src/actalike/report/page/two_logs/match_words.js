// Why two labels are taken for the same step, in English. A sentence is a list of texts and of labels ({ side, activity }).

import { counted, percent } from "../shared/formats.js";
import { OUTSIDE } from "./data.js";

const DISTANCES = ["", "directly", "two steps", "three steps", "four steps"];

// A term of a score: [share, offset, neighbour in A, neighbour in B]; `isNamedAlike(x, y)` says whether both have the same label.
export function reasonWords([share, offset, x, y], isNamedAlike = () => false) {
  const words = companyWords(offset, x, y, isNamedAlike);
  return share < 0 ? ["one more, the other less than usual: ", ...words] : words;
}

function companyWords(offset, x, y, isNamedAlike) {
  const distance = Math.abs(offset);
  const isBefore = offset < 0;
  if (x === OUTSIDE && y === OUTSIDE) {
    if (distance === 1) return [isBefore ? "both begin the case" : "both end the case"];
    const most = counted(distance - 1, "event", "events");
    return [
      isBefore
        ? `both are near the beginning (at most ${most} before them)`
        : `both are near the end (at most ${most} after them)`,
    ];
  }
  const where = `${DISTANCES[distance] ?? `${distance} steps`} ${isBefore ? "after" : "before"} `;
  const outside = isBefore ? "the beginning of the case" : "the end of the case";
  const named = (side, activity) => (activity === OUTSIDE ? outside : { side, activity });
  if (x !== OUTSIDE && y !== OUTSIDE && isNamedAlike(x, y)) return [`both come ${where}`, named(0, x)];
  return [`both come ${where}`, named(0, x), " = ", named(1, y)];
}

// How sure a link is, and who decided it.
export function linkWords({ decision, by }, probability, isKnown) {
  const sure = probability === null ? "not among the likeliest" : isKnown ? "known" : `${percent(probability)} likely`;
  if (decision === "undecided") return `${sure}, undecided`;
  return `${sure}, ${decision} by ${by === "person" ? "you" : "actalike"}`;
}

// What the first screen says of the whole: how many labels are matched, and with what probability.
export function headline({ steps, undecided }) {
  if (!steps && !undecided) return "No label of one log looks like a label of the other";
  if (!steps)
    return `${counted(undecided, "pair of labels might be the same step", "pairs of labels might be the same step")}: you decide`;
  return `${counted(steps, "step is", "steps are")} in both logs`;
}
