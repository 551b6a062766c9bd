// The two vocabularies side by side: a row for each step that is in both logs, or may be; then the labels without a partner.

import { noteField, openDialog, slide } from "../shared/controls.js";
import { button, draw, find, hideTip, make, say, showTip } from "../shared/dom.js";
import { showItems } from "../shared/page_life.js";
import { counted, labelText, matches, percent, shownLabel, thousands } from "../shared/texts.js";
import { theme } from "../shared/theme.js";
import { widthOf } from "../shared/widths.js";
import { ORDERS } from "./choices.js";
import { cutWords, labelElement, linkWords, reasonWords, sentence } from "./labels.js";
import { accept, addPartner, confirm, nameLinks, noPartner, reject, setAtLeast, setNote, takeBack } from "./links.js";

const ROWS = 120; // listed before somebody asks for more
const ALONE = 40;
const PRINTED = 300; // rows on paper, which are compact there

const SHOWN = { all: "all pairs", undecided: "undecided", accepted: "accepted", unsure: "under 80 % likely" };

// Whether the filters leave a step in the list.
function isListed({ data, choices, filter }, step) {
  const [a, b] = data.sides;
  if (choices.shown === "undecided" && step.decision !== "undecided") return false;
  if (choices.shown === "accepted" && step.decision !== "accepted") return false;
  if (choices.shown === "unsure" && (step.probability ?? 1) >= data.sure) return false;
  if (!step.a.some((i) => a.cases[i] >= filter.leastCases) && !step.b.some((j) => b.cases[j] >= filter.leastCases)) return false;
  const query = choices.query.trim().toLowerCase();
  return !query || step.a.some((i) => a.hasText(i, query)) || step.b.some((j) => b.hasText(j, query));
}

// Steps in the order that the reader has chosen.
function ordered({ sides: [a, b] }, steps, order) {
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
  const range = { min: Math.round(data.least * 100), max: 99, step: 1 };
  const { element, slider, output } = slide(
    "sure-slider",
    "How sure must a pair be?",
    [percent(data.least), "99 %"],
    range,
    (value) => choices.apply(setAtLeast(choices.state, data.proposals, value / 100), "at least"),
  );
  find("steps-controls").append(element);
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

// --- A row of the vocabularies: the labels of A, the links with their probabilities, the labels of B; what can be decided; and why.

const TIP_REASONS = 3;
const DECIDED = { accepted: "Accepted", rejected: "Rejected" };
const ROOM = 44; // pixels of a label's line in the middle column

// What an element of the list depends on beside its notes.
const rowKey = ({ choices }, { key, links }) =>
  JSON.stringify([key, choices.open.has(key), links.map(({ link: { a, b, decision, by } }) => [a, b, decision, by])]);

// The element of a step, and a function that brings its notes up to date.
function stepRow(page, step) {
  const { data, choices } = page;
  const { key, links } = step;
  const isOpen = choices.open.has(key);
  const [first] = links;
  const names = `${data.sides[0].name(step.a[0])} and ${data.sides[1].name(step.b[0])}`;
  const toggle = (decision, words) => {
    const isOn = links.every(({ link }) => link.decision === decision);
    const isOwn = isOn && links.every(({ link }) => link.by === "person");
    const act = () => {
      const isOpen = decision === "accepted" && step.decision === "undecided";
      const decide = isOwn ? takeBack : isOn ? confirm : decision === "rejected" ? reject : accept;
      const each = () => links.reduce((state, { link }) => decide(state, link.a, link.b), choices.state);
      choices.apply(isOpen ? choices.accepting([step]) : each());
      say(`${names}: ${isOwn ? "undecided" : `${decision} by you`}`);
    };
    const mark = isOwn ? make("span", { "aria-hidden": "true" }, "✓ ") : null;
    return button([mark, words], act, {
      class: `quiet small${isOn ? " on" : ""}${isOwn ? " own" : ""}`,
      title: isOwn ? `${DECIDED[decision]} by you: press to take it back` : isOn ? "By actalike: press to confirm it" : null,
      "aria-pressed": String(isOn),
      "aria-label": `${words} ${names}`,
      "data-focus": `${key} ${decision}`,
      "data-decides": isOwn ? null : decision,
    });
  };
  const why = button(
    "Why?",
    () => {
      if (isOpen) choices.open.delete(key);
      else choices.open.add(key);
      choices.changed("open");
    },
    { "aria-expanded": String(isOpen), "aria-label": `Why ${names}? And other partners`, "data-focus": `${key} why` },
  );
  const notes = links.map(({ link }) =>
    noteField(`Note on ${link.a} = ${link.b}`, `${key} note ${link.a} ${link.b}`, (text) =>
      choices.apply(setNote(choices.state, link.a, link.b, text), `note ${link.a} ${link.b}`),
    ),
  );
  const element = make(
    "li",
    {
      class: `step ${step.decision}`,
      "data-card": key,
      tabindex: -1,
      onpointermove: (event) => event.target.closest(".link-picture") && tip(page, first, event),
      onpointerleave: hideTip,
    },
    make(
      "div.step-side",
      step.a.map((i) => labelLine(data.sides[0], i)),
    ),
    linkPicture(page, step),
    make("p.paper-only.link-printed", { "aria-hidden": "true" }, printedLinks(page, step)),
    make(
      "div.step-side",
      step.b.map((j) => labelLine(data.sides[1], j)),
    ),
    make(
      "div.decide",
      { role: "group", "aria-label": `Decide about ${names}` },
      toggle("accepted", "Accept"),
      toggle("rejected", "Reject"),
      why,
    ),
    nameChoice(page, step),
    isOpen ? details(page, step) : null,
    notes.map((note) => note.element),
  );
  const refresh = () => {
    links.forEach(({ link }, k) => {
      const now = choices.state.links.find((one) => one.a === link.a && one.b === link.b);
      notes[k].set(now?.note ?? "");
      if (isOpen) notes[k].element.hidden = false;
    });
  };
  refresh();
  return { element, refresh };
}

// Of a label of B with several partners: which of their names it gets; buttons to choose one, if a person has accepted several.
function nameChoice({ data, choices }, step) {
  if (step.decision !== "accepted" || step.a.length < 2) return null;
  const [a, b] = data.sides;
  const [j] = step.b;
  const { named, unclear } = nameLinks(choices.state, 0);
  if (!unclear.has(b.labels[j])) {
    const name = labelText(shownLabel(named.get(b.labels[j]).a));
    return make("p.step-named.muted.small", labelElement(b, j), " becomes ", name, " in the words of A.");
  }
  const only = (i) =>
    button(["Only ", labelElement(a, i)], () => {
      choices.apply(accept(choices.state, a.labels[i], b.labels[j]));
      say(`${b.name(j)} is ${a.name(i)} only`);
    });
  const words = " of log B can get one name only, and you have accepted several partners. Choose one before you relabel log B:";
  const chosen = step.a.map((i) => [" ", only(i)]);
  return make("div.step-named.caution", make("span", labelElement(b, j), words, chosen.flat()));
}

function labelLine(log, i) {
  return make(
    "p.step-label",
    make("span.unseen", `Log ${log.letter}: `),
    labelElement(log, i),
    make("span.count", { title: "events, cases" }, `${thousands(log.counts[i])}`),
  );
}

// Lines between partners, as wide and dark as they are sure, with the probability on them.
function linkPicture({ data }, step) {
  const lines = Math.max(step.a.length, step.b.length);
  const height = lines * ROOM;
  const at = (some, i) => ((some.indexOf(i) + 0.5) / some.length) * height;
  const picture = draw("svg", { viewBox: `0 0 120 ${height}`, width: 120, height, class: "link-picture", role: "img" });
  const words = step.links.map(({ link, i, j, probability }) => {
    const [from, to] = [at(step.a, i), at(step.b, j)];
    const sure = probability ?? (link.decision === "accepted" ? 1 : 0.3);
    picture.append(
      draw("path", {
        class: `link ${link.decision}`,
        d: `M2,${from}C50,${from} 70,${to} 118,${to}`,
        "stroke-width": (1 + 5 * sure).toFixed(1),
        "stroke-opacity": (0.25 + 0.75 * sure).toFixed(2),
      }),
    );
    return [
      probability,
      step.a.length > 1 ? from * 0.7 + to * 0.3 : from * 0.3 + to * 0.7,
      linkWords(link, probability, data.known.has(data.key(i, j))),
    ];
  });
  for (const [probability, y] of words) {
    const text = probability === null ? "by hand" : percent(probability);
    const wide = widthOf(text, 11.5, 600) + 10;
    picture.append(
      draw("rect.link-back", { x: 60 - wide / 2, y: y - 9, width: wide, height: 18, rx: 5 }),
      draw("text.link-text", { x: 60, y: y + 4 }, text),
    );
  }
  picture.setAttribute("aria-label", words.map(([, , text]) => text).join("; "));
  return picture;
}

// How sure the links are, for paper: there a row is a line.
function printedLinks({ data }, { decision, links }) {
  const sure = links.map(({ link, i, j, probability }) => {
    if (decision === "accepted" && link.by === "person") return "yours";
    return probability === null ? "by hand" : data.known.has(data.key(i, j)) ? "known" : percent(probability);
  });
  return `${[...new Set(sure)].join(", ")}${decision === "undecided" ? "?" : ""}`;
}

const reasonElements = (page, term) => {
  const [a, b] = page.data.sides;
  return sentence(
    page,
    reasonWords(term, (x, y) => x >= 0 && y >= 0 && a.labels[x] === b.labels[y]),
  );
};

// The strongest reasons beside the pointer.
function tip(page, { i, j }, event) {
  const terms = page.data.reasons(i, j)?.slice(0, TIP_REASONS) ?? [];
  if (!terms.length) return hideTip();
  showTip(
    event.clientX,
    event.clientY,
    terms.map((term) => make("div", percent(term[0]), " ", reasonElements(page, term))),
  );
}

// Why the labels are taken for one step, and which other partners they might have.
function details(page, step) {
  return make(
    "div.step-details",
    step.links.map(({ link, i, j, probability }) => reasonBlock(page, { link, i, j, probability }, step.links.length > 1)),
    make(
      "div.step-others",
      [0, 1].map((side) => (side ? step.b : step.a).map((i) => otherPartners(page, side, i, side ? step.a : step.b))),
    ),
  );
}

function reasonBlock(page, { link, i, j, probability }, isNamed) {
  const { data } = page;
  const terms = data.reasons(i, j);
  const said = linkWords(link, probability, data.known.has(data.key(i, j)));
  return make(
    "div",
    make(
      "p.verdict",
      isNamed ? [labelElement(data.sides[0], i), " = ", labelElement(data.sides[1], j), ": "] : null,
      make("b", said),
    ),
    terms?.length
      ? make(
          "ul.shares",
          terms.map((term) => make("li", make("b", percent(term[0])), make("span", reasonElements(page, term)))),
        )
      : make(
          "p.muted",
          "The page has no reasons for this pair, because it is not among the likeliest, or the logs are too large: actalike match A B --explain says why.",
        ),
    terms?.length ? make("p.muted.small", "Shares of the score; the rest are smaller terms.") : null,
  );
}

// The other candidates of a label, each with a button, and what else can be decided about it.
function otherPartners(page, side, i, present) {
  const { data, choices } = page;
  const [own, other] = [data.sides[side], data.sides[1 - side]];
  const candidates = data.candidates[side][i].filter(([j]) => !present.includes(j));
  const find = present.length ? "Another partner, or none…" : "Find a partner…";
  const focusKey = (what) => JSON.stringify([what, own.letter, own.labels[i]]);
  const choose = (j, more = false) => {
    const [label, partner] = [own.labels[i], other.labels[j]];
    const [a, b] = side === 0 ? [label, partner] : [partner, label];
    if (present.length) choices.open.add(JSON.stringify([a, b])); // the row was unfolded, and stays so
    choices.apply(more ? addPartner(choices.state, side, label, partner) : accept(choices.state, a, b));
    say(`${own.name(i)} and ${other.name(j)} are the same step now`);
  };
  return make(
    "div.step-candidates",
    make("h4", present.length ? "Other candidates for " : "Candidates for ", labelElement(own, i), ` of log ${own.letter}`),
    candidates.length
      ? make(
          "ul.shares",
          candidates.map(([j, probability]) =>
            make(
              "li",
              make("b", percent(probability)),
              make(
                "span",
                labelElement(other, j),
                " ",
                button("Choose", () => choose(j), {
                  "aria-label": `Choose ${other.name(j)} as the partner of ${own.name(i)}`,
                  "data-focus": focusKey(j),
                }),
              ),
            ),
          ),
        )
      : make("p.muted", "None that is likely."),
    make(
      "p.buttons",
      button(find, () => pickPartner(page, side, i, choose), {
        "aria-label": `${find} for ${own.name(i)}`,
        "data-focus": focusKey("find"),
      }),
      present.length
        ? button("One more partner…", () => pickPartner(page, side, i, choose, true), {
            "aria-label": `One more partner… for ${own.name(i)}`,
            "data-focus": focusKey("more"),
          })
        : null,
    ),
  );
}

// --- Picking the partner of a label: from its candidates, or found by typing.

// Pick the partner of an activity, which is handed to `choose`; `more`: one beside those that it has.
function pickPartner(page, side, i, choose, more = false) {
  const { data, choices } = page;
  const [own, other] = [data.sides[side], data.sides[1 - side]];
  const label = own.labels[i];
  const stepOf = choices.stepsOf(1 - side);
  const isOwn = (j) => stepOf[j]?.[side ? "b" : "a"].includes(i);
  const option = (j) => {
    const probability = side === 0 ? data.probability(i, j) : data.probability(j, i);
    const remarks = [
      probability === null ? "" : `${percent(probability)} likely`,
      stepOf[j] ? "has a partner now" : "",
      `${thousands(other.counts[j])} events`,
    ];
    return {
      words: [labelElement(other, j), " ", make("span.count", remarks.filter(Boolean).join(", "))],
      act: () => choose(j, more),
    };
  };
  const none = {
    words: `No partner: log ${other.letter} does not have this step`,
    act: () => {
      choices.apply(noPartner(choices.state, side, label));
      say(`${own.name(i)} has no partner`);
    },
  };
  const options = (query) => {
    const likely = data.candidates[side][i].map(([j]) => j);
    const listed = query ? matches(other.labels, query, other.names) : [...new Set([...likely, ...other.labels.keys()])];
    return [...(query || more ? [] : [none]), ...listed.filter((j) => !isOwn(j)).map(option)];
  };
  openDialog({
    title: [more ? "Another partner of " : "The partner of ", labelElement(own, i), ` in log ${other.letter}`],
    hint: `Find a label of log ${other.letter}`,
    options,
  });
}
