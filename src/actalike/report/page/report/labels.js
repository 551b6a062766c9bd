// Labels of activities in the document, sentences that contain them, and the marks of groups.

import { make } from "../shared/dom.js";
import { labelText } from "../shared/label_texts.js";
import { sentenceElements } from "../shared/sentence.js";

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
export const said = (page, number, element = (i) => labelElement(page.data, i)) =>
  sentenceElements(page.data.sentences[number], element);

// The number of a group.
export function badge(group) {
  const mark = make("span.badge", { "aria-hidden": "true" }, String(group.number));
  mark.style.setProperty("--group", group.colour);
  return mark;
}
