// Short texts for the labels of one picture: without their middle, and so that different labels read differently. The twin of
// support/text.py; here `fits` says whether a text has room.

import { withoutMiddle } from "./texts.js";

const PASSES = 8;
const CONTEXTS = [12, 8, 5, 3, 2, 1, 0]; // characters at either end, beside the part that differs
const LONGEST = 400; // characters that are looked at

// Returns a text for each label. If two labels would read the same, the part in which they differ is kept.
export function shortLabels(labels, fits) {
  const short = new Map();
  const characters = new Map();
  for (const label of labels) {
    if (short.has(label)) continue;
    const line = label.replace(/\s+/g, " ").trim();
    const whole = line.length <= LONGEST ? line : line.slice(0, LONGEST / 2) + line.slice(-LONGEST / 2);
    characters.set(label, Array.from(whole)); // whole characters, no halves
    short.set(label, line.length <= LONGEST && fits(line) ? line : cut(characters.get(label), fits));
  }
  for (let pass = 0; pass < PASSES && tellApart(short, characters, fits); pass++);
  return labels.map((label) => short.get(label));
}

// As much of a text as fits, the beginning and the end.
function cut(characters, fits) {
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(withoutMiddle(characters, middle))) low = middle;
    else high = middle - 1;
  }
  return withoutMiddle(characters, low);
}

// Replaces texts that several labels have by texts with the part that differs; returns whether there were any.
function tellApart(short, characters, fits) {
  const same = new Map();
  for (const [label, text] of short) same.set(text, [...(same.get(text) ?? []), label]);
  const groups = [...same.values()].filter((labels) => labels.length > 1);
  for (const labels of groups) {
    const lists = labels.map((label) => characters.get(label));
    const shortest = Math.min(...lists.map((list) => list.length));
    const start = common(lists, shortest, (list, k) => list[k]);
    const end = Math.min(
      common(lists, shortest, (list, k) => list.at(-1 - k)),
      shortest - start,
    );
    labels.forEach((label, k) => {
      short.set(label, withPart(lists[k], start, lists[k].length - end, fits));
    });
  }
  return groups.length > 0;
}

function common(lists, shortest, at) {
  for (let k = 0; k < shortest; k++) if (lists.some((list) => at(list, k) !== at(lists[0], k))) return k;
  return shortest;
}

// The part from `start` to `end`, with as much of the label's ends as there is room for.
function withPart(characters, start, end, fits) {
  const texts = CONTEXTS.map((context) => {
    const head = start <= context + 1 ? characters.slice(0, start) : [...characters.slice(0, context), "…"];
    const rest = characters.length - end;
    const tail = rest <= context + 1 ? characters.slice(end) : ["…", ...characters.slice(characters.length - context)];
    return [...head, ...characters.slice(start, end), ...tail];
  });
  const whole = texts.find((text) => fits(text.join("")));
  if (whole) return whole.join("");
  const last = texts[texts.length - 1];
  let kept = last.length;
  while (kept > 1 && !fits(last.slice(0, kept).join(""))) kept--;
  return last.slice(0, kept).join("");
}

// --- How wide texts are, and as much of them as there is room for.

export const FONT = 'Inter, "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif';

/** @type {any} */
let ruler = null; // made when it is needed: without a document, other functions of this module work
let rulerFont = "";

export function widthOf(text, pixels, weight = 400) {
  ruler ??= document.createElement("canvas").getContext("2d");
  const font = `${weight} ${pixels}px ${FONT}`;
  // to set the same font again would cost as much as to measure
  if (rulerFont !== font) ruler.font = rulerFont = font;
  return ruler.measureText(text).width;
}

// As much of a text as there is room for, on one line. The middle is left out: labels often differ at their ends.
export function shorten(text, pixels, room, weight = 400) {
  const line = text.replace(/\s+/g, " ");
  if (line.length < 400 && widthOf(line, pixels, weight) <= room) return line;
  const characters = Array.from(line.length < 400 ? line : line.slice(0, 200) + line.slice(-200)); // whole characters, no halves
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(withoutMiddle(characters, middle), pixels, weight) <= room) low = middle;
    else high = middle - 1;
  }
  return withoutMiddle(characters, low);
}

// The labels of one picture, each on a line; those that differ read differently.
export const shortenAll = (labels, pixels, room, weight = 400) =>
  shortLabels(labels, (text) => widthOf(text, pixels, weight) <= room);

// A text in at most so many lines; the last one is shortened.
export function wrap(text, pixels, room, lineLimit, weight = 400) {
  const words = text.replace(/\s+/g, " ").trim().slice(0, 2000).split(" ");
  const lines = [];
  let line = words.shift() ?? "";
  for (const word of words) {
    if (lines.length === lineLimit - 1 || widthOf(`${line} ${word}`, pixels, weight) <= room) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => shorten(each, pixels, room, weight));
}
