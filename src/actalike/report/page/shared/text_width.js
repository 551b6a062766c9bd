// How wide texts are, and as much of them as there is room for.

export const FONT = 'Inter, "Segoe UI", system-ui, -apple-system, "Helvetica Neue", Arial, sans-serif';

import { withoutMiddle } from "./formats.js";
import { shortLabels } from "./short_labels.js";

const ruler = document.createElement("canvas").getContext("2d");
let rulerFont = "";

export function widthOf(text, pixels, weight = 400) {
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
