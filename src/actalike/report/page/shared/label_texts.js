// Labels as text that can be seen.

import { foreignText } from "./dom.js";
import { withoutMiddle } from "./formats.js";

const LONGEST = 90; // characters: the middle of a longer label is left out, because labels often differ at their ends

// Blank as Python says it, and as JavaScript does: a name that either takes for blank is none.
export const isBlank = (text) => Array.from(text).every((c) => !c.trim() || "\x1c\x1d\x1e\x1f\x85".includes(c));

// Half a character, which no file can hold, becomes a replacement character.
export const wellFormed = (text) =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

// A label as text that can be seen.
export const shownLabel = (label) => (isBlank(label) ? `(${label ? "blank" : "no name"})` : label);

// A label that may be long: its beginning and its end, and the whole of it as a tip.
export function labelText(text) {
  const characters = Array.from(text);
  if (characters.length <= LONGEST) return foreignText(text);
  const element = foreignText(withoutMiddle(characters, LONGEST));
  element.title = text;
  return element;
}
