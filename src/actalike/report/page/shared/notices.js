// Notices at the top of the page, and the words that several of them share.

import { find, make } from "./dom.js";
import { counted } from "./formats.js";
import { shownLabel } from "./label_texts.js";

const NAMED = 3; // labels in a notice

// A text without its end if it is long.
export const shortened = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

export const timeWords = (text) => {
  const time = new Date(text);
  return Number.isNaN(time.getTime())
    ? "an unknown date"
    : time.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
};

// The labels that are kept although this page does not have them.
export function unknownWords(labels) {
  const named = labels.slice(0, NAMED).map((label) => `“${shortened(shownLabel(label))}”`);
  const more = labels.length > NAMED ? ` and ${labels.length - NAMED} more` : "";
  return `${counted(labels.length, "label is", "labels are")} not on this page, and ${labels.length === 1 ? "is" : "are"} kept: ${named.join(", ")}${more}.`;
}

// A notice at the top of the page, with buttons; without any it can be closed.
export function notice(words, buttons = []) {
  const close = ["Close", () => element.remove()];
  const element = make(
    "div.notice",
    make("p", words),
    make(
      "p.buttons",
      (buttons.length ? buttons : [close]).map(([name, act]) => make("button.quiet.small", { onclick: act }, name)),
    ),
  );
  find("notices").append(element);
  return element;
}
