// A slider with its question, its ends, and what its value means.

import { LONGEST_NOTE } from "./decision_file.js";
import { button, commandElement, find, make, shareBar } from "./dom.js";
import { showKeys } from "./page_life.js";
import { counted, thousands } from "./texts.js";

// `range` has min, max and step; `changed` gets the value. What is said of it stands in the output.
export function slide(id, words, [low, high], range, changed, marks = null) {
  const output = make("output", { id: `${id.replace(/-slider$/, "")}-said`, for: id });
  const slider = make("input", {
    type: "range",
    id,
    ...range,
    "aria-describedby": output.id,
    oninput: () => changed(Number(slider.value)),
  });
  const element = make(
    "div.slide",
    make("label", { for: id }, words),
    make("span.slide-end", low),
    make("div.slide-track", slider, marks),
    make("span.slide-end", high),
    output,
  );
  return { element, slider, output };
}

// --- Which labels the pictures show: those in at least so many cases. One choice for map, matrix, flow and time view.

// 1, 2, 3, 5, 7, 10, 15, 20, 30, ... as long as two labels are in as many cases.
export function caseSteps(cases) {
  const largest = [...cases].sort((a, b) => b - a)[1] ?? 1;
  const steps = [1];
  for (let power = 1; power <= largest; power *= 10)
    for (const factor of [1, 1.5, 2, 3, 5, 7]) {
      const step = factor * power;
      if (Number.isInteger(step) && step > steps.at(-1) && step <= largest) steps.push(step);
    }
  return steps;
}

export class FrequencyFilter {
  constructor(data, choices) {
    Object.assign(this, { data, choices, leastCases: 1, sliders: [] });
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

  // Adds a slider to the controls of a section. All sliders move together.
  addTo(section) {
    if (this.steps.length < 2) return;
    const range = { class: "least-cases", min: 0, max: this.steps.length - 1, step: 1 };
    const ends = ["all", "frequent"];
    const { element, slider, output } = slide(`${section}-least-cases`, "Leave out rare labels?", ends, range, (value) => {
      this.leastCases = this.steps[value];
      this.choices.changed("filter");
    });
    find(`${section}-controls`).append(element);
    this.choices.watch("filter", () => {
      slider.value = this.steps.indexOf(this.leastCases);
      element.classList.toggle("all-labels", this.leastCases === 1); // nothing to be told on paper
      slider.setAttribute("aria-valuetext", `in at least ${counted(this.leastCases, "case", "cases")}`);
      output.textContent = `In at least ${counted(this.leastCases, "case", "cases")}: ${thousands(this.size)} of ${counted(this.data.size, "label", "labels")}.`;
    });
  }
}

// --- A dialog in which one of many things is picked, found by typing.

const SHOWN = 30;

// `options(query)` returns [{ words, act }]: what to show, and what to do if it is picked. A dialog that `stays` can pick several.
export function openDialog({ title, hint, options, stays = false }) {
  const list = make("ul.pick-list");
  const input = make("input", { type: "text", class: "step-name", "aria-label": hint, placeholder: hint, spellcheck: "false" });
  const close = () => dialog.close();
  const show = () => {
    const found = options(input.value.trim());
    list.replaceChildren(
      ...found.slice(0, SHOWN).map(({ words, act }) =>
        make(
          "li",
          make(
            "button.pick",
            {
              onclick: () => {
                if (!stays) close();
                act();
                if (!stays) return;
                show();
                input.focus();
              },
            },
            words,
          ),
        ),
      ),
    );
    if (found.length > SHOWN) list.append(make("li.muted", `and ${thousands(found.length - SHOWN)} more: type a part`));
    if (!found.length) list.append(make("li.muted", "Nothing has this in its name."));
  };
  const dialog = make(
    "dialog.picker",
    { "aria-labelledby": "picker-title", onclose: () => dialog.remove() },
    make("h3", { id: "picker-title" }, title),
    input,
    list,
    make("p.buttons", make("button.quiet", { onclick: close }, stays ? "Done" : "Cancel")),
  );
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !input.value.trim()) return;
    event.preventDefault();
    list.querySelector("button")?.click();
    if (stays) {
      input.value = "";
      show();
    }
  });
  show();
  find("page").append(dialog);
  dialog.showModal();
}

// --- A note that somebody writes.

export const isTyped = (input) => document.activeElement === input;

// A field for a note; on paper its text.
export function noteField(label, key, changed) {
  const input = make("textarea", {
    rows: 2,
    class: "note-input",
    "aria-label": label,
    placeholder: label,
    "data-focus": key,
    maxlength: LONGEST_NOTE,
    oninput: () => changed(input.value),
  });
  const printed = make("p.note-printed");
  const element = make("div.note-field", { hidden: true }, input, printed);
  const set = (text) => {
    if (input.value !== text) input.value = text;
    printed.textContent = text;
    if (text) element.hidden = false;
    else if (!isTyped(input)) element.hidden = true;
  };
  const show = () => {
    element.hidden = false;
    input.focus();
  };
  return { element, input, set, show };
}

// --- The unseen input that opens a decisions file; a button clicks it.

function decisionsInput(session) {
  const input = make("input", {
    type: "file",
    id: "load-file",
    class: "unseen",
    tabindex: -1,
    accept: ".json,application/json",
    "aria-label": "A decisions file",
    onchange: async () => {
      const [file] = input.files;
      if (file) await session.load(file);
      input.value = "";
    },
  });
  return input;
}

// The buttons of a session: undo, redo, `more`, the keys and how far the review is at the left, files and `tables` at the right.
export function addSessionButtons(choices, session, more, tables) {
  const large = (words, act, id, look = "quiet") => button(words, act, { class: look, id });
  const input = decisionsInput(session);
  const undo = large("Undo", () => choices.undo(), "undo");
  const redo = large("Redo", () => choices.redo(), "redo");
  const save = large("Save decisions", () => session.save(), "save", "button");
  const load = large("Load decisions", () => input.click(), "load");
  const keys = button("?", showKeys, { class: "quiet", "aria-label": "Keys of this page", title: "Keys of this page" });
  const progress = make("p.progress", { id: "progress" });
  find("toolbar").append(make("div.buttons", undo, redo, more, keys, progress), make("div.buttons", save, load, tables, input));
  choices.watch("decisions", () => {
    const { decided, all } = choices.progress;
    progress.hidden = !all;
    progress.replaceChildren(shareBar(all ? decided / all : 0), `${thousands(decided)} of ${thousands(all)} decided`);
    undo.disabled = !choices.history.past.length;
    redo.disabled = !choices.history.future.length;
  });
}

// How to relabel by the decisions: what to do and the command, or why there is none. The function that is returned shows the command
// if the decisions change anything, otherwise what to do first.
export function addRelabelling(what, words, command) {
  const how = make("div", make("p", command ? what : "", words), command ? commandElement(command, "relabel-command") : null);
  const first = make("p.muted");
  find("relabelling").append(how, first);
  return (isChanging, toDoFirst) => {
    how.hidden = Boolean(command) && !isChanging;
    first.hidden = !how.hidden;
    first.textContent = toDoFirst;
  };
}

// The note on all that the page is about; `noted` is the state of the decisions with another note.
export function addLogNote(choices, words, noted) {
  const note = noteField(words, "log note", (text) => choices.apply(noted(choices.state, text), "log note"));
  const show = button(words, () => note.show());
  find("log-note").append(show, note.element);
  choices.watch("decisions", () => {
    note.set(choices.state.note);
    show.hidden = !note.element.hidden;
  });
}
