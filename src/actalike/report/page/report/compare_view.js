// The comparison of two activities, or of two groups of them, side by side, in a dialog.

import { foreignText, make } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { pairVerdict } from "./arguments.js";
import { exampleList } from "./compare_examples.js";
import { gapBars, timePicture } from "./compare_pictures.js";
import {
  differences,
  eventsOf,
  examplesOf,
  neighbourRows,
  overTime,
  peopleRows,
  separatePeriods,
  together,
} from "./compare_uses.js";
import { differenceWords, periodsWords, togetherWords } from "./compare_words.js";
import { NOT_SHOWN, OUTSIDE } from "./data.js";
import { labelElement } from "./labels.js";
import { pickSide } from "./pick_dialog.js";

const DIFFERENCES = 4;
const NOTABLE = 0.05; // a difference of shares below it is not worth a sentence
const SHOWN = 8; // rows of a table; the others are folded
const NAMED = 4; // members of a group in its head
const EXAMPLES = 5; // of each side
const LETTERS = ["A", "B"];

let dialog = null;

// Opens the comparison of two lists of activities.
export function compareGroups(page, a, b) {
  dialog ??= document.body.appendChild(
    make("dialog.compare", { "aria-labelledby": "compare-title", onclose: () => document.body.classList.remove("comparing") }),
  );
  dialog.replaceChildren(...content(page, a, b));
  document.body.classList.add("comparing");
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export const isComparing = () => dialog?.open ?? false;

function content(page, a, b) {
  const { data } = page;
  const sides = [a, b];
  const isPair = a.length === 1 && b.length === 1;
  return [
    make(
      "div.compare-top",
      make("h2", { id: "compare-title", tabindex: -1, autofocus: true }, "Comparison"),
      make(
        "span.compare-change",
        LETTERS.map((name, side) => changeButton(page, sides, name, side)),
      ),
      make("button.close", { "aria-label": "Close the comparison", onclick: () => dialog.close() }, "×"),
    ),
    make(
      "div.compare-heads",
      sides.map((members, side) => head(data, members, side)),
    ),
    isPair ? make("p.compare-verdict", `Verdict: ${pairVerdict(page, a[0], b[0])}.`) : null,
    part("What differs most", sentences(page, sides, differenceSentences(data, a, b))),
    part("Directly before", neighbourTable(data, "before", sides)),
    part("Directly after", neighbourTable(data, "after", sides)),
    timePart(page, sides),
    gapPart(data, sides),
    ...peopleRows(data, a, b).map((attribute) => peoplePart(attribute, sides)),
    part("In the same cases", sentences(page, sides, [togetherWords(together(data, a, b))])),
    examplesPart(page, sides),
  ].filter(Boolean);
}

// Compares something else with the other side.
const changeButton = (page, sides, name, side) =>
  make(
    "button.quiet.small",
    {
      onclick: () =>
        pickSide(page, name, sides[1 - side], (picked) =>
          compareGroups(page, ...(side ? [sides[0], picked] : [picked, sides[1]])),
        ),
    },
    `Change ${name} …`,
  );

const part = (title, ...children) => make("section.compare-part", make("h3", title), children);

const letter = (side) => make("span", { class: `side-letter side-${side}` }, LETTERS[side]);

function head(data, members, side) {
  const cases = members.length === 1 ? `, ${counted(data.cases[members[0]], "case", "cases")}` : "";
  const rest = members.length - NAMED;
  return make(
    "div",
    { class: `compare-head side-${side}` },
    letter(side),
    make(
      "div",
      make(
        "ul",
        members.slice(0, NAMED).map((i) => make("li", labelElement(data, i))),
        rest > 0 ? make("li.muted", `and ${thousands(rest)} more`) : null,
      ),
      make("p.muted", `${counted(eventsOf(data, members), "event", "events")}${cases}`),
    ),
  );
}

// Sentences of compare_words.js: a side is its letter and, if it is a single activity, its label.
function sentences({ data }, sides, all) {
  const shown = (word) => {
    if (typeof word === "string") return word;
    if (word.side === undefined) return labelElement(data, word.activity);
    const members = sides[word.side];
    return [letter(word.side), members.length === 1 ? ["\u00a0", labelElement(data, members[0])] : null];
  };
  return make(
    "ul.compare-words",
    all.map((words) => make("li", words.map(shown))),
  );
}

function differenceSentences(data, a, b) {
  const found = differences(data, a, b, NOTABLE, DIFFERENCES).map(differenceWords);
  return found.length ? found : [["No neighbour before or after them differs by 5 % of their events or more."]];
}

function neighbourName(data, where, key) {
  if (key === OUTSIDE) return make("em", where === "before" ? "start of the case" : "end of the case");
  return key === NOT_SHOWN ? make("em", "activities not on this page") : labelElement(data, key);
}

const neighbourTable = (data, where, sides) =>
  table(
    `activity directly ${where}`,
    neighbourRows(data, where, ...sides).map((row) => ({ ...row, name: neighbourName(data, where, row.key) })),
  );

// Shares of both sides in two columns; what only one side has is marked.
function table(what, rows) {
  const lines = rows.map(({ name, countA, countB, shareA, shareB }) => {
    const only = countA && countB ? null : countA ? 0 : 1;
    return make(
      "tr",
      { class: only === null ? "both" : `only only-${only}` },
      make("th", { scope: "row" }, name, only === null ? null : make("span.only-mark", `only ${LETTERS[only]}`)),
      [
        [countA, shareA],
        [countB, shareB],
      ].map(([count, share], side) =>
        make("td", { class: `side-${side}`, "data-side": LETTERS[side] }, bar(share), make("span", barText(share, count))),
      ),
    );
  });
  const whole = (part) =>
    make(
      "table.compare-table",
      make(
        "thead.unseen",
        make(
          "tr",
          [what, ...LETTERS].map((text) => make("th", { scope: "col" }, text)),
        ),
      ),
      make("tbody", part),
    );
  const rest = lines.slice(SHOWN);
  if (!rest.length) return [whole(lines)];
  return [whole(lines.slice(0, SHOWN)), make("details.fold", make("summary", `${thousands(rest.length)} more`), whole(rest))];
}

const barText = (share, count) => (count ? `${percent(share)} (${thousands(count)})` : "never");

function bar(share) {
  const element = make("span.side-bar", { "aria-hidden": "true" }, make("span"));
  element.firstChild.style.width = `${(share * 100).toFixed(1)}%`;
  return element;
}

function timePart(page, sides) {
  const time = overTime(page.data, ...sides);
  if (!time) return null;
  const periods = separatePeriods(page.data, ...sides);
  return part("When", periods ? sentences(page, sides, [periodsWords(periods)]) : null, timePicture(time));
}

function gapPart(data, sides) {
  const bars = [
    ["from the step before", data.uses.previous],
    ["to the next step", data.uses.next],
  ].map(([what, gaps]) => gapBars(data, what, gaps, sides));
  return bars.some(Boolean) ? part("How long: median and quartiles", bars) : null;
}

function peoplePart({ name, rows, inCommon, isLeast, unlisted, missing }, sides) {
  const notes = [
    inCommon === null ? "Not recorded for one of them." : `${isLeast ? "At least " : ""}${percent(inCommon)} in common.`,
    ...sides.flatMap((_, side) => [
      unlisted[side] ? `${LETTERS[side]}: ${counted(unlisted[side], "event", "events")} by others.` : "",
      missing[side] ? `${LETTERS[side]}: not recorded for ${counted(missing[side], "event", "events")}.` : "",
    ]),
  ];
  return make(
    "section.compare-part",
    make("h3", "Who: ", foreignText(name)),
    make("p.muted", notes.filter(Boolean).join(" ")),
    table(
      "name",
      rows.map((row) => ({ ...row, name: foreignText(row.value) })),
    ),
  );
}

function examplesPart(page, sides) {
  const { uses } = page.data;
  if (!uses.examples)
    return part("Example cases", make("p.muted", "This page was written without example cases and names of people."));
  const [a, b] = sides;
  const isPair = a.length === 1 && b.length === 1;
  const both = isPair ? uses.examplesTogether(a[0], b[0]) : [];
  return part(
    "Example cases",
    sides.map((members, side) => exampleList(page, examplesOf(page.data, members, EXAMPLES), sides, [letter(side)])),
    both.length ? exampleList(page, both, sides, [letter(0), " and ", letter(1), " in one case"]) : null,
  );
}
