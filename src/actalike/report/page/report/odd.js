// The odd cases of a log: filters, the list, and its download.

import { download, find, make, say, sentenceElements, sentenceText } from "../shared/dom.js";
import { counted, csv, thousands } from "../shared/texts.js";
import { activityButton, labelElement } from "./labels.js";

const SHOWN = 5; // cases, until the reader wants all

export function startOddCases(page) {
  find("odd-guide").textContent = page.data.odd.guide;
  if (page.data.odd.cases.length) new OddCases(page).start();
}

class OddCases {
  constructor(page) {
    this.page = page;
    this.choice = { kind: null, query: "", byNumber: false };
    this.isLong = false; // whether all cases are listed
    this.items = new Map(); // elements of cases that were shown: what the reader has opened in them stays open
  }

  start() {
    const input = make("input", {
      type: "search",
      "aria-label": "Find odd cases by a case id or a label",
      placeholder: "Case id or label",
      oninput: () => this.change({ query: input.value }),
    });
    const order = make(
      "select",
      { "aria-label": "Order of the odd cases", onchange: () => this.change({ byNumber: order.value === "number" }) },
      make("option", { value: "score" }, "Oddest first"),
      make("option", { value: "number" }, "Most equal cases first"),
    );
    const save = make("button.quiet", { onclick: () => this.save() }, "Download odd_cases.csv");
    find("odd-controls").append(this.kindButtons(), make("div.odd-find", input, order, save));
    find("odd-more").addEventListener("click", () => {
      this.isLong = true;
      this.show();
      find("odd-list").children[SHOWN]?.querySelector("button")?.focus();
    });
    this.show();
    this.page.choices.watch("selection", () => this.markSelected());
  }

  kindButtons() {
    const { odd } = this.page.data;
    const all = { kind: null, words: "all", number: odd.found.places };
    const kinds = [all, ...kindCounts(odd).filter(({ number }) => number > 0)];
    const buttons = kinds.map(({ kind, words, number }) =>
      make(
        "button.quiet.small",
        {
          "aria-pressed": String(kind === null),
          onclick: () => {
            buttons.forEach((button, k) => {
              button.setAttribute("aria-pressed", String(kinds[k].kind === kind));
            });
            this.change({ kind });
          },
        },
        `${words} (${thousands(number)})`,
      ),
    );
    return make(
      "div.buttons.odd-kinds",
      { role: "group", "aria-label": "Kind of odd place, with the number of places in the log" },
      buttons,
    );
  }

  change(choice) {
    Object.assign(this.choice, choice);
    say(`${counted(this.show(), "odd case", "odd cases")} listed`);
  }

  // Returns how many cases there are to list.
  show() {
    const cases = listedCases(this.page.data, this.choice);
    const shown = this.isLong ? cases : cases.slice(0, SHOWN);
    for (const one of shown) if (!this.items.has(one)) this.items.set(one, oddCaseItem(this.page, one));
    find("odd-list").replaceChildren(...shown.map((one) => this.items.get(one)));
    find("odd-more").hidden = shown.length === cases.length;
    find("odd-more").textContent = `Show all ${thousands(cases.length)}`;
    find("odd-none").hidden = cases.length > 0;
    this.markSelected();
    return cases.length;
  }

  // The selected label stands out in the strips.
  markSelected() {
    for (const button of find("odd-list").querySelectorAll(".strip [data-activity]"))
      if (Number(button.dataset.activity) === this.page.choices.selected) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
  }

  save() {
    download("odd_cases.csv", oddTable(this.page.data, listedCases(this.page.data, this.choice)));
    say("odd_cases.csv was downloaded");
  }
}

// --- One odd case in the list: which cases it is, its strip, and the reasons, each with the number of its place in the strip.

const said = (page, parts) => sentenceElements(parts, (i) => labelElement(page.data, i));

function oddCaseItem(page, one) {
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
    const missing = place.position === at ? place.missing.map((activity) => ({ part: "missing", activity, number })) : [];
    const belongs = place.belongs === at ? [{ part: "belongs", place, number }] : [];
    return [...missing, ...belongs];
  });
}

// The places that an event is odd in. Before an event with missing steps, the steps are what is odd.
const marksAt = (at, places) =>
  places.flatMap((place, number) => (place.events.includes(at) && !place.missing.length ? [{ ...place, number }] : []));

const HEADER = ["score", "case", "cases", "event", "kind", "activity", "reason", "times", "total", "attribute", "value"];

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
      ].map(String);
    }),
  );
  return csv([HEADER, ...rows]);
}
