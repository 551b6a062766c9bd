// What the reader has decided, with undo and redo, and who wants to know of which change.

import { render } from "../vendor/preact.js";
import { untyped } from "./dom.js";

// States that can be undone and redone.

export class History {
  constructor(state) {
    this.reset(state);
  }

  // Begin anew: there is nothing to undo.
  reset(state) {
    this.present = state;
    this.past = untyped([]);
    this.future = untyped([]);
    /** @type {string | null} */
    this.key = null;
  }

  // Go on to another state. Changes with the same key in a row, such as the letters of a name, are undone together.
  push(state, /** @type {string | null} */ key = null) {
    if (key === null || key !== this.key) this.past.push(this.present);
    this.present = state;
    this.future = [];
    this.key = key;
  }

  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return false;
    to.push(this.present);
    this.present = from.pop();
    this.key = null;
    return true;
  }
}

const PAUSE = 200; // milliseconds without a letter

export class DecidedChoices {
  // `kinds` are the changes that can be watched. "pictures" follows "decisions", as soon as nobody is typing: drawing everything at
  // each letter would be too slow.
  constructor(kinds, state) {
    this.kinds = ["decisions", "pictures", "theme", "print", "open", ...kinds];
    /** @type {{ kinds: string[], act: () => void }[]} */
    this.watchers = [];
    this.drawing = 0;
    /** @type {Set<string | number>} keys of what is unfolded */
    this.open = new Set();
    this.around = (act) => act(); // what is done around every change of the page
    this.history = new History(state);
  }

  get state() {
    return this.history.present;
  }

  // What follows from the decisions; a page says what that is.
  derive() {}

  // Shows what `view` makes in an element, now and after each of these changes.
  shows(kinds, element, view) {
    this.watch(kinds, () => render(view(), element));
  }

  unfold(key, isOpen = true) {
    if (isOpen) this.open.add(key);
    else this.open.delete(key);
    this.changed("open");
  }

  watch(kinds, act) {
    const unknown = kinds.split(" ").find((kind) => !this.kinds.includes(kind));
    if (unknown) throw new Error(`nothing changes as ${unknown}`);
    this.watchers.push({ kinds: kinds.split(" "), act });
  }

  changed(kind) {
    if (kind === "theme" || kind === "decisions") this.derive();
    this.around(() => {
      for (const { kinds, act } of this.watchers) if (kinds.includes(kind)) act();
    });
  }

  showAll() {
    for (const { act } of this.watchers) act();
  }

  // Starts what watches from now on, and shows it.
  showLater(start) {
    const before = this.watchers.length;
    start();
    for (const { act } of this.watchers.slice(before)) act();
  }

  // Go on to another state of the decisions, which can be undone; changes with the same key are undone together.
  apply(state, /** @type {string | null} */ key = null) {
    this.history.push(state, key);
    this.decisionsChanged(key === null ? 0 : PAUSE);
  }

  undo() {
    if (this.history.undo()) this.decisionsChanged();
  }

  redo() {
    if (this.history.redo()) this.decisionsChanged();
  }

  decisionsChanged(pause = 0) {
    this.changed("decisions");
    clearTimeout(this.drawing);
    if (pause) this.drawing = setTimeout(() => this.changed("pictures"), pause);
    else this.changed("pictures");
  }
}
