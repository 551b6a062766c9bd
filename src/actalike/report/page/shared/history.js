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
