// Labels of activities in the document, and sentences that contain them.

import { foreignText, make } from "../shared/dom.js";

export const labelElement = (data, i) => foreignText(data.name(i));

// A label that opens the panel of its activity.
export function activityButton({ data, choices }, i) {
  if (i < 0) return labelElement(data, i);
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
    return word.button ? activityButton(page, word.activity) : labelElement(page.data, word.activity);
  });
