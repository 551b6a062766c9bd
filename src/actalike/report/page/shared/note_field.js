// A note that somebody writes.

import { make } from "./dom.js";
import { LONGEST_NOTE } from "./file_checks.js";

export const isTyped = (input) => document.activeElement === input;

// A field for a note; on paper its text.
export function noteField(label, key, changed) {
  const input = make("textarea", {
    rows: 2,
    class: "note-input",
    "aria-label": label,
    placeholder: label,
    "data-focus": key,
    maxlength: LONGEST_NOTE,
    oninput: () => changed(input.value),
  });
  const printed = make("p.note-printed");
  const element = make("div.note-field", { hidden: true }, input, printed);
  const set = (text) => {
    if (input.value !== text) input.value = text;
    printed.textContent = text;
    if (text) element.hidden = false;
    else if (!isTyped(input)) element.hidden = true;
  };
  const show = () => {
    element.hidden = false;
    input.focus();
  };
  return { element, input, set, show };
}
