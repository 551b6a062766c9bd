// The figures of a benchmark page (report/leaderboard_data.py), and their means over the logs that are chosen.

import { Sent, untyped } from "../shared/dom.js";
import { unpack } from "../shared/packing.js";
import { thousands } from "../shared/texts.js";

/** @type {new (packed: any) => any} */
const SentResults = untyped(Sent);

export class BenchmarkData extends SentResults {
  constructor(packed) {
    super(packed);
    this.families = [...new Set(packed.methods.map((method) => method.family))];
    this.windows = [...new Set(packed.methods.map((method) => method.window))].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
    this.unpackedDraws = new Map();
  }

  // The same draws of n logs as in the tables of the command line, row by row.
  drawsOf(n) {
    if (!this.unpackedDraws.has(n)) this.unpackedDraws.set(n, unpack(this.draws[n], n > 256 ? Uint16Array : Uint8Array));
    return this.unpackedDraws.get(n);
  }

  // The mean of a method over some logs, or null: arithmetic with an interval for shares, geometric for seconds and bytes.
  mean(column, method, logs) {
    const values = logs.map((log) => column.values[method][log]).filter((value) => value !== null);
    if (!values.length) return null;
    if (isShare(column)) {
      const sum = values.reduce((total, value) => total + value, 0);
      return { value: sum / values.length, logs: values.length, interval: this.interval(values) };
    }
    const least = column.kind === "bytes" ? 1 : 1e-9;
    const sum = values.reduce((total, value) => total + Math.log(Math.max(value, least)), 0);
    return { value: Math.exp(sum / values.length), logs: values.length, interval: null };
  }

  // The 95 % interval of a mean: the logs are resampled.
  interval(values) {
    const n = values.length;
    if (n < 2) return null;
    const draws = this.drawsOf(n);
    const means = new Float64Array(draws.length / n);
    for (let row = 0; row < means.length; row++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += values[draws[row * n + i]];
      means[row] = sum / n;
    }
    means.sort();
    return [quantile(means, 0.025), quantile(means, 0.975)];
  }

  failure(column, method, log) {
    return this.failures.find(
      (failure) => failure.method === method && failure.log === log && failure.of === benchmarkOf(column),
    );
  }
}

export function quantile(sorted, share) {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

export const isShare = (column) => column.kind === "share";

// Whether a figure is better than another, by more than the error of its sum.
export const isBetter = (column, a, b) => (isShare(column) ? a > b : a < b) && Math.abs(a - b) > 1e-12;

const benchmarkOf = (column) => ({ Intrinsic: "intrinsic", "Next activity": "prediction", Speed: "efficiency" })[column.of];

export const columnName = (column) => (column.of === "Next activity" ? `Next activity, ${column.title}` : column.title);

// --- What the reader has chosen (logs, families, windows, a part of a name, an order), and the rows of the table that follow.

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

// --- Figures as text.

export function secondsText(value) {
  if (value >= 100) return `${thousands(Math.round(value))} s`;
  if (value >= 1) return `${value.toFixed(1)} s`;
  if (value >= 0.001) return `${digits(value * 1000, value >= 0.1 ? 3 : 2)} ms`;
  return `${digits(value * 1e6, 2)} µs`;
}

// So many digits that count, and no powers of ten: 550, 5.5, 0.055.
const digits = (value, n) => (value >= 10 ** (n - 1) ? String(Number(value.toPrecision(n))) : value.toPrecision(n));

export function bytesText(value) {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e7 ? 0 : 1)} MB`;
  return value >= 1e3 ? `${Math.round(value / 1e3)} kB` : `${Math.round(value)} B`;
}

export const shareText = (value) => value.toFixed(3);

export const figureText = (column, value) => ({ share: shareText, seconds: secondsText, bytes: bytesText })[column.kind](value);

export function ordinal(n) {
  const isTeen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(isTeen ? null : ["th", "st", "nd", "rd"][n % 10]) ?? "th"}`;
}
