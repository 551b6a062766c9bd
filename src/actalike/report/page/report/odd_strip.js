// The strip of an odd case: its events in a row, with marks at the odd places. Each place has a number, which its reason has too.

import { foreignText, make } from "../shared/dom.js";
import { counted } from "../shared/formats.js";
import { activityButton, labelElement } from "./labels.js";
import { stripParts } from "./odd_rows.js";

export const numberMark = (number) =>
  make("span", { class: "odd-number" }, make("span", { class: "unseen" }, "place "), String(number + 1));

// Returns the element of the strip.
export function oddStrip(page, one) {
  const opened = new Set(); // first events of the gaps that are open
  const list = make("ol", { class: "chips strip", "aria-label": "Events of the case" });
  const show = () => list.replaceChildren(...stripParts(one, opened).map((part) => element(part)));
  const open = (first) => {
    const place = [...list.children].findIndex((item) => item.dataset.first === String(first));
    opened.add(first);
    show();
    list.children[place].querySelector("button")?.focus();
  };
  const element = (part) => {
    switch (part.part) {
      case "event":
        return eventItem(page, part);
      case "missing":
        return make(
          "li",
          { class: "chip absent" },
          numberMark(part.number),
          make("span", { class: "odd-tag" }, "missing "),
          activityButton(page, part.activity),
        );
      case "belongs":
        return make("li", { class: "chip absent" }, numberMark(part.number), belongsWords(page, one, part.place));
      case "gap":
        return gapItem(part, open);
      default:
        return make("li", { class: "chip-end" }, part.part === "start" ? "start" : "end");
    }
  };
  show();
  return list;
}

function eventItem(page, { activity, marks }) {
  const classes = marks.length ? "chip odd" : "chip";
  return make(
    "li",
    { class: classes },
    marks.map(({ number }) => numberMark(number)),
    activityButton(page, activity),
    marks.map(({ kind, words, attribute, value }) =>
      make(
        "span",
        { class: "odd-tag" },
        kind === "attribute" ? [" ", foreignText(attribute), ": ", value === null ? "missing" : foreignText(value)] : ` ${words}`,
      ),
    ),
  );
}

function belongsWords(page, { events }, { events: own }) {
  const codes = new Map(events.flatMap(([first, some]) => some.map((code, k) => [first + k, code])));
  const labels = own.filter((at) => codes.has(at)).flatMap((at, k) => [k ? ", " : "", labelElement(page.data, codes.get(at))]);
  return [make("span", { class: "odd-tag" }, "here would belong "), make("span", {}, labels)];
}

function gapItem({ first, number, isHere }, open) {
  const events = counted(number, "event", "events");
  if (!isHere) return make("li", { class: "chip-gap" }, `… ${events}, not on this page …`);
  return make(
    "li",
    { class: "chip-gap", "data-first": first },
    make(
      "button",
      { type: "button", class: "gap-open", "aria-label": `Show ${events} more`, onclick: () => open(first) },
      `… ${events} …`,
    ),
  );
}
