// The two vocabularies side by side: a row for each step that is in both logs, or may be; then the labels without a partner.

import { find, make, say } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { showItems } from "../shared/keep_place.js";
import { slide } from "../shared/slide.js";
import { theme } from "../shared/theme.js";
import { ORDERS } from "./choices.js";
import { button, cutWords, labelElement } from "./label_parts.js";
import { noPartner, setAtLeast, takeBack } from "./links.js";
import { otherPartners, rowKey, stepRow } from "./step_row.js";

const ROWS = 120; // listed before somebody asks for more
const ALONE = 40;
const PRINTED = 300; // rows on paper, which are compact there

const SHOWN = { all: "all pairs", undecided: "undecided", accepted: "accepted", unsure: "under 80 % likely" };

// Whether the filters leave a step in the list.
export function isListed({ data, choices, filter }, step) {
  const [a, b] = data.sides;
  if (choices.shown === "undecided" && step.decision !== "undecided") return false;
  if (choices.shown === "accepted" && step.decision !== "accepted") return false;
  if (choices.shown === "unsure" && (step.probability ?? 1) >= data.sure) return false;
  if (!step.a.some((i) => a.cases[i] >= filter.leastCases) && !step.b.some((j) => b.cases[j] >= filter.leastCases)) return false;
  const query = choices.query.trim().toLowerCase();
  return !query || step.a.some((i) => a.hasText(i, query)) || step.b.some((j) => b.hasText(j, query));
}

// Steps in the order that the reader has chosen.
export function ordered({ sides: [a, b] }, steps, order) {
  const events = (step) => step.a.reduce((sum, i) => sum + a.counts[i], 0) + step.b.reduce((sum, j) => sum + b.counts[j], 0);
  const place = (step) => (a.positions[step.a[0]] + b.positions[step.b[0]]) / 2;
  const by = {
    frequency: (x, y) => events(y) - events(x),
    place: (x, y) => place(x) - place(y),
    unsure: (x, y) => (x.probability ?? 1) - (y.probability ?? 1) || events(y) - events(x),
    label: (x, y) => (a.labels[x.a[0]] < a.labels[y.a[0]] ? -1 : 1),
  }[order];
  return [...steps].sort((x, y) => by(x, y) || x.a[0] - y.a[0] || x.b[0] - y.b[0]);
}

export function startVocabularies(page) {
  const { data, choices } = page;
  addControls(page);
  const rows = new Map(); // kept, so that what somebody is typing stays
  const show = () => {
    const listed = ordered(
      data,
      [...choices.steps, ...choices.rejected].filter((step) => isListed(page, step)),
      choices.order,
    );
    const most = theme.printing ? PRINTED : choices.allRows ? listed.length : ROWS;
    const used = new Set();
    const place = (list, steps) => {
      const elements = steps.map((step) => {
        const key = rowKey(page, step);
        used.add(key);
        if (!rows.has(key)) rows.set(key, stepRow(page, step));
        rows.get(key).refresh();
        return rows.get(key).element;
      });
      showItems(list, elements);
    };
    place(find("step-list"), listed.slice(0, most));
    for (const key of rows.keys()) if (!used.has(key)) rows.delete(key);
    const more = find("steps-more");
    more.hidden = listed.length <= most;
    more.textContent = `Show all ${thousands(listed.length)}`;
    find("steps-none").hidden = listed.length > 0;
    find("steps-cut").textContent = listed.length > most ? cutWords(most, listed.length, "steps") : "";
    const shown = listed.slice(0, most).filter(({ decision }) => decision !== "rejected").length;
    find("steps-said").textContent = `${thousands(shown)} of ${counted(choices.steps.length, "step", "steps")} shown.`;
  };
  find("steps-more").addEventListener("click", () => {
    choices.allRows = true;
    show();
  });
  find("step-heads").append(...data.sides.map((log) => make("p.step-head", make("b", `Log ${log.letter}`), " ", labelName(log))));
  choices.watch("decisions filter query order open print", show);
  choices.watch("decisions filter query print", () => showAlone(page));
}

const labelName = (log) => make("bdi.label", log.title);

function addControls(page) {
  const { data, choices, filter } = page;
  const output = make("output", { id: "sure-said", for: "sure-slider" });
  const low = Math.round(data.least * 100);
  const slider = make("input", {
    type: "range",
    id: "sure-slider",
    min: low,
    max: 99,
    step: 1,
    "aria-describedby": "sure-said",
    oninput: () => choices.apply(setAtLeast(choices.state, data.proposals, Number(slider.value) / 100), "at least"),
  });
  find("steps-controls").append(slide("How sure must a pair be?", [`${low} %`, "99 %"], slider, output));
  filter.addTo("steps");
  const query = make("input", {
    type: "text",
    id: "search",
    class: "step-name",
    placeholder: "Find a label",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Find a label of either log",
    oninput: () => {
      choices.query = query.value;
      choices.changed("query");
    },
  });
  const select = (id, words, options, value, act) => {
    const element = make(
      "select",
      { id, onchange: () => act(element.value) },
      Object.entries(options).map(([key, text]) => make("option", { value: key, selected: key === value }, text)),
    );
    return make("span.time-choice", make("label", { for: id }, words), element);
  };
  find("steps-choices").append(
    query,
    select("steps-shown", "Show", SHOWN, choices.shown, (value) => {
      choices.shown = value;
      choices.changed("filter");
    }),
    select("steps-order", "Order", ORDERS, choices.order, (value) => {
      choices.order = value;
      choices.changed("order");
    }),
    make("span.muted", { id: "steps-said", role: "status" }),
  );
  choices.watch("decisions", () => {
    slider.value = Math.round(choices.state.atLeast * 100);
    const open = choices.steps.filter(({ decision }) => decision === "undecided").length;
    output.textContent = `actalike accepts pairs that are at least ${percent(choices.state.atLeast)} likely: ${counted(choices.accepted.length, "step is", "steps are")} accepted, ${thousands(open)} undecided. What you decide stays.`;
  });
}

// The labels of each log that have no partner, with the probability that they have none.
function showAlone(page) {
  const { data, choices, filter } = page;
  const query = choices.query.trim().toLowerCase();
  for (const log of data.sides) {
    const { side } = log;
    const all = choices.unmatched[side];
    const listed = all.filter((i) => log.cases[i] >= filter.leastCases && (!query || log.hasText(i, query)));
    const list = find(`alone-${log.letter.toLowerCase()}`);
    const open = list.dataset.all === "yes" && !theme.printing;
    const shown = open ? listed : listed.slice(0, ALONE);
    list.replaceChildren(
      make("h3", `Only in log ${log.letter}: ${counted(all.length, "label", "labels")}`),
      make(
        "ul.alone",
        shown.map((i) => aloneItem(page, log, i)),
      ),
    );
    if (listed.length > shown.length)
      list.append(
        make("p.paper-only.muted", cutWords(shown.length, listed.length, "labels")),
        button(`Show all ${thousands(listed.length)}`, () => {
          list.dataset.all = "yes";
          showAlone(page);
        }),
      );
  }
}

function aloneItem(page, log, i) {
  const { data, choices } = page;
  const { side } = log;
  const label = log.labels[i];
  const decided = choices.isAlone[side].get(label);
  const probability = data.alone[side].get(i);
  const words = decided
    ? "no partner, decided by you"
    : probability === undefined
      ? "its pair was rejected, or is undecided"
      : `${percent(probability)} likely without a partner`;
  const [a, b] = side === 0 ? [label, null] : [null, label];
  const toggle = () => {
    choices.apply(decided ? takeBack(choices.state, a, b) : noPartner(choices.state, side, label));
    say(`${log.name(i)}: ${decided ? "undecided" : "no partner"}`);
  };
  const fold = make("details.candidates", make("summary", "Candidates"));
  fold.addEventListener("toggle", () => {
    if (fold.open && fold.children.length === 1) fold.append(otherPartners(page, side, i, []));
  });
  return make(
    "li",
    { "data-card": JSON.stringify([a, b]) },
    make("p.step-label", labelElement(log, i), make("span.count", thousands(log.counts[i]))),
    make(
      "div.alone-decide",
      make("span.muted.small", words),
      button("No partner", toggle, {
        class: decided ? "quiet small on" : "quiet small",
        "aria-pressed": String(Boolean(decided)),
        "aria-label": `No partner for ${log.name(i)}`,
        "data-focus": JSON.stringify([a, b]),
      }),
    ),
    fold,
  );
}
