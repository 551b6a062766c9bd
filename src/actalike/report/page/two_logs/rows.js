// The two vocabularies side by side: a row for each step that is in both logs, or may be; then the labels without a partner.

import { choice, fold, noteField, openDialog, slide } from "../shared/controls.js";
import { button, find, foreignText, say, theme } from "../shared/dom.js";
import { labelElement, labelText, reasonLines } from "../shared/labels.js";
import { counted, matches, percent, shownLabel, thousands } from "../shared/texts.js";
import { widthOf } from "../shared/widths.js";
import { html } from "../vendor/preact.js";
import { cutWords } from "./answer.js";
import { ORDERS } from "./choices.js";
import { accept, addPartner, confirm, nameLinks, noPartner, reject, setAtLeast, setNote, takeBack } from "./links.js";

const ROWS = 120; // listed before somebody asks for more
const ALONE = 40;
const PRINTED = 300; // rows on paper, which are compact there
const ALL = "all steps"; // a key of what is unfolded
const SHOWN = { all: "all pairs", undecided: "undecided", accepted: "accepted", unsure: "under 80 % likely" };

// Whether the filters leave a step in the list.
function isListed(/** @type {TwoLogPage} */ { data, choices, filter }, step) {
  const [a, b] = data.sides;
  if (choices.shown === "undecided" && step.decision !== "undecided") return false;
  if (choices.shown === "accepted" && step.decision !== "accepted") return false;
  if (choices.shown === "unsure" && (step.probability ?? 1) >= data.sure) return false;
  if (!step.a.some((i) => a.cases[i] >= filter.leastCases) && !step.b.some((j) => b.cases[j] >= filter.leastCases)) return false;
  const query = choices.query.trim().toLowerCase();
  return !query || step.a.some((i) => a.hasText(i, query)) || step.b.some((j) => b.hasText(j, query));
}

// Steps in the order that the reader has chosen.
function ordered(/** @type {TwoLogPage["data"]} */ { sides: [a, b] }, /** @type {Step[]} */ steps, order) {
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

export function startVocabularies(/** @type {TwoLogPage} */ page) {
  const { data, choices } = page;
  choices.shows("decisions filter query order", find("steps-controls"), () => controls(page));
  choices.shows("decisions filter query order open print", find("steps-view"), () => {
    const all = [...choices.steps, ...choices.rejected].filter((step) => isListed(page, step));
    const listed = ordered(data, all, choices.order);
    const shown = listed.slice(0, theme.printing ? PRINTED : choices.open.has(ALL) ? listed.length : ROWS);
    const isCut = shown.length < listed.length;
    const more = { class: "quiet more", id: "steps-more" };
    return html`
      <div class="step-heads" aria-hidden="true">
        ${data.sides.map(({ letter, title }) => html`<p class="step-head"><b>Log ${letter}</b> ${foreignText(title)}</p>`)}
      </div>
      ${!listed.length && html`<p class="none" id="steps-none">No pair is left: change what is shown, or find a partner below.</p>`}
      <ol class="steps" id="step-list">${shown.map((step) => stepRow(page, step))}</ol>
      ${isCut && html`<p class="paper-only muted">${cutWords(shown.length, listed.length, "steps")}</p>`}
      ${isCut && button(`Show all ${thousands(listed.length)}`, () => choices.unfold(ALL), more)}
    `;
  });
  choices.shows("decisions filter query open print", find("alone-view"), () => data.sides.map((log) => aloneList(page, log)));
}

function controls(/** @type {TwoLogPage} */ page) {
  const { data, choices, filter } = page;
  const { atLeast } = choices.state;
  const changeTo = (name, kind) => (value) => {
    choices[name] = value;
    choices.changed(kind);
  };
  const open = choices.steps.filter(({ decision }) => decision === "undecided").length;
  const said = `actalike accepts pairs that are at least ${percent(atLeast)} likely: ${counted(choices.accepted.length, "step is", "steps are")} accepted, ${thousands(open)} undecided. What you decide stays.`;
  const range = { min: Math.round(data.least * 100), max: 99, step: 1, value: Math.round(atLeast * 100) };
  const accepting = (value) => choices.apply(setAtLeast(choices.state, data.proposals, value / 100), "at least");
  const listed = [...choices.steps].filter((step) => isListed(page, step)).length;
  const query = changeTo("query", "query");
  return html`
    <div class="controls">
      ${slide("sure-slider", "How sure must a pair be?", [percent(data.least), "99 %"], range, accepting, said)}
      ${filter.slider("steps")}
    </div>
    <div class="step-choices">
      <input type="text" id="search" class="step-name" placeholder="Find a label" spellcheck=${false} autocomplete="off"
        aria-label="Find a label of either log" value=${choices.query} oninput=${({ target }) => query(target.value)} />
      ${choice("steps-shown", "Show", SHOWN, choices.shown, changeTo("shown", "filter"))}
      ${choice("steps-order", "Order", ORDERS, choices.order, changeTo("order", "order"))}
      <span class="muted" id="steps-said" role="status">${thousands(listed)} of ${counted(choices.steps.length, "step", "steps")} shown.</span>
    </div>
  `;
}

// The labels of a log that have no partner, with the probability that they have none.
function aloneList(/** @type {TwoLogPage} */ page, log) {
  const { choices, filter } = page;
  const letter = log.letter.toLowerCase();
  const query = choices.query.trim().toLowerCase();
  const all = choices.unmatched[log.side];
  const listed = all.filter((i) => log.cases[i] >= filter.leastCases && (!query || log.hasText(i, query)));
  const shown = choices.open.has(`alone ${letter}`) && !theme.printing ? listed : listed.slice(0, ALONE);
  const isCut = shown.length < listed.length;
  return html`
    <div id=${`alone-${letter}`}>
      <h3>Only in log ${log.letter}: ${counted(all.length, "label", "labels")}</h3>
      <ul class="alone">${shown.map((i) => aloneItem(page, log, i))}</ul>
      ${isCut && html`<p class="paper-only muted">${cutWords(shown.length, listed.length, "labels")}</p>`}
      ${isCut && button(`Show all ${thousands(listed.length)}`, () => choices.unfold(`alone ${letter}`))}
    </div>
  `;
}

function aloneItem(/** @type {TwoLogPage} */ page, log, i) {
  const { data, choices } = page;
  const { side } = log;
  const label = log.labels[i];
  const decided = choices.isAlone[side].get(label);
  const probability = data.alone[side].get(i);
  const words = decided
    ? "no partner, decided by you"
    : probability === undefined
      ? "its pair was rejected, or is undecided"
      : probability > 0.6
        ? `${percent(probability)} likely without a partner`
        : "unknown whether it has a partner";
  const [a, b] = side === 0 ? [label, null] : [null, label];
  const key = JSON.stringify([a, b]);
  const toggle = () => {
    choices.apply(decided ? takeBack(choices.state, a, b) : noPartner(choices.state, side, label));
    say(`${log.name(i)}: ${decided ? "undecided" : "no partner"}`);
  };
  const none = {
    class: decided ? "quiet small on" : "quiet small",
    "aria-pressed": String(Boolean(decided)),
    "aria-label": `No partner for ${log.name(i)}`,
    "data-focus": key,
  };
  return html`
    <li data-card=${key} key=${key}>
      <p class="step-label">${labelElement(log, i)}<span class="count">${thousands(log.counts[i])}</span></p>
      <div class="alone-decide"><span class="muted small">${words}</span>${button("No partner", toggle, none)}</div>
      ${!theme.printing && fold(choices, `candidates ${key}`, "Candidates", () => otherPartners(page, side, i, []), CANDIDATES)}
    </li>
  `;
}

const CANDIDATES = { class: "candidates" };

// --- A row of the vocabularies: the labels of A, the links with their probabilities, the labels of B; what can be decided; and why.

const DECIDED = { accepted: "Accepted", rejected: "Rejected" };
const ROOM = 44; // pixels of a label's line in the middle column

function stepRow(/** @type {TwoLogPage} */ page, step) {
  const { data, choices } = page;
  const { key, links } = step;
  const isOpen = choices.open.has(key);
  const names = `${data.sides[0].name(step.a[0])} and ${data.sides[1].name(step.b[0])}`;
  const toggle = (decision, words) => {
    const isOn = links.every(({ link }) => link.decision === decision);
    const isOwn = isOn && links.every(({ link }) => link.by === "person");
    const act = () => {
      const isAccepting = decision === "accepted" && step.decision === "undecided";
      const decide = isOwn ? takeBack : isOn ? confirm : decision === "rejected" ? reject : accept;
      const each = () => links.reduce((state, { link }) => decide(state, link.a, link.b), choices.state);
      choices.apply(isAccepting ? choices.accepting([step]) : each());
      say(`${names}: ${isOwn ? "undecided" : `${decision} by you`}`);
    };
    return button([isOwn && html`<span aria-hidden="true">✓ </span>`, words], act, {
      class: `quiet small${isOn ? " on" : ""}${isOwn ? " own" : ""}`,
      title: isOwn ? `${DECIDED[decision]} by you: press to take it back` : isOn ? "By actalike: press to confirm it" : null,
      "aria-pressed": String(isOn),
      "aria-label": `${words} ${names}`,
      "data-focus": `${key} ${decision}`,
      "data-decides": isOwn ? null : decision,
    });
  };
  const why = {
    "aria-expanded": String(isOpen),
    "aria-label": `Why ${names}? And other partners`,
    "data-focus": `${key} why`,
  };
  const note = ({ a, b, note: text }) => {
    const own = `note ${a} ${b}`;
    const changed = (value) => choices.apply(setNote(choices.state, a, b, value), own);
    return (isOpen || text) && noteField(choices, `Note on ${a} = ${b}`, own, text, changed, true);
  };
  return html`
    <li class=${`step ${step.decision}`} data-card=${key} key=${key} tabindex="-1">
      <div class="step-side">${step.a.map((i) => labelLine(data.sides[0], i))}</div>
      ${linkPicture(page, step)}
      <p class="paper-only link-printed" aria-hidden="true">${printedLinks(page, step)}</p>
      <div class="step-side">${step.b.map((j) => labelLine(data.sides[1], j))}</div>
      <div class="decide" role="group" aria-label=${`Decide about ${names}`}>
        ${toggle("accepted", "Accept")}${toggle("rejected", "Reject")}${button("Why?", () => choices.unfold(key, !isOpen), why)}
      </div>
      ${nameChoice(page, step)}
      ${isOpen && details(page, step)}
      ${links.map(({ link }) => note(link))}
    </li>
  `;
}

// How sure a link is, and who decided it.
export function linkWords({ decision, by }, probability, isKnown) {
  const sure = probability === null ? "not among the likeliest" : isKnown ? "known" : `${percent(probability)} likely`;
  if (decision === "undecided") return `${sure}, undecided`;
  return `${sure}, ${decision} by ${by === "person" ? "you" : "actalike"}`;
}

// Of a label of B with several partners: which of their names it gets; buttons to choose one, if a person has accepted several.
function nameChoice(/** @type {TwoLogPage} */ { data, choices }, step) {
  if (step.decision !== "accepted" || step.a.length < 2) return null;
  const [a, b] = data.sides;
  const [j] = step.b;
  const { named, unclear } = nameLinks(choices.state, 0);
  if (!unclear.has(b.labels[j])) {
    const name = labelText(shownLabel(named.get(b.labels[j]).a));
    return html`<p class="step-named muted small">${labelElement(b, j)} becomes ${name} in the words of A.</p>`;
  }
  const only = (i) => {
    const choose = () => {
      choices.apply(accept(choices.state, a.labels[i], b.labels[j]));
      say(`${b.name(j)} is ${a.name(i)} only`);
    };
    return [" ", button(["Only ", labelElement(a, i)], choose)];
  };
  return html`
    <div class="step-named caution">
      <span>
        ${labelElement(b, j)} of log B can get one name only, and you have accepted several partners. Choose one before you relabel log B:
        ${step.a.map(only)}
      </span>
    </div>
  `;
}

const labelLine = (log, i) => html`
  <p class="step-label">
    <span class="unseen">Log ${log.letter}: </span>${labelElement(log, i)}
    <span class="count" title="events">${thousands(log.counts[i])}</span>
  </p>
`;

// Lines between partners, as wide and dark as they are sure, with the probability on them.
function linkPicture(/** @type {TwoLogPage} */ { data }, step) {
  const height = Math.max(step.a.length, step.b.length) * ROOM;
  const at = (some, i) => ((some.indexOf(i) + 0.5) / some.length) * height;
  const links = step.links.map(({ link, i, j, probability }) => {
    const [from, to] = [at(step.a, i), at(step.b, j)];
    const sure = probability ?? (link.decision === "accepted" ? 1 : 0.3);
    const text = probability === null ? "by hand" : percent(probability);
    const y = step.a.length > 1 ? from * 0.7 + to * 0.3 : from * 0.3 + to * 0.7;
    const wide = widthOf(text, 11.5, 600) + 10;
    const path = html`
      <path class=${`link ${link.decision}`} d=${`M2,${from}C50,${from} 70,${to} 118,${to}`}
        stroke-width=${(1 + 5 * sure).toFixed(1)} stroke-opacity=${(0.25 + 0.75 * sure).toFixed(2)} />
    `;
    const figure = html`
      <rect class="link-back" x=${60 - wide / 2} y=${y - 9} width=${wide} height="18" rx="5" />
      <text class="link-text" x="60" y=${y + 4}>${text}</text>
    `;
    return { path, figure, words: linkWords(link, probability, data.known.has(data.key(i, j))) };
  });
  return html`
    <svg class="link-picture" viewBox=${`0 0 120 ${height}`} width="120" height=${height} role="img"
      aria-label=${links.map(({ words }) => words).join("; ")}>
      ${links.map(({ path }) => path)}${links.map(({ figure }) => figure)}
    </svg>
  `;
}

// How sure the links are, for paper: there a row is a line.
function printedLinks(/** @type {TwoLogPage} */ { data }, { decision, links }) {
  const sure = links.map(({ link, i, j, probability }) => {
    if (decision === "accepted" && link.by === "person") return "yours";
    return probability === null ? "by hand" : data.known.has(data.key(i, j)) ? "known" : percent(probability);
  });
  return `${[...new Set(sure)].join(", ")}${decision === "undecided" ? "?" : ""}`;
}

// Why the labels are taken for one step, and which other partners they might have.
const details = (/** @type {TwoLogPage} */ page, step) => html`
  <div class="step-details">
    ${step.links.map((one) => reasonBlock(page, one, step.links.length > 1))}
    <div class="step-others">
      ${step.a.map((i) => otherPartners(page, 0, i, step.b))}
      ${step.b.map((j) => otherPartners(page, 1, j, step.a))}
    </div>
  </div>
`;

function reasonBlock(/** @type {TwoLogPage} */ { data }, { link, i, j, probability }, isNamed) {
  const lines = data.reasons(i, j);
  const names = isNamed && html`${labelElement(data.sides[0], i)} = ${labelElement(data.sides[1], j)}: `;
  const none =
    "The page has no reasons for this pair, because it is not among the likeliest: actalike match A B --explain says why.";
  return html`
    <div>
      <p class="verdict">${names}<b>${linkWords(link, probability, data.known.has(data.key(i, j)))}</b></p>
      ${lines ? reasonLines(lines) : html`<p class="muted">${none}</p>`}
    </div>
  `;
}

// The other candidates of a label, each with a button, and what else can be decided about it.
function otherPartners(/** @type {TwoLogPage} */ page, side, i, present) {
  const { data, choices } = page;
  const [own, other] = [data.sides[side], data.sides[1 - side]];
  const candidates = data.candidates[side][i].filter(([j]) => !present.includes(j));
  const focusKey = (what) => JSON.stringify([what, own.letter, own.labels[i]]);
  const choose = (j, more = false) => {
    const [label, partner] = [own.labels[i], other.labels[j]];
    const [a, b] = side === 0 ? [label, partner] : [partner, label];
    if (present.length) choices.open.add(JSON.stringify([a, b])); // the row was unfolded, and stays so
    choices.apply(more ? addPartner(choices.state, side, label, partner) : accept(choices.state, a, b));
    say(`${own.name(i)} and ${other.name(j)} are the same step now`);
  };
  const candidate = ([j, probability]) => {
    const label = { "aria-label": `Choose ${other.name(j)} as the partner of ${own.name(i)}`, "data-focus": focusKey(j) };
    const pick = button("Choose", () => choose(j), label);
    return html`<li><b>${percent(probability)}</b><span>${labelElement(other, j)} ${pick}</span></li>`;
  };
  const find = (words, key, more) =>
    button(words, () => pickPartner(page, side, i, choose, more), {
      "aria-label": `${words} for ${own.name(i)}`,
      "data-focus": focusKey(key),
    });
  return html`
    <div class="step-candidates">
      <h4>${present.length ? "Other candidates for " : "Candidates for "}${labelElement(own, i)} of log ${own.letter}</h4>
      ${
        candidates.length
          ? html`<ul class="shares">${candidates.map(candidate)}</ul>`
          : html`<p class="muted">None that is likely.</p>`
      }
      <p class="buttons">
        ${find(present.length ? "Another partner, or none…" : "Find a partner…", "find", false)}
        ${present.length > 0 && find("One more partner…", "more", true)}
      </p>
    </div>
  `;
}

// --- Picking the partner of a label: from its candidates, or found by typing.

// Pick the partner of an activity, which is handed to `choose`; `more`: one beside those that it has.
function pickPartner(/** @type {TwoLogPage} */ { data, choices }, side, i, choose, more) {
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
    const remark = remarks.filter(Boolean).join(", ");
    return { words: html`${labelElement(other, j)} <span class="count">${remark}</span>`, act: () => choose(j, more) };
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
  const title = [more ? "Another partner of " : "The partner of ", labelElement(own, i), ` in log ${other.letter}`];
  openDialog({ title, hint: `Find a label of log ${other.letter}`, options });
}
