// The comparison of two activities, or of two groups of them, side by side, in a dialog.

import { openDialog } from "../shared/controls.js";
import { button, filled, foreignText, make, untyped } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { counted, matches, percent, round1, thousands } from "../shared/texts.js";
import { html, render } from "../vendor/preact.js";
import {
  countSteps,
  differences,
  eventsOf,
  examplesOf,
  neighbourRows,
  overTime,
  peopleRows,
  separatePeriods,
  stepOf,
  together,
} from "./compare_uses.js";
import { NOT_SHOWN, OUTSIDE } from "./data.js";
import { pairVerdict } from "./labels.js";

const DIFFERENCES = 4;
const NOTABLE = 0.05; // a difference of shares below it is not worth a sentence
const SHOWN = 8; // rows of a table; the others are folded
const NAMED = 4; // members of a group in its head
const EXAMPLES = 5; // of each side
const LETTERS = ["A", "B"];

let dialog = untyped(null); // made when it is needed

// Opens the comparison of two lists of activities.
export function compareGroups(/** @type {ReportPage} */ page, a, b) {
  const closed = () => document.body.classList.remove("comparing");
  dialog ??= document.body.appendChild(make("dialog.compare", { "aria-labelledby": "compare-title", onclose: closed }));
  countSteps(
    page.data,
    page.choices.groups.filter((group) => page.choices.isAccepted(group)),
  );
  render(null, dialog); // nothing of the comparison before stays unfolded
  render(content(page, [a, b]), dialog);
  document.body.classList.add("comparing");
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export const isComparing = () => dialog?.open ?? false;

function content(/** @type {ReportPage} */ page, sides) {
  const { data } = page;
  const [a, b] = sides;
  const isPair = a.length === 1 && b.length === 1;
  const table = (where) => neighbourTable(data, where, sides);
  return html`
    <div class="compare-top">
      <h2 id="compare-title" tabindex="-1" autofocus>Comparison</h2>
      <span class="compare-change">
        ${LETTERS.map((name, side) => button(`Change ${name} …`, () => pickSide(page, sides, side)))}
      </span>
      ${button("×", () => dialog.close(), { class: "close", "aria-label": "Close the comparison" })}
    </div>
    <div class="compare-heads">${sides.map((members, side) => head(data, members, side))}</div>
    ${isPair && html`<p class="compare-verdict">Verdict: ${pairVerdict(page, a[0], b[0])}.</p>`}
    ${part("What differs most", sentences(differenceSentences(data, sides)))}
    ${part("Directly before", table("before"))}
    ${part("Directly after", table("after"))}
    ${timePart(data, sides)}
    ${gapPart(data, sides)}
    ${peopleRows(data, a, b).map((attribute) => peoplePart(attribute, sides))}
    ${part("In the same cases", sentences([togetherSentence(data, sides)]))}
    ${examplesPart(data, sides)}
  `;
}

const part = (title, ...children) => html`<section class="compare-part"><h3>${title}</h3>${children}</section>`;

const letter = (side) => html`<span class=${`side-letter side-${side}`}>${LETTERS[side]}</span>`;

function head(data, members, side) {
  const cases = members.length === 1 ? `, ${counted(data.cases[members[0]], "case", "cases")}` : "";
  const rest = members.length - NAMED;
  return html`
    <div class=${`compare-head side-${side}`}>
      ${letter(side)}
      <div>
        <ul>
          ${members.slice(0, NAMED).map((i) => html`<li>${labelElement(data, i)}</li>`)}
          ${rest > 0 && html`<li class="muted">and ${thousands(rest)} more</li>`}
        </ul>
        <p class="muted">${counted(eventsOf(data, members), "event", "events")}${cases}</p>
      </div>
    </div>
  `;
}

// --- Sentences: the templates of labels/describe.py, with what the page knows of any two sides.

const sentences = (all) => html`<ul class="compare-words">${all.map((words) => html`<li>${words}</li>`)}</ul>`;

// A side is its letter and, if it is a single activity, its label.
const sideName = (data, sides, side) => [
  letter(side),
  sides[side].length === 1 ? ["\u00a0", labelElement(data, sides[side][0])] : null,
];

function differenceSentences(data, sides) {
  const { compared } = data;
  const found = differences(data, ...sides, NOTABLE, DIFFERENCES).map(({ key, where, shareA, shareB }) => {
    const [more, less] = shareA >= shareB ? [0, 1] : [1, 0];
    const [low, high] = [Math.min(shareA, shareB), Math.max(shareA, shareB)];
    return filled(compared[key === OUTSIDE ? `outside ${where}` : where], {
      more: sideName(data, sides, more),
      less: sideName(data, sides, less),
      neighbour: key === OUTSIDE ? null : stepElements(data, key, sides),
      high: percent(high),
      low: low ? filled(compared.in, { share: percent(low) }) : compared.never,
    });
  });
  return found.length ? found : [compared.alike];
}

function periodSentence(data, sides) {
  const periods = separatePeriods(data, ...sides);
  if (!periods) return null;
  const { earlier, since, until, replaces } = periods;
  const values = { earlier: sideName(data, sides, earlier), later: sideName(data, sides, 1 - earlier), since, until };
  return filled(data.compared[replaces ? "replaces" : "periods"], values);
}

function togetherSentence(data, sides) {
  const { compared } = data;
  const { share, cases, instants, aBeforeB, bBeforeA } = together(data, ...sides);
  if (share === 0) return compared.apart;
  const times = (count) =>
    count === 0 ? compared.never : count === 1 ? compared.once : filled(compared.times, { count: thousands(count) });
  const names = { a: sideName(data, sides, 0), b: sideName(data, sides, 1) };
  const beside =
    aBeforeB || bBeforeA
      ? filled(compared.beside, { ...names, before: times(aBeforeB), after: times(bBeforeA) })
      : compared["never beside"];
  if (share === null) return filled(compared["beside only"], { beside });
  if (cases === null) return filled(compared.rarer, { share: percent(share), beside });
  const [shareA, shareB] = sides.map(([i]) => percent(cases / data.cases[i]));
  return filled(compared.together, {
    ...names,
    cases: counted(cases, "case", "cases"),
    share_a: shareA,
    share_b: shareB,
    beside,
    instants: instants === null ? "" : filled(compared.instants, { times: times(instants) }),
  });
}

// --- Tables of shares.

// The labels of a neighbour: several that are accepted as one step with equals signs between them.
const stepElements = (data, key, sides) =>
  stepOf(data, key, sides).flatMap((member, i) => (i ? [" = ", labelElement(data, member)] : [labelElement(data, member)]));

function neighbourName(data, where, key, sides) {
  if (key === OUTSIDE) return html`<em>${where === "before" ? "start of the case" : "end of the case"}</em>`;
  return key === NOT_SHOWN ? html`<em>activities not on this page</em>` : html`${stepElements(data, key, sides)}`;
}

const neighbourTable = (data, where, sides) =>
  table(
    `activity directly ${where}`,
    neighbourRows(data, where, ...sides).map((row) => ({ ...row, name: neighbourName(data, where, row.key, sides) })),
  );

// Shares of both sides in two columns; what only one side has is marked.
function table(what, rows) {
  const cell = (side, count, share) => html`
    <td class=${`side-${side}`} data-side=${LETTERS[side]}>
      <span class="side-bar" aria-hidden="true"><span style=${{ width: `${(share * 100).toFixed(1)}%` }} /></span>
      <span>${count ? `${percent(share)} (${thousands(count)})` : "never"}</span>
    </td>
  `;
  const lines = rows.map(({ name, countA, countB, shareA, shareB }) => {
    const only = countA && countB ? null : countA ? 0 : 1;
    return html`
      <tr class=${only === null ? "both" : `only only-${only}`}>
        <th scope="row">${name}${only !== null && html`<span class="only-mark">only ${LETTERS[only]}</span>`}</th>
        ${cell(0, countA, shareA)}${cell(1, countB, shareB)}
      </tr>
    `;
  });
  const whole = (some) => html`
    <table class="compare-table">
      <thead class="unseen"><tr>${[what, ...LETTERS].map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>${some}</tbody>
    </table>
  `;
  const rest = lines.slice(SHOWN);
  const more = () => html`<details class="fold"><summary>${thousands(rest.length)} more</summary>${whole(rest)}</details>`;
  return [whole(lines.slice(0, SHOWN)), rest.length > 0 && more()];
}

function peoplePart({ name, rows, inCommon, isLeast, unlisted, missing }, sides) {
  const notes = [
    inCommon === null ? "Not recorded for one of them." : `${isLeast ? "At least " : ""}${percent(inCommon)} in common.`,
    ...sides.flatMap((_, side) => [
      unlisted[side] ? `${LETTERS[side]}: ${counted(unlisted[side], "event", "events")} by others.` : "",
      missing[side] ? `${LETTERS[side]}: not recorded for ${counted(missing[side], "event", "events")}.` : "",
    ]),
  ];
  const named = rows.map((row) => ({ ...row, name: foreignText(row.value) }));
  const words = html`<p class="muted">${notes.filter(Boolean).join(" ")}</p>`;
  return part(["Who: ", foreignText(name)], words, table("name", named));
}

// --- Pictures of a comparison: both sides over time, and the quartiles of the times to the steps beside them.

const WIDTH = 600;
const HALF = 46;
const MEMBERS = 6; // of a group, of which the quartiles are drawn

function timePart(data, sides) {
  const time = overTime(data, ...sides);
  if (!time) return null;
  const words = periodSentence(data, sides);
  return part("When", words && sentences([words]), timePicture(time, data.timeline.words));
}

// A column for each period: side A above the axis, side B below it, on one scale.
function timePicture({ unit, starts, countsA, countsB }, words) {
  const largest = Math.max(1, ...countsA, ...countsB);
  const width = WIDTH / starts.length;
  const column = (count, k, side) => {
    const height = Math.max(1, (count / largest) * HALF);
    const [x, y] = [round1(k * width), round1(side ? HALF + 1 : HALF - height)];
    const wide = round1(Math.max(width * 0.86, 0.8));
    return (
      count > 0 &&
      html`
        <rect class=${`side-${side}`} x=${x} y=${y} width=${wide} height=${round1(height)}>
          <title>${words[k]}: ${thousands(count)} (${LETTERS[side]})</title>
        </rect>
      `
    );
  };
  const used = (counts) => {
    const places = counts.flatMap((count, k) => (count ? [k] : []));
    return places.length ? `${words[places[0]]} to ${words[places.at(-1)]}` : "never";
  };
  const label = `Events by ${unit}. A: ${used(countsA)}. B: ${used(countsB)}.`;
  return html`
    <figure class="compare-time">
      <svg viewBox=${`0 0 ${WIDTH} ${2 * HALF + 1}`} role="img" aria-label=${label} preserveAspectRatio="none">
        <line x1="0" x2=${WIDTH} y1=${HALF + 0.5} y2=${HALF + 0.5} class="grid strong" />
        ${starts.map((_, k) => [column(countsA[k], k, 0), column(countsB[k], k, 1)])}
      </svg>
      <p class="compare-axis muted"><span>${words[0]}</span><span>${words.at(-1)}</span></p>
      <figcaption class="muted">Events by ${unit}, at most ${thousands(largest)}. A above the line, B below.</figcaption>
    </figure>
  `;
}

function gapPart(data, sides) {
  const bars = [
    gapBars(data, "from the step before", data.uses.previous, sides),
    gapBars(data, "to the next step", data.uses.next, sides),
  ];
  return bars.some(Boolean) ? part("How long: median and quartiles", bars) : null;
}

// The quartiles of each activity as a box on one scale, with their words; null if nobody has any.
function gapBars(data, what, gaps, sides) {
  const boxes = sides.flatMap((members, side) => members.slice(0, MEMBERS).map((i) => ({ i, side, gap: gaps[i] })));
  if (boxes.every(({ gap }) => !gap)) return null;
  const largest = Math.max(1, ...boxes.map(({ gap }) => (gap ? gap[2] : 0)));
  const place = (seconds) => `${round1((Math.max(seconds, 0) / largest) * 100)}%`;
  const box = ([lower, median, upper]) => html`
    <span class="gap-track" aria-hidden="true">
      <span class="gap-box" style=${{ left: place(lower), width: place(upper - lower) }} />
      <span class="gap-median" style=${{ left: place(median) }} />
    </span>
  `;
  const words = ([, , , lower, median, upper]) => html`<b>${median}</b> (${lower} to ${upper})`;
  return html`
    <div class="gaps">
      <h4>Time ${what}</h4>
      ${boxes.map(
        ({ i, side, gap }) => html`
          <div class=${`gap side-${side}`}>
            ${letter(side)}
            ${sides[side].length > 1 && html`<span class="gap-name">${labelElement(data, i)}</span>`}
            ${gap && box(gap)}
            <span class="gap-words">${gap ? words(gap) : "no such event"}</span>
          </div>
        `,
      )}
    </div>
  `;
}

// --- Example cases as rows of chips: the labels around an event, those that are compared in the colours of their sides.

function examplesPart(data, sides) {
  const { uses } = data;
  const none = html`<p class="muted">This page was written without example cases and names of people.</p>`;
  if (!uses.examples) return part("Example cases", none);
  const [a, b] = sides;
  const isPair = a.length === 1 && b.length === 1;
  const both = isPair ? uses.examplesTogether(a[0], b[0]) : [];
  return part(
    "Example cases",
    sides.map((members, side) => exampleList(data, examplesOf(data, members, EXAMPLES), sides, letter(side))),
    both.length > 0 && exampleList(data, both, sides, [letter(0), " and ", letter(1), " in one case"]),
  );
}

function exampleList(data, examples, sides, title) {
  const dots = (words) => html`<li class="chip-gap" title=${words}>…</li>`;
  const chip = (i) => {
    if (i === null) return dots("events left out");
    const side = sides.findIndex((members) => members.includes(i));
    const name = i === NOT_SHOWN ? html`<em>not on this page</em>` : labelElement(data, i);
    return html`<li class=${side < 0 ? "chip" : `chip side-${side}`}>${name}</li>`;
  };
  const example = ([id, moment, before, after, labels]) => html`
    <li>
      <p class="muted">Case ${foreignText(id)}${moment ? `, ${moment.replace("T", " ")}` : ""}</p>
      <ol class="chips">
        ${before > 0 && dots(`${counted(before, "event", "events")} before`)}
        ${labels.map(chip)}
        ${after > 0 && dots(`${counted(after, "event", "events")} after`)}
      </ol>
    </li>
  `;
  return html`<div class="examples"><h4>${title}</h4><ul class="example-list">${examples.map(example)}</ul></div>`;
}

// --- Picking another side.

export const has = (text, query) => text.toLowerCase().includes(query.toLowerCase());

// Pick a group or a label for one side of a comparison; labels of the other side are left out.
function pickSide(/** @type {ReportPage} */ page, sides, side) {
  const { data, choices } = page;
  const isFree = (i) => !sides[1 - side].includes(i);
  const picked = (members) => () => (side ? compareGroups(page, sides[0], members) : compareGroups(page, members, sides[1]));
  const groups = [...choices.proposed, ...choices.others]
    .map((group) => ({ group, name: choices.stepName(group), free: group.members.filter(isFree) }))
    .filter(({ free }) => free.length > 1);
  const groupOption = ({ group, name, free }) => {
    const remark = counted(free.length, "label", "labels");
    return { words: html`Group ${group.number}: ${foreignText(name)}<span class="count"> ${remark}</span>`, act: picked(free) };
  };
  const labelOption = (i) => {
    const remark = thousands(data.counts[i]);
    return { words: html`${labelElement(data, i)}<span class="count"> ${remark}</span>`, act: picked([i]) };
  };
  const options = (query) => {
    const named = ({ name, free }) => [name, ...free.map((i) => data.fullName(i))];
    const found = groups.filter((one) => !query || named(one).some((text) => has(text, query)));
    const labels = query ? matches(data.labels, query, data.names) : [...data.labels.keys()];
    return [...found.map(groupOption), ...labels.filter(isFree).map(labelOption)];
  };
  openDialog({ title: `What is compared as ${LETTERS[side]}?`, hint: "Find a group or a label", options });
}
