// Labels of activities in the document, and sentences that contain them.

import { foreignText, make } from "../shared/dom.js";
import { withoutMiddle } from "../shared/formats.js";

const LONGEST = 90; // characters: the middle of a longer label is left out, because labels often differ at their ends

// A label, with its second name if it has one; the whole of it as a tip if it is too long to be shown.
export function labelElement(data, i) {
  const label = labelText(data.name(i));
  const second = secondNameElement(data, i);
  return second === null ? label : make("span", {}, label, second);
}

// The second name of a label, with a space before it; null if it has none.
export function secondNameElement(data, i) {
  const second = data.secondName(i);
  if (second === null) return null;
  const element = labelText(second);
  element.classList.add("second-name");
  return make("span", {}, " ", element);
}

// A label that may be long: its beginning and its end, and the whole of it as a tip.
export function labelText(text) {
  const characters = Array.from(text);
  if (characters.length <= LONGEST) return foreignText(text);
  const element = foreignText(withoutMiddle(characters, LONGEST));
  element.title = text;
  return element;
}

// A label that opens the panel of its activity, if it is drawn.
export function activityButton({ data, choices }, i) {
  if (!data.isDrawn(i)) return labelElement(data, i);
  return make(
    "button",
    { type: "button", class: "activity", "data-activity": i, onclick: (event) => choices.select(i, null, event) },
    labelElement(data, i),
  );
}

// The elements of a sentence of words.js.
export const sentence = (page, words) =>
  words.map((word) => {
    if (typeof word === "string") return word;
    if (word.text !== undefined) return foreignText(word.text);
    return word.button ? activityButton(page, word.activity) : labelElement(page.data, word.activity);
  });
