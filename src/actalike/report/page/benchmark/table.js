// The table: a row for each method, a column for each figure.

import { button, find, foreignText, say, theme } from "../shared/dom.js";
import { counted } from "../shared/texts.js";
import { html, render } from "../vendor/preact.js";
import { columnName, figureText, isBetter, isShare, ordinal, shareText } from "./data.js";

const PLACE_SIGNS = ["", "¹", "²", "³"];
const PLACE_WORDS = ["", "best", "second", "third"];
const BAR = 74; // its width

function sortBy({ data, choices }, column) {
  choices.sortBy(column);
  const { down } = choices.sort;
  if (column === null) say(`Sorted by name, from the ${down ? "first" : "last"}.`);
  else say(`Sorted by ${columnName(data.columns[column])}, ${down ? "best" : "worst"} first.`);
}

function heading(page, text, column, about) {
  const { data, choices } = page;
  const sorted = choices.sort.column === column;
  const rising = sorted && choices.sort.down === (column === null || !isShare(data.columns[column]));
  return html`
    <th scope="col" aria-sort=${sorted ? (rising ? "ascending" : "descending") : null}>
      <button type="button" class="sort" data-sort=${String(column)} title=${about} onclick=${() => sortBy(page, column)}>
        ${text}<span class="sort-mark" aria-hidden="true">${sorted ? (rising ? " ↑" : " ↓") : " "}</span>
      </button>
    </th>
  `;
}

// A heading over the columns of each benchmark.
function benchmarkHeadings(columns) {
  const spans = [];
  for (const column of columns) {
    if (spans.at(-1)?.name === column.of) spans.at(-1).columns++;
    else spans.push({ name: column.of, columns: 1 });
  }
  return html`<tr><th />${spans.map(({ name, columns: wide }) => html`<th scope="colgroup" colspan=${wide}>${name}</th>`)}</tr>`;
}

function bar(figure, scale) {
  const at = (value) => Math.max(0, Math.min(1, scale(value))) * BAR;
  const interval = (low, high) => html`
    <line class="bar-interval" x1=${low} x2=${high} y1="7" y2="7" />
    ${[low, high].map((x) => html`<line class="bar-end" x1=${x} x2=${x} y1="4" y2="10" />`)}
  `;
  return html`
    <svg class="bar-picture" viewBox=${`0 0 ${BAR} 14`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-track" width=${BAR} height="8" y="3" rx="2" />
      <rect class="bar-fill" width=${at(figure.value)} height="8" y="3" rx="2" />
      ${figure.interval && interval(...figure.interval.map(at))}
    </svg>
  `;
}

// The length of bars, from 0 to 1: shares as they are, seconds and bytes by their logarithm.
function barScale(rows, column, place) {
  if (isShare(column)) return (value) => value;
  const values = rows.map((row) => row.figures[place]?.value).filter((value) => value !== undefined);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => 0.04 + 0.96 * (high > low ? Math.log(value / low) / Math.log(high / low) : 1);
}

function cell({ choices }, row, column, place, scale) {
  const figure = row.figures[place];
  if (!figure) return html`<td class="absent">–</td>`;
  const rank = choices.places[place].get(row.id) ?? 0;
  const isOnFewerLogs = figure.logs < choices.mostLogs[place];
  const remarks = [
    `${columnName(column)}: ${figureText(column, figure.value)}, mean over ${counted(figure.logs, "log", "logs")}`,
  ];
  if (figure.interval) remarks.push(`95 % interval ${figure.interval.map(shareText).join(" to ")} (logs resampled)`);
  if (rank) remarks.push(`${PLACE_WORDS[rank]} of those shown`);
  if (isOnFewerLogs) remarks.push(`on fewer logs than the ${choices.mostLogs[place]} of others, so it does not compare`);
  return html`
    <td title=${remarks.join("; ")}>
      <span class="figure">
        <b class=${rank === 1 ? "first" : null}>
          ${figureText(column, figure.value)}
          ${rank > 0 && html`<sup>${PLACE_SIGNS[rank]}<span class="unseen">${PLACE_WORDS[rank]}</span></sup>`}
          ${isOnFewerLogs && html`<sup>†</sup>`}
        </b>
        ${bar(figure, scale)}
      </span>
    </td>
  `;
}

function methodRows(page, row, scales) {
  const { data, choices } = page;
  const isOpen = choices.open.has(row.id);
  const toggle = () => {
    if (isOpen) choices.open.delete(row.id);
    else choices.open.add(row.id);
    showTable(page);
  };
  return html`
    <tr class=${isOpen ? "open" : null} key=${row.id}>
      <th scope="row">
        <button type="button" class="method" data-method=${row.id} aria-expanded=${String(isOpen)} onclick=${toggle}>
          <span class="turn" aria-hidden="true">${isOpen ? "▾" : "▸"}</span>
          ${swatch(data, row.method.family)}${foreignText(row.method.name)}
        </button>
      </th>
      ${data.columns.map((column, place) => cell(page, row, column, place, scales[place]))}
    </tr>
    ${isOpen && detailsRow(page, row)}
  `;
}

// What is shown, in words, and what the signs mean.
function showRemarks({ data, choices }) {
  const { rows, logs, chosenLogs, mostLogs } = choices;
  const which =
    logs.size === 1 ? html`on ${foreignText(data.logs[chosenLogs[0]].name)}` : `${counted(logs.size, "log", "logs")} chosen`;
  const none = "Nothing to show: choose a log, a family and a window, or clear the search.";
  render(rows.length ? html`${counted(rows.length, "method", "methods")}, ${which}` : none, find("shown"));
  const anyOnFewerLogs = rows.some((row) => row.figures.some((figure, place) => figure && figure.logs < mostLogs[place]));
  const remarks = [
    `¹ ² ³: the best three of those shown${anyOnFewerLogs ? "; †: on fewer logs than others, so the mean does not compare and has no place among the best" : ""}.`,
  ];
  if (!data.columns.every(isShare))
    remarks.push("Seconds and memory are geometric means, their bars are logarithmic: shorter is better.");
  find("marks").textContent = remarks.join(" ");
}

export function showTable(page) {
  const { data, choices } = page;
  const scales = data.columns.map((column, place) => barScale(choices.rows, column, place));
  const view = html`
    <table>
      <caption class="unseen">Methods and their means over the chosen logs</caption>
      <thead>
        ${benchmarkHeadings(data.columns)}
        <tr>
          ${heading(page, "method", null, "Sort by name")}
          ${data.columns.map((column, place) => heading(page, column.title, place, column.about))}
        </tr>
      </thead>
      <tbody>${choices.rows.map((row) => methodRows(page, row, scales))}</tbody>
    </table>
  `;
  render(view, find("board"));
  find("board").hidden = !choices.rows.length;
  showRemarks(page);
}

// --- One method, log by log: its figures, and its place among the methods that are shown.

function placeOn(rows, column, log, id) {
  const values = rows.map((row) => column.values[row.id][log]).filter((value) => value !== null);
  const better = values.filter((value) => isBetter(column, value, column.values[id][log])).length;
  return { place: better + 1, methods: values.length };
}

function detailCell({ data, choices }, column, log, id) {
  const value = column.values[id][log];
  if (value === null) {
    const failure = data.failure(column, id, log);
    return html`<td class="absent" title=${failure?.error}>${failure ? "failed" : "–"}</td>`;
  }
  const { place, methods } = placeOn(choices.rows, column, log, id);
  return html`
    <td>
      <span class=${place === 1 && methods > 1 ? "best" : null}>${figureText(column, value)}</span>${" "}
      ${methods > 1 && html`<span class="place">${ordinal(place)} of ${methods}</span>`}
    </td>
  `;
}

function detailsRow(page, { id, method }) {
  const { data, choices } = page;
  const hasFigure = (log) => data.columns.some((column) => column.values[id][log] !== null);
  const hasFailed = (log) => data.failures.some((failure) => failure.method === id && failure.log === log);
  const logs = choices.chosenLogs.filter((log) => hasFigure(log) || hasFailed(log));
  const only = { class: "only", title: "Show this log alone in the table" };
  const row = (log) => html`
    <tr>
      <th scope="row">${button(foreignText(data.logs[log].name), () => choices.choose(choices.logs, [log]), only)}</th>
      ${data.columns.map((column) => detailCell(page, column, log, id))}
    </tr>
  `;
  return html`
    <tr class="details" key=${`details ${id}`}>
      <td colspan=${data.columns.length + 1}>
        <div class="details-in">
          <h3>${foreignText(method.name)}, log by log</h3>
          <p class="muted small">The place is the one among the methods shown. Choose a log to see the table of that log alone.</p>
          <div class="scroll" tabindex="0" role="region" aria-label="Figures log by log">
            <table>
              <thead>
                <tr><th scope="col">log</th>${data.columns.map((column) => html`<th scope="col" title=${column.about}>${columnName(column)}</th>`)}</tr>
              </thead>
              <tbody>${logs.map(row)}</tbody>
            </table>
          </div>
        </div>
      </td>
    </tr>
  `;
}

// --- The look of a family of methods: a colour and a shape. Either alone tells families apart.

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "down"];

function lookOf({ families, palette }, family) {
  const place = families.indexOf(family);
  const colours = palette[theme.isDark ? "dark" : "light"];
  return { colour: colours[place % colours.length], shape: SHAPES[place % SHAPES.length] };
}

function shapePath(shape, x, y, r) {
  return {
    circle: `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    square: `M${x - r * 0.88},${y - r * 0.88}h${r * 1.76}v${r * 1.76}h${-r * 1.76}z`,
    triangle: `M${x},${y - r * 1.15}L${x + r * 1.1},${y + r * 0.8}H${x - r * 1.1}z`,
    down: `M${x},${y + r * 1.15}L${x + r * 1.1},${y - r * 0.8}H${x - r * 1.1}z`,
    diamond: `M${x},${y - r * 1.25}L${x + r * 1.25},${y}L${x},${y + r * 1.25}L${x - r * 1.25},${y}z`,
    cross: `M${x - r * 0.4},${y - r * 1.1}h${r * 0.8}v${r * 0.7}h${r * 0.7}v${r * 0.8}h${-r * 0.7}v${r * 0.7}h${-r * 0.8}v${-r * 0.7}h${-r * 0.7}v${-r * 0.8}h${r * 0.7}z`,
  }[shape];
}

export function swatch(data, family) {
  const { colour, shape } = lookOf(data, family);
  const mark = html`<path d=${shapePath(shape, 0, 0, 4.4)} fill=${colour} data-family=${String(family)} />`;
  return html`<svg class="swatch" viewBox="-6 -6 12 12" aria-hidden="true">${mark}</svg>`;
}
