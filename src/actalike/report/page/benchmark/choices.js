// What the reader has chosen (logs, families, windows, a part of a name, an order), and the rows of the table that follow.

import { isBetter, isShare } from "./data.js";

export class Choices {
  constructor(data) {
    this.data = data;
    this.watchers = [];
    this.logs = new Set(data.logs.keys());
    this.families = new Set(data.families);
    this.windows = new Set(data.windows);
    this.query = "";
    this.defaultColumn = Math.max(
      0,
      data.columns.findIndex((column) => column.title === "I_nn"),
    );
    this.sort = { column: this.defaultColumn, down: true }; // column null: by name
    this.open = new Set(); // methods that are shown log by log
    this.compute();
  }

  watch(act) {
    this.watchers.push(act);
  }

  changed() {
    this.compute();
    for (const act of this.watchers) act();
  }

  // Choose these things, and no others, of a set such as `logs`.
  choose(chosen, things) {
    chosen.clear();
    for (const thing of things) chosen.add(thing);
    this.changed();
  }

  // The same column again turns the order round.
  sortBy(column) {
    this.sort = { column, down: this.sort.column === column ? !this.sort.down : true };
    this.changed();
  }

  isShown({ family, window, name }) {
    const query = this.query.trim().toLowerCase();
    return this.families.has(family) && this.windows.has(window) && name.toLowerCase().includes(query);
  }

  // `rows`: the methods that are shown, in order; `chosenLogs`; for each column the largest number of logs of a mean
  // (`mostLogs`) and the best three (`places`: method -> 1, 2 or 3).
  compute() {
    const { methods, columns } = this.data;
    this.chosenLogs = [...this.logs].sort((a, b) => a - b);
    this.rows = methods
      .map((method, id) => ({ id, method }))
      .filter(({ method }) => this.isShown(method))
      .map((row) => ({ ...row, figures: columns.map((column) => this.data.mean(column, row.id, this.chosenLogs)) }))
      .filter(({ figures }) => figures.some((figure) => figure !== null))
      .sort((a, b) => this.order(a, b));
    this.mostLogs = columns.map((_, place) => Math.max(0, ...this.rows.map((row) => row.figures[place]?.logs ?? 0)));
    this.places = columns.map((column, place) => bestThree(column, place, this.rows, this.mostLogs[place]));
  }

  order(a, b) {
    const { column, down } = this.sort;
    const sign = down ? 1 : -1;
    const byName = a.id - b.id;
    if (column === null) return sign * byName;
    const [first, second] = [a.figures[column], b.figures[column]];
    if (!first || !second) return (first ? 0 : 1) - (second ? 0 : 1) || byName; // a method without a figure is last, either way
    const worse = isShare(this.data.columns[column]) ? second.value - first.value : first.value - second.value;
    return sign * worse || byName;
  }
}

// The best three of a column, if more is better there. Equal figures share a place. Means over fewer logs than others have none: they do not compare.
function bestThree(column, place, rows, mostLogs) {
  const complete = rows.filter((row) => row.figures[place]?.logs === mostLogs);
  const places = new Map();
  if (!column.ranked || complete.length < 2) return places;
  for (const row of complete) {
    const better = complete.filter((other) => isBetter(column, other.figures[place].value, row.figures[place].value)).length;
    if (better < 3) places.set(row.id, better + 1);
  }
  return places;
}
