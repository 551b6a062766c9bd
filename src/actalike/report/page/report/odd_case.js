// One odd case in the list: which cases it is, its strip, and the reasons, each with the number of its place in the strip.

import { make } from "../shared/dom.js";
import { counted } from "../shared/formats.js";
import { sentenceElements } from "../shared/sentence.js";
import { activityButton, labelElement } from "./labels.js";
import { stripParts } from "./odd_rows.js";

const said = (page, parts) => sentenceElements(parts, (i) => labelElement(page.data, i));

export function oddCaseItem(page, one) {
  return make(
    "li.odd-case",
    make(
      "div.odd-head",
      make(
        "p",
        make("b", said(page, one.title)),
        said(page, one.rest),
        make("span.muted", `, ${counted(one.length, "event", "events")}`),
      ),
      one.whole ? copyButton(one.ids) : null,
    ),
    oddStrip(page, one),
    make(
      "ol.odd-reasons",
      one.places.map((place, number) => reasonItem(page, place, number)),
    ),
    one.note ? make("p.muted.small", one.note) : null,
  );
}

function reasonItem(page, place, number) {
  return make(
    "li",
    numberMark(number),
    make("span", make("b", place.words), ": ", said(page, place.sentence)),
    make("span.odd-score", "score ", make("b", place.score.toFixed(1))),
  );
}

// A button that copies ids, and a place for what came of it.
function copyButton(ids) {
  const words = ids.length > 1 ? "case ids" : "case id";
  const copied = make("span.muted.small", { role: "status" });
  const copyIds = async (event) => {
    try {
      await navigator.clipboard.writeText(ids.join("\n"));
      copied.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(event.target.closest(".odd-head").firstChild);
      copied.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  const label = `Copy the ${words} ${ids.join(", ")}`;
  return [make("button.quiet.small", { "aria-label": label, onclick: copyIds }, "Copy"), copied];
}

const numberMark = (number) => make("span.odd-number", make("span.unseen", "place "), String(number + 1));

// The events of the case in a row, with marks at the odd places: each place has a number, which its reason has too.
function oddStrip(page, one) {
  const opened = new Set(); // first events of the gaps that are open
  const list = make("ol.chips.strip", { "aria-label": "Events of the case" });
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
          "li.chip.absent",
          numberMark(part.number),
          make("span.odd-tag", "missing "),
          activityButton(page, part.activity),
        );
      case "belongs":
        return make("li.chip.absent", numberMark(part.number), belongsWords(page, one, part.place));
      case "gap":
        return gapItem(part, open);
      default:
        return make("li.chip-end", part.part === "start" ? "start" : "end");
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
    marks.map(({ tag }) => make("span.odd-tag", " ", said(page, tag))),
  );
}

function belongsWords(page, { events }, { events: own }) {
  const codes = new Map(events.flatMap(([first, some]) => some.map((code, k) => [first + k, code])));
  const labels = own.filter((at) => codes.has(at)).flatMap((at, k) => [k ? ", " : "", labelElement(page.data, codes.get(at))]);
  return [make("span.odd-tag", "here would belong "), make("span", labels)];
}

function gapItem({ first, number, isHere }, open) {
  const events = counted(number, "event", "events");
  if (!isHere) return make("li.chip-gap", `… ${events}, not on this page …`);
  return make(
    "li.chip-gap",
    { "data-first": first },
    make("button.gap-open", { "aria-label": `Show ${events} more`, onclick: () => open(first) }, `… ${events} …`),
  );
}
