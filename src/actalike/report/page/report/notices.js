// Notices at the top of the page, and the words that several of them share.

import { find, make } from "../shared/dom.js";
import { counted } from "../shared/formats.js";
import { shownLabel } from "./choices.js";

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

// How the proposals of this report differ from those of decisions before; `place` says where those were.
export function differenceWords({ added, accepted, gone, changed }, place) {
  const words = [];
  const taken = accepted
    ? `; actalike accepts ${accepted === added ? (added === 1 ? "it" : "them") : `${accepted} of them`}`
    : "";
  if (added)
    words.push(`${counted(added, "proposal of this report was", "proposals of this report were")} not in ${place}${taken}.`);
  if (gone)
    words.push(
      `${counted(gone, "group that actalike had accepted is", "groups that actalike had accepted are")} not proposed any more.`,
    );
  if (changed) words.push(`${counted(changed, "proposal is", "proposals are")} decided otherwise by actalike than in ${place}.`);
  return words;
}

// A notice at the top of the page, with buttons; without any it can be closed.
export function notice(words, buttons = []) {
  const close = ["Close", () => element.remove()];
  const element = make(
    "div",
    { class: "notice" },
    make("p", {}, words),
    make(
      "p",
      { class: "buttons" },
      (buttons.length ? buttons : [close]).map(([name, act]) =>
        make("button", { type: "button", class: "quiet small", onclick: act }, name),
      ),
    ),
  );
  find("notices").append(element);
  return element;
}
