// The comparison of two activities, or of two groups of them, side by side, in a dialog.

import { draw, foreignText, make } from "../shared/dom.js";
import { counted, percent, round1, thousands } from "../shared/texts.js";
import {
  differences,
  differenceWords,
  duration,
  eventsOf,
  examplesOf,
  neighbourRows,
  overTime,
  peopleRows,
  periodsWords,
  periodWords,
  separatePeriods,
  together,
  togetherWords,
} from "./compare_uses.js";
import { NOT_SHOWN, OUTSIDE } from "./data.js";
import { labelElement, pairVerdict } from "./labels.js";
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

// --- Pictures of a comparison: both sides over time, and the quartiles of the times to the steps beside them.

const WIDTH = 600;
const HALF = 46;
const MEMBERS = 6; // of a group, of which the quartiles are drawn

// A column for each period: side A above the axis, side B below it, on one scale.
function timePicture({ unit, starts, countsA, countsB }) {
  const largest = Math.max(1, ...countsA, ...countsB);
  const width = WIDTH / starts.length;
  const column = (count, k, side) => {
    if (!count) return null;
    const height = Math.max(1, (count / largest) * HALF);
    const title = draw("title", `${periodWords(starts[k], unit)}: ${thousands(count)} (${"AB"[side]})`);
    return draw(
      "rect",
      {
        class: `side-${side}`,
        x: round1(k * width),
        y: round1(side ? HALF + 1 : HALF - height),
        width: round1(Math.max(width * 0.86, 0.8)),
        height: round1(height),
      },
      title,
    );
  };
  const used = (counts) => {
    const places = counts.flatMap((count, k) => (count ? [k] : []));
    return places.length ? `${periodWords(starts[places[0]], unit)} to ${periodWords(starts[places.at(-1)], unit)}` : "never";
  };
  const label = `Events by ${unit}. A: ${used(countsA)}. B: ${used(countsB)}.`;
  return make(
    "figure.compare-time",
    draw(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${2 * HALF + 1}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      draw("line", { x1: 0, x2: WIDTH, y1: HALF + 0.5, y2: HALF + 0.5, class: "grid strong" }),
      starts.map((_, k) => [column(countsA[k], k, 0), column(countsB[k], k, 1)]),
    ),
    make("p.compare-axis.muted", make("span", periodWords(starts[0], unit)), make("span", periodWords(starts.at(-1), unit))),
    make("figcaption.muted", `Events by ${unit}, at most ${thousands(largest)}. A above the line, B below.`),
  );
}

// The quartiles of each activity as a box on one scale; null if nobody has any.
function gapBars(data, what, gaps, sides) {
  const boxes = sides.flatMap((members, side) => members.slice(0, MEMBERS).map((i) => ({ i, side, gap: gaps[i] })));
  if (boxes.every(({ gap }) => !gap)) return null;
  const largest = Math.max(1, ...boxes.map(({ gap }) => (gap ? gap[3] : 0)));
  return make(
    "div.gaps",
    make("h4", `Time ${what}`),
    boxes.map(({ i, side, gap }) =>
      make(
        "div",
        { class: `gap side-${side}` },
        make("span", { class: `side-letter side-${side}` }, "AB"[side]),
        sides[side].length > 1 ? make("span.gap-name", labelElement(data, i)) : null,
        gap ? box(gap, largest) : null,
        make(
          "span.gap-words",
          gap ? [make("b", duration(gap[2])), ` (${duration(gap[1])} to ${duration(gap[3])})`] : "no such event",
        ),
      ),
    ),
  );
}

function box([, lower, median, upper], largest) {
  const place = (seconds) => `${round1((Math.max(seconds, 0) / largest) * 100)}%`;
  const track = make("span.gap-track", { "aria-hidden": "true" }, make("span.gap-box"), make("span.gap-median"));
  track.firstChild.style.left = place(lower);
  track.firstChild.style.width = place(upper - lower);
  track.lastChild.style.left = place(median);
  return track;
}

// --- Example cases as rows of chips: the labels around an event, those that are compared in the colours of their sides.

const dots = (title) => make("li.chip-gap", { title }, "…");

function exampleList({ data }, examples, sides, title) {
  return make(
    "div.examples",
    make("h4", title),
    make(
      "ul.example-list",
      examples.map(([id, moment, before, after, labels]) =>
        make(
          "li",
          make("p.muted", "Case ", foreignText(id), moment ? `, ${moment.replace("T", " ")}` : ""),
          make(
            "ol.chips",
            before ? dots(`${counted(before, "event", "events")} before`) : null,
            labels.map((i) => (i === null ? dots("events left out") : chip(data, i, sides))),
            after ? dots(`${counted(after, "event", "events")} after`) : null,
          ),
        ),
      ),
    ),
  );
}

function chip(data, i, sides) {
  const side = sides.findIndex((members) => members.includes(i));
  const name = i === NOT_SHOWN ? make("em", "not on this page") : labelElement(data, i);
  return make("li", { class: side < 0 ? "chip" : `chip side-${side}` }, name);
}
