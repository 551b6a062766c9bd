// One odd case in the list: its ids, its strip, and the reasons, each with the number of its place in the strip.

import { foreignText, make } from "../shared/dom.js";
import { counted, thousands } from "../shared/formats.js";
import { sentence } from "./labels.js";
import { numberMark, oddStrip } from "./odd_strip.js";
import { oddSentence, scoreText } from "./odd_words.js";

export function oddCaseItem(page, one) {
  return make(
    "li",
    { class: "odd-case" },
    make(
      "div",
      { class: "odd-head" },
      make("p", {}, caseWords(one), make("span", { class: "muted" }, `, ${counted(one.length, "event", "events")}`)),
      one.whole ? copyButton(one.ids) : null,
    ),
    oddStrip(page, one),
    make(
      "ol",
      { class: "odd-reasons" },
      one.places.map((place, number) => reasonItem(page, one, place, number)),
    ),
    one.unmarked
      ? make("p", { class: "muted small" }, `${counted(one.unmarked, "more odd place is", "more odd places are")} not marked.`)
      : null,
  );
}

function reasonItem(page, one, place, number) {
  return make(
    "li",
    {},
    numberMark(number),
    make("span", {}, make("b", {}, place.words), ": ", sentence(page, oddSentence(one, place))),
    make("span", { class: "odd-score" }, "score ", make("b", {}, scoreText(place.score))),
  );
}

// The ids of a case, or of some of those that are equal.
function caseWords({ ids, numbers, number }) {
  const names = ids.flatMap((id, k) => [k ? ", " : "", id === "" ? "without an id" : foreignText(id), numberWords(numbers[k])]);
  if (number === 1) return make("b", {}, "Case ", names);
  const rest = number > ids.length ? `, and ${thousands(number - ids.length)} more` : "";
  return [make("b", {}, `${thousands(number)} equal cases`), ": ", names, rest];
}

// Which case of the log it is, from 1, if others have the same id (else 0).
const numberWords = (number) => (number ? ` (number ${thousands(number)} of the log)` : "");

// A button that copies ids, and a place for what came of it.
function copyButton(ids) {
  const words = ids.length > 1 ? "case ids" : "case id";
  const copied = make("span", { class: "muted small", role: "status" });
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
  return [make("button", { type: "button", class: "quiet small", "aria-label": label, onclick: copyIds }, "Copy"), copied];
}
