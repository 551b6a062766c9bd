// What a reader works with: sliders, folds, dialogs, notes, the buttons of a session.

import { html, render } from "../vendor/preact.js";
import { LONGEST_NOTE } from "./decision_file.js";
import { button, copyButton, find, foreignText, make, shareBar, theme, untyped } from "./dom.js";
import { showKeys } from "./page_life.js";
import { counted, thousands } from "./texts.js";

// A slider with its question, its ends, and what its value means (`said`). `range` has min, max, step and value; `changed` gets a value.
export const slide = (id, words, [low, high], range, changed, said, marks = null) => html`
  <div class="slide">
    <label for=${id}>${words}</label>
    <span class="slide-end">${low}</span>
    <div class="slide-track">
      <input type="range" id=${id} ...${range} aria-describedby=${saidId(id)} oninput=${({ target }) => changed(Number(target.value))} />
      ${marks}
    </div>
    <span class="slide-end">${high}</span>
    <output id=${saidId(id)} for=${id}>${said}</output>
  </div>
`;

const saidId = (id) => `${id.replace(/-slider$/, "")}-said`;

// `options` are texts by their values.
export const choice = (id, words, options, value, act) => html`
  <span class="choice">
    <label for=${id}>${words}</label>
    <select id=${id} onchange=${({ target }) => act(target.value)}>
      ${Object.entries(options).map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
    </select>
  </span>
`;

// A fold whose content is made when it is opened, or printed.
export function fold(choices, key, summary, content, look = {}) {
  const isOpen = theme.printing || choices.open.has(key);
  const toggled = ({ target }) => theme.printing || target.open === choices.open.has(key) || choices.unfold(key, target.open);
  return html`
    <details class="fold" ...${look} open=${isOpen} ontoggle=${toggled}>
      <summary>${summary}</summary>
      ${isOpen && content()}
    </details>
  `;
}

// --- Which labels the pictures show: those in at least so many cases. One choice for map, matrix, flow and time view.

// 1, 2, 3, 5, 7, 10, 15, 20, 30, ... as long as two labels are in as many cases.
export function caseSteps(cases) {
  const largest = [...cases].sort((a, b) => b - a)[1] ?? 1;
  const steps = [1];
  for (let power = 1; power <= largest; power *= 10)
    for (const factor of [1, 1.5, 2, 3, 5, 7]) {
      const step = factor * power;
      if (Number.isInteger(step) && step > steps[steps.length - 1] && step <= largest) steps.push(step);
    }
  return steps;
}

export class FrequencyFilter {
  constructor(data, choices) {
    this.data = data;
    this.choices = choices;
    this.leastCases = 1;
    this.steps = caseSteps(data.cases);
  }

  isShown(i) {
    return this.data.cases[i] >= this.leastCases;
  }

  // Whether an activity is in so few cases that the log says little about it.
  isRare(i) {
    return this.data.cases[i] < this.data.thin_cases;
  }

  get size() {
    return this.data.cases.filter((_, i) => this.isShown(i)).length;
  }

  // The slider among the controls of a section. All sliders move together.
  slider(section) {
    if (this.steps.length < 2) return null;
    const cases = `in at least ${counted(this.leastCases, "case", "cases")}`;
    const range = { min: 0, max: this.steps.length - 1, value: this.steps.indexOf(this.leastCases) };
    const change = (value) => {
      this.leastCases = this.steps[value];
      this.choices.changed("filter");
    };
    const said = `I${cases.slice(1)}: ${thousands(this.size)} of ${counted(this.data.size, "label", "labels")}.`;
    const look = { class: "least-cases", "aria-valuetext": cases };
    const words = "Leave out rare labels?";
    return slide(`${section}-least-cases`, words, ["all", "frequent"], { ...range, ...look }, change, said);
  }
}

// --- A dialog in which one of many things is picked, found by typing.

const SHOWN = 30;

// `options(query)` returns [{ words, act }]: what to show, and what to do if it is picked. A dialog that `stays` can pick several.
export function openDialog({ title, hint, options, stays = false }) {
  const dialog = make("dialog.picker", { "aria-labelledby": "picker-title", onclose: () => dialog.remove() });
  const input = () => dialog.querySelector("input");
  const pick = (act) => {
    if (!stays) dialog.close();
    act();
    if (!stays) return;
    show();
    input().focus();
  };
  const key = (event) => {
    if (event.key !== "Enter" || !input().value.trim()) return;
    event.preventDefault();
    dialog.querySelector("li button")?.click();
    if (!stays) return;
    input().value = "";
    show();
  };
  const show = () => {
    const found = options(input()?.value.trim() ?? "");
    const rest = found.length > SHOWN && `and ${thousands(found.length - SHOWN)} more: type a part`;
    const view = html`
      <h3 id="picker-title">${title}</h3>
      <input type="text" class="step-name" aria-label=${hint} placeholder=${hint} spellcheck=${false} oninput=${show} onkeydown=${key} />
      <ul class="pick-list">
        ${found.slice(0, SHOWN).map(({ words, act }) => html`<li>${button(words, () => pick(act), { class: "pick" })}</li>`)}
        ${rest && html`<li class="muted">${rest}</li>`}
        ${!found.length && html`<li class="muted">Nothing has this in its name.</li>`}
      </ul>
      <p class="buttons">${button(stays ? "Done" : "Cancel", () => dialog.close(), { class: "quiet" })}</p>
    `;
    render(view, dialog);
  };
  show();
  find("page").append(dialog);
  dialog.showModal();
}

// --- A note that somebody writes: the button that opens its field, the field, and on paper its text.

export function noteButton(choices, words, label, key, text) {
  const open = () => {
    choices.unfold(key);
    untyped(document.querySelector(`[data-focus="${CSS.escape(key)}"]`)).focus();
  };
  return text || choices.open.has(key) ? null : button(words, open, { "aria-label": label });
}

export function noteField(choices, label, key, text, changed, isShown = choices.open.has(key)) {
  if (!text && !isShown) return null;
  return html`
    <div class="note-field">
      <textarea rows="2" class="note-input" aria-label=${label} placeholder=${label} data-focus=${key} maxlength=${LONGEST_NOTE}
        value=${text} oninput=${({ target }) => changed(target.value)} />
      <p class="note-printed">${text}</p>
    </div>
  `;
}

// The note on all that the page is about; `noted` is the state of the decisions with another note.
export function showLogNote(choices, words, noted) {
  const { note } = choices.state;
  const changed = (text) => choices.apply(noted(choices.state, text), "log note");
  return [noteButton(choices, words, words, "log note", note), noteField(choices, words, "log note", note, changed)];
}

// --- The session.

// Its buttons: undo, redo, `more`, the keys and how far the review is at the left, files and `tables` at the right.
export function sessionButtons(choices, session, more, tables) {
  const large = (words, act, id, attributes = {}) => button(words, act, { class: "quiet", id, ...attributes });
  const { decided, all } = choices.progress;
  const { past, future } = choices.history;
  const load = async ({ target }) => {
    const [file] = target.files;
    if (file) await session.load(file);
    target.value = "";
  };
  return html`
    <div class="buttons">
      ${large("Undo", () => choices.undo(), "undo", { disabled: !past.length })}
      ${large("Redo", () => choices.redo(), "redo", { disabled: !future.length })}
      ${more}
      ${button("?", showKeys, { class: "quiet", "aria-label": "Keys of this page", title: "Keys of this page" })}
      <p class="progress" id="progress" hidden=${!all}>
        ${shareBar(all ? decided / all : 0)}${`${thousands(decided)} of ${thousands(all)} decided`}
      </p>
    </div>
    <div class="buttons">
      ${large("Save decisions", () => session.save(), "save", { class: "button" })}
      ${large("Load decisions", () => find("load-file").click(), "load")}
      ${tables}
      <input type="file" id="load-file" class="unseen" tabindex="-1" accept=".json,application/json"
        aria-label="A decisions file" onchange=${load} />
    </div>
  `;
}

// A command in which no line breaks after the hyphen of a short word such as -o.
const withWholeOptions = (command) =>
  command
    .split(/( )/)
    .map((word) => (word.startsWith("-") && word.length < 20 ? html`<span class="whole">${word}</span>` : word));

// How to relabel by the decisions: what to do and the command, or why there is none. Without decisions that change anything, what to do
// first.
export function relabelling({ words, command }, what, isChanging, toDoFirst) {
  const code = () => html`
    <p class="command">
      <code id="relabel-command" tabindex="0">${withWholeOptions(command)}</code>
      ${copyButton(command, () => find("relabel-command"))}
    </p>
  `;
  const isWaiting = Boolean(command) && !isChanging;
  return html`
    <div hidden=${isWaiting}><p>${command ? what : ""}${words}</p>${command && code()}</div>
    ${isWaiting && html`<p class="muted">${toDoFirst}</p>`}
  `;
}

// --- A log at a glance, and how it was read: from which columns, in which order, and what may be wrong with that.

export const glance = (/** @type {Facts} */ { glance: rows }) =>
  rows.map(([name, value, remark]) => html`<div><dt>${name}</dt><dd>${value} <small>${remark}</small></dd></div>`);

export function understood(reading) {
  if (!reading) return null;
  return html`
    <details class="fold">
      <summary>How the log was read</summary>
      <dl class="understood" aria-label="How the log was read">
        ${reading.facts.map(([term, words]) => html`<div><dt>${term}</dt><dd>${foreignText(words)}</dd></div>`)}
      </dl>
    </details>
    ${
      reading.remarks.length > 0 &&
      html`
      <ul class="doubts" aria-label="What may be wrong with it">
        ${reading.remarks.map((remark) => html`<li>${foreignText(remark)}</li>`)}
      </ul>
    `
    }
  `;
}
