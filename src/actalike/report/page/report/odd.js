// The odd cases of a log: filters, the list, and its download.

import { button, copyButton, download, find, say, sentenceElements, sentenceText } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { counted, csv, percent, thousands } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { activityButton } from "./labels.js";

const SHOWN = 5; // cases, until the reader wants all
const ALL = "all odd cases"; // a key of what is unfolded

export function startOddCases(/** @type {ReportPage} */ page) {
  const { data, choices } = page;
  find("odd-guide").textContent = data.odd.guide;
  if (!data.odd.cases.length) return;
  const choice = { kind: null, query: "", byNumber: false };
  const change = (changed) => {
    Object.assign(choice, changed);
    choices.changed("open");
    say(`${counted(listedCases(data, choice).length, "odd case", "odd cases")} listed`);
  };
  choices.shows("selection open print", find("odd-view"), () => oddCases(page, choice, change));
}

function oddCases(/** @type {ReportPage} */ page, choice, change) {
  const { data, choices } = page;
  const cases = listedCases(data, choice);
  const shown = choices.open.has(ALL) ? cases : cases.slice(0, SHOWN);
  const kinds = [
    { kind: null, words: "all", number: data.odd.found.places },
    ...kindCounts(data.odd).filter(({ number }) => number),
  ];
  const save = () => {
    download("odd_cases.csv", oddTable(data, cases));
    say("odd_cases.csv was downloaded");
  };
  const showAll = () => {
    choices.unfold(ALL);
    find("odd-list").children[SHOWN]?.querySelector("button")?.focus();
  };
  const kindButton = ({ kind, words, number }) =>
    button(`${words} (${thousands(number)})`, () => change({ kind }), { "aria-pressed": String(kind === choice.kind) });
  const none = "None of the cases listed here has this kind and text. The command actalike odd lists all odd places.";
  return html`
    <div class="controls" id="odd-controls">
      <div class="buttons odd-kinds" role="group" aria-label="Kind of odd place, with the number of places in the log">${kinds.map(kindButton)}</div>
      <div class="odd-find">
        <input type="search" aria-label="Find odd cases by a case id or a label" placeholder="Case id or label"
          oninput=${({ target }) => change({ query: target.value })} />
        <select aria-label="Order of the odd cases" onchange=${({ target }) => change({ byNumber: target.value === "number" })}>
          <option value="score">Oddest first</option>
          <option value="number">Most equal cases first</option>
        </select>
        ${button("Download odd_cases.csv", save, { class: "quiet" })}
      </div>
    </div>
    <ol class="odd-cases" id="odd-list">${shown.map((one) => oddCaseItem(page, one))}</ol>
    ${!cases.length && html`<p class="none" id="odd-none">${none}</p>`}
    ${shown.length < cases.length && button(`Show all ${thousands(cases.length)}`, showAll, { class: "quiet more", id: "odd-more" })}
  `;
}

// --- One odd case in the list: which cases it is, its strip, and the reasons, each with the number of its place in the strip.

const said = (/** @type {ReportPage} */ page, parts) => sentenceElements(parts, (i) => labelElement(page.data, i));

function oddCaseItem(/** @type {ReportPage} */ page, one) {
  const ids = one.ids.length > 1 ? "case ids" : "case id";
  const label = { "aria-label": `Copy the ${ids} ${one.ids.join(", ")}` };
  return html`
    <li class="odd-case" key=${one.ids.join(" ") || one.number}>
      <div class="odd-head">
        <p><b>${said(page, one.title)}</b>${said(page, one.rest)}<span class="muted">, ${counted(one.length, "event", "events")}</span></p>
        ${one.whole && copyButton(one.ids.join("\n"), (copy) => copy.closest(".odd-head").firstChild, label)}
      </div>
      ${oddStrip(page, one)}
      <ol class="odd-reasons">
        ${one.places.map(
          (place, number) => html`
            <li>
              ${numberMark(number)}
              <span><b>${place.words}</b>: ${said(page, place.sentence)}</span>
              <span class="odd-score">${probable(place)}score <b>${place.score.toFixed(1)}</b></span>
            </li>
          `,
        )}
      </ol>
      ${one.note && html`<p class="muted small">${one.note}</p>`}
    </li>
  `;
}

const probable = ({ probability }) => html`<b>${percent(probability)}</b> probable, `;

const numberMark = (number) => html`<span class="odd-number"><span class="unseen">place </span>${number + 1}</span>`;

// The events of the case in a row, with marks at the odd places: each place has a number, which its reason has too.
function oddStrip(/** @type {ReportPage} */ page, one) {
  const { data, choices } = page;
  const keyOf = (first) => `odd ${data.odd.cases.indexOf(one)} ${first}`;
  const opened = new Set(
    one.events.flatMap(([first, codes]) => codes.map((_, k) => first + k)).filter((at) => choices.open.has(keyOf(at))),
  );
  const open = (first) => (event) => {
    const strip = event.currentTarget.closest("ol");
    const place = [...strip.children].indexOf(event.currentTarget.closest("li"));
    choices.unfold(keyOf(first));
    strip.children[place].querySelector("button")?.focus();
  };
  const parts = {
    event: ({ activity, marks }) => html`
      <li class=${marks.length ? "chip odd" : "chip"} aria-current=${activity === choices.selected ? "true" : null}>
        ${marks.map(({ number }) => numberMark(number))}
        ${activityButton(page, activity)}
        ${marks.map(({ tag }) => html`<span class="odd-tag"> ${said(page, tag)}</span>`)}
      </li>
    `,
    missing: ({ number, activity }) => html`
      <li class="chip absent">${numberMark(number)}<span class="odd-tag">missing </span>${activityButton(page, activity)}</li>
    `,
    belongs: ({ number, place }) => html`
      <li class="chip absent">${numberMark(number)}<span class="odd-tag">here would belong </span>${belongsWords(page, one, place)}</li>
    `,
    gap: ({ first, number, isHere }) => {
      const events = counted(number, "event", "events");
      if (!isHere) return html`<li class="chip-gap">… ${events}, not on this page …</li>`;
      const look = { class: "gap-open", "aria-label": `Show ${events} more` };
      return html`<li class="chip-gap">${button(`… ${events} …`, open(first), look)}</li>`;
    },
    start: () => html`<li class="chip-end">start</li>`,
    end: () => html`<li class="chip-end">end</li>`,
  };
  return html`<ol class="chips strip" aria-label="Events of the case">${stripParts(one, opened).map((part) => parts[part.part](part))}</ol>`;
}

function belongsWords(/** @type {ReportPage} */ page, { events }, { events: own }) {
  const codes = new Map(events.flatMap(([first, some]) => some.map((code, k) => [first + k, code])));
  const labels = own.filter((at) => codes.has(at)).flatMap((at, k) => [k ? ", " : "", labelElement(page.data, codes.get(at))]);
  return html`<span>${labels}</span>`;
}

// --- Odd cases as rows: which are listed, and what stands in the strip of each.

const AROUND = 3; // events that are shown on either side of an odd place, until the reader wants more
const SHORT = 2; // so few events are shown rather than counted
const WHOLE = 12; // events of a case that is shown whole

// The label of an event of a case, undefined if the page does not have the event.
function activityAt({ events }, at) {
  const [first, codes] = events.find(([start, some]) => start <= at && at < start + some.length) ?? [0, []];
  return codes[at - first];
}

// How many odd places of each kind the log has, also in cases that are not listed.
export function kindCounts({ kinds, found }) {
  return kinds.map(([kind, words]) => ({ kind, words, number: found.kinds[kind] }));
}

const hasKind = ({ places }, kind) => places.some((place) => place.kind === kind);

// The cases with a kind of place (null: any) and a text in an id or a label; in the order of the data, the oddest first, or
// those first that most cases are equal to.
export function listedCases(data, { kind, query, byNumber }) {
  const text = query.trim().toLowerCase();
  const cases = data.odd.cases.filter((one) => (kind === null || hasKind(one, kind)) && (!text || hasText(data, one, text)));
  return byNumber ? cases.sort((a, b) => b.number - a.number) : cases;
}

function hasText(data, { ids, events, places }, text) {
  if (ids.some((id) => id.toLowerCase().includes(text))) return true;
  const labels = new Set([...events.flatMap(([, codes]) => codes), ...places.flatMap(({ missing }) => missing)]);
  return [...labels].some((i) => data.hasText(i, text)) || places.some(({ value }) => value?.toLowerCase().includes(text));
}

// The parts of a strip, in their order. A part is an event, a missing step, the place where an event belongs, an end of the case,
// or a gap: events that are left out until the reader opens them; those that the page does not have cannot be opened.
// `opened` holds the first events of the gaps that are open.
export function stripParts({ length, events, places }, opened = new Set()) {
  const codes = new Map(events.flatMap(([first, some]) => some.map((code, k) => [first + k, code])));
  const marked = places.flatMap(({ position, belongs, events: own }) => [
    position,
    ...own,
    ...(belongs === null ? [] : [belongs]),
  ]);
  const isNear = (at) => codes.has(at) && (length <= WHOLE || marked.some((mark) => Math.abs(mark - at) <= AROUND));
  const parts = [];
  /** @type {any} */
  let gap = null;
  const close = () => {
    if (!gap) return;
    const all = Array.from({ length: gap.number }, (_, k) => gap.first + k);
    if (gap.isHere && (gap.number <= SHORT || opened.has(gap.first)))
      parts.push(...all.map((at) => ({ part: "event", at, activity: codes.get(at), marks: [] })));
    else parts.push({ part: "gap", ...gap });
    gap = null;
  };
  for (let at = 0; at <= length; at++) {
    if (at < length && !isNear(at)) {
      const isHere = codes.has(at);
      if (gap?.isHere !== isHere) close();
      gap ??= { first: at, number: 0, isHere };
      gap.number += 1;
      continue;
    }
    close();
    parts.push(...before(at, places));
    if (at < length) parts.push({ part: "event", at, activity: codes.get(at), marks: marksAt(at, places) });
  }
  const start = parts[0]?.part === "gap" ? [] : [{ part: "start" }];
  const end = parts.at(-1)?.part === "gap" ? [] : [{ part: "end" }];
  return [...start, ...parts, ...end];
}

// What is drawn before an event that is not there: steps that are missing, and events that belong here.
function before(at, places) {
  return places.flatMap((place, number) => {
    const isSkipped = place.position === at && place.kind === "skipped";
    const missing = isSkipped ? place.missing.map((activity) => ({ part: "missing", activity, number })) : [];
    const isMoved = place.belongs === at && place.kind !== "swapped";
    const belongs = isMoved ? [{ part: "belongs", place, number }] : [];
    return [...missing, ...belongs];
  });
}

// The places that an event is odd in. Before an event with skipped steps, the steps are what is odd.
const marksAt = (at, places) =>
  places.flatMap((place, number) => (place.events.includes(at) && place.kind !== "skipped" ? [{ ...place, number }] : []));

const HEADER = [
  "score",
  "case",
  "cases",
  "event",
  "kind",
  "activity",
  "reason",
  "times",
  "total",
  "attribute",
  "value",
  "probability",
];

// The odd places of cases as a CSV file: columns are called as in odd.csv, and events count from 1. `cases` is how many are equal.
export function oddTable(data, cases) {
  const quoted = (i) => (data.secondName(i) === null ? `'${data.label(i)}'` : `'${data.label(i)}' [${data.secondName(i)}]`);
  const rows = cases.flatMap((one) =>
    one.places.map((place) => {
      const activity = activityAt(one, place.position);
      return [
        place.score,
        one.ids[0],
        one.number,
        place.position + 1,
        place.kind,
        activity === undefined ? "" : data.label(activity),
        sentenceText(place.sentence, quoted),
        place.times,
        place.total,
        place.attribute ?? "",
        place.value ?? "",
        place.probability,
      ].map(String);
    }),
  );
  return csv([HEADER, ...rows]);
}
