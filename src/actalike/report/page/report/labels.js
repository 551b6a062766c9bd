// Labels of activities in the document, sentences that contain them, and the marks of groups.

import { make, sentenceElements } from "../shared/dom.js";
import { counted, labelText, percent, similarityText, thousands } from "../shared/texts.js";
import { shorten, shortenAll, widthOf } from "../shared/widths.js";
import { OUTSIDE } from "./data.js";

// A label, with its second name if it has one; the whole of it as a tip if it is too long to be shown.
export function labelElement(data, i) {
  const label = labelText(data.name(i));
  const second = secondNameElement(data, i);
  return second === null ? label : make("span", label, second);
}

// The second name of a label, with a space before it; null if it has none.
export function secondNameElement(data, i) {
  const second = data.secondName(i);
  if (second === null) return null;
  const element = labelText(second);
  element.classList.add("second-name");
  return make("span", " ", element);
}

// A label that opens the panel of its activity, if it is drawn.
export function activityButton({ data, choices }, i) {
  if (!data.isDrawn(i)) return labelElement(data, i);
  return make(
    "button.activity",
    { "data-activity": i, onclick: (event) => choices.select(i, null, event) },
    labelElement(data, i),
  );
}

// The elements of a sentence of words.js.
export const sentence = (page, words) =>
  words.map((word) => {
    if (typeof word === "string") return word;
    return word.button ? activityButton(page, word.activity) : labelElement(page.data, word.activity);
  });

// The elements of a sentence that Python has sent, by its number.
const said = (page, number, element = (i) => labelElement(page.data, i)) =>
  sentenceElements(page.data.sentences[number], element);

// The number of a group.
export function badge(group) {
  const mark = make("span.badge", { "aria-hidden": "true" }, String(group.number));
  mark.style.setProperty("--group", group.colour);
  return mark;
}

// --- Labels in pictures, each with as much of its second name as there is room for.

const JOINT = " · ";
const LEAST_ROOM = 34; // pixels: less of a second name says nothing

// The texts of activities, each on a line that is at most so many pixels wide. The label comes first; the second name gets what is left.
export function picturedNames(data, activities, pixels, room, weight = 400) {
  const labels = shortenAll(
    activities.map((i) => data.name(i)),
    pixels,
    room,
    weight,
  );
  return labels.map((label, k) => {
    const second = data.secondName(activities[k]);
    if (second === null) return label;
    const rest = room - widthOf(label + JOINT, pixels, weight);
    return rest < LEAST_ROOM ? label : label + JOINT + shorten(second, pixels, rest, weight);
  });
}

// --- Why a group or a pair has its verdict: lines with their signs, the contexts in common, and the log-odds that sum to the probability.

const SHOWN = 5; // reasons of a pair
const WEIGHTY = 0.5; // log-odds: what weighs less is told only where all reasons are

// The proposal that two activities are both in, if there is one.
export const groupOfBoth = ({ groups }, i, j) => groups.find(({ members }) => members.includes(i) && members.includes(j));

// What is said of two activities: how their group is related, or how likely they are one step.
export const pairVerdict = ({ data }, i, j) => data.verdict(groupOfBoth(data, i, j)?.relation ?? null, data.probability(i, j));

const line = (page, sign, sentence) =>
  make(
    sign === "+" ? "li.for" : "li.against",
    make("span.sign", { "aria-label": sign === "+" ? "for:" : "against:", role: "img" }, sign === "+" ? "+" : "\u2212"),
    make("span", said(page, sentence)),
  );

// Lines of a group, as Python has chosen them.
export const argumentList = (page, lines) =>
  make(
    "ul.reasons",
    lines.map(([sign, sentence]) => line(page, sign, sentence)),
  );

// The weightiest reasons of two activities.
export function reasonList(page, reasons) {
  const told = reasons.filter(({ logOdds, sentence }) => Math.abs(logOdds) >= WEIGHTY && !page.data.isUntold.has(sentence));
  return argumentList(
    page,
    told.slice(0, SHOWN).map(({ logOdds, sentence }) => [logOdds > 0 ? "+" : "-", sentence]),
  );
}

export const evidenceList = (page, contexts) =>
  make(
    "ul.evidence",
    contexts.map(([sentence, shares]) =>
      make(
        "li",
        said(page, sentence, (i) => activityButton(page, i)),
        " ",
        make("span.muted", shares),
      ),
    ),
  );

// Log-odds with their sign.
const signed = (logOdds) => `${logOdds < 0 ? "\u2212" : "+"}${Math.abs(logOdds).toFixed(1)}`;

// All reasons with their log-odds, folded.
export function reasonSum(page, { reasons, members }) {
  const total = reasons.reduce((sum, { logOdds }) => sum + logOdds, 0);
  const isPair = (members?.length ?? 2) === 2; // the mean log-odds of more pairs are not those of their mean probability
  return make(
    "details.fold.sum",
    make("summary", isPair ? "What the probability is made of" : "What the probability of two members is made of, on average"),
    make(
      "ul.shares",
      reasons.map(({ logOdds, sentence }) => make("li", make("b", signed(logOdds)), make("span", said(page, sentence)))),
      make(
        "li.total",
        make("b", signed(total)),
        make("span", isPair ? `sum: a probability of ${percent(1 / (1 + Math.exp(-total)))}` : "sum"),
      ),
    ),
  );
}

// --- What the page says beside the sentences that Python sends: shares of similarities, intervals, and what is not drawn.
//
// A sentence is a list of texts and of activities, which are objects: { activity: 3, button: true }. labels.js shows them.

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
  const [together, rare] = [number("belong together"), number("too rare to judge")];
  const parts = [
    together ? counted(together, "group belongs together", "groups belong together") : "",
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
