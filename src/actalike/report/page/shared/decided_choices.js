// States that can be undone and redone.

export class History {
  constructor(state) {
    this.reset(state);
  }

  // Begin anew: there is nothing to undo.
  reset(state) {
    Object.assign(this, { present: state, past: [], future: [], key: null });
  }

  // Go on to another state. Changes with the same key in a row, such as the letters of a name, are undone together.
  push(state, key = null) {
    if (key === null || key !== this.key) this.past.push(this.present);
    Object.assign(this, { present: state, future: [], key });
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

// --- What the reader has decided, with undo and redo, and who wants to know of which change.

const PAUSE = 200; // milliseconds without a letter

export class DecidedChoices {
  // `kinds` are the changes that can be watched. "pictures" follows "decisions", as soon as nobody is typing: drawing everything at
  // each letter would be too slow.
  constructor(kinds, state) {
    Object.assign(this, {
      kinds: ["decisions", "pictures", "theme", "print", ...kinds],
      watchers: [],
      around: (act) => act(), // what is done around every change of the page
      history: new History(state),
    });
  }

  get state() {
    return this.history.present;
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
  apply(state, key = null) {
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
