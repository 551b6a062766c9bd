// The figures that the page shows, and what follows from them for the logs that are chosen.

const data = JSON.parse(document.getElementById("data").textContent);
const families = [...new Set(data.methods.map((method) => method.family))];
const windows = [...new Set(data.methods.map((method) => method.window))].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));

function unpacked(text, Numbers) {
  return new Numbers(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)).buffer);
}

const drawn = new Map();
function drawsOf(n) { // the same draws of n logs as in the tables of the command line
  if (!drawn.has(n)) drawn.set(n, unpacked(data.draws[n], n > 256 ? Uint16Array : Uint8Array));
  return drawn.get(n);
}

function quantile(sorted, share) {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

function interval(values) {
  const n = values.length;
  if (n < 2) return null;
  const draws = drawsOf(n);
  const means = new Float64Array(draws.length / n);
  for (let row = 0; row < means.length; row++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[draws[row * n + i]];
    means[row] = sum / n;
  }
  means.sort();
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

const isShare = (column) => column.kind === "share";

// the mean of a method over some logs: of shares, with their interval; of seconds and bytes the geometric one
function meanOf(column, method, logs) {
  const values = logs.map((log) => column.values[method][log]).filter((value) => value !== null);
  if (!values.length) return null;
  if (isShare(column)) return { value: values.reduce((a, b) => a + b, 0) / values.length, logs: values.length, interval: interval(values) };
  const sum = values.reduce((total, value) => total + Math.log(Math.max(value, column.kind === "bytes" ? 1 : 1e-9)), 0);
  return { value: Math.exp(sum / values.length), logs: values.length, interval: null };
}

const better = (column, a, b) => (isShare(column) ? a > b : a < b);

function shownSeconds(value) {
  if (value >= 100) return `${many(Math.round(value))} s`;
  if (value >= 1) return `${value.toFixed(1)} s`;
  if (value >= 0.001) return `${(value * 1000).toPrecision(value >= 0.1 ? 3 : 2)} ms`;
  return `${(value * 1e6).toPrecision(2)} µs`;
}

function shownBytes(value) {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(value >= 1e7 ? 0 : 1)} MB`;
  return value >= 1e3 ? `${Math.round(value / 1e3)} kB` : `${Math.round(value)} B`;
}

function shownFigure(column, value) {
  return { share: (share) => share.toFixed(3), seconds: shownSeconds, bytes: shownBytes }[column.kind](value);
}

const columnName = (column) => (column.of === "Next activity" ? `Next activity, ${column.title}` : column.title);
const plain = (text) => make("bdi", { class: "label" }, text);
