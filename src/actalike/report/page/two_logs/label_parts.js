// Labels of two logs in the document.

import { make } from "../shared/dom.js";
import { thousands } from "../shared/formats.js";
import { labelText } from "../shared/label_texts.js";

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

export const button = (words, onclick, more = {}) => make("button.quiet.small", { onclick, ...more }, words);
