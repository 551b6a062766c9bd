// The table: a row for each method, a column for each figure.

import { draw, find, foreignText, make, say } from "../shared/dom.js";
import { counted } from "../shared/texts.js";
import { theme } from "../shared/theme.js";
import { columnName, figureText, isBetter, isShare, ordinal, shareText } from "./data.js";

const PLACE_SIGNS = ["", "¹", "²", "³"];
const PLACE_WORDS = ["", "best", "second", "third"];
const BAR = 74; // its width

function sortBy({ data, choices }, column) {
  choices.sortBy(column);
  find("board").querySelector(`[data-sort="${column}"]`)?.focus();
  const { down } = choices.sort;
  if (column === null) say(`Sorted by name, from the ${down ? "first" : "last"}.`);
  else say(`Sorted by ${columnName(data.columns[column])}, ${down ? "best" : "worst"} first.`);
}

function heading(page, text, column, about) {
  const { data, choices } = page;
  const sorted = choices.sort.column === column;
  const rising = sorted && choices.sort.down === (column === null || !isShare(data.columns[column]));
  return make(
    "th",
    { scope: "col", "aria-sort": sorted ? (rising ? "ascending" : "descending") : null },
    make(
      "button.sort",
      { "data-sort": String(column), title: about, onclick: () => sortBy(page, column) },
      text,
      make("span.sort-mark", { "aria-hidden": "true" }, sorted ? (rising ? " ↑" : " ↓") : " "),
    ),
  );
}

// A heading over the columns of each benchmark.
function benchmarkHeadings(columns) {
  const spans = [];
  for (const column of columns) {
    if (spans.at(-1)?.name === column.of) spans.at(-1).columns++;
    else spans.push({ name: column.of, columns: 1 });
  }
  return make(
    "tr",
    make("th"),
    spans.map((span) => make("th", { scope: "colgroup", colspan: span.columns }, span.name)),
  );
}

function bar(figure, scale) {
  const at = (value) => Math.max(0, Math.min(1, scale(value))) * BAR;
  const parts = [
    draw("rect.bar-track", { width: BAR, height: 8, y: 3, rx: 2 }),
    draw("rect.bar-fill", { width: at(figure.value), height: 8, y: 3, rx: 2 }),
  ];
  if (figure.interval) {
    const [low, high] = figure.interval.map(at);
    parts.push(draw("line.bar-interval", { x1: low, x2: high, y1: 7, y2: 7 }));
    for (const x of [low, high]) parts.push(draw("line.bar-end", { x1: x, x2: x, y1: 4, y2: 10 }));
  }
  return draw("svg.bar-picture", { viewBox: `0 0 ${BAR} 14`, preserveAspectRatio: "none", "aria-hidden": "true" }, parts);
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
  if (!figure) return make("td.absent", "–");
  const rank = choices.places[place].get(row.id) ?? 0;
  const isOnFewerLogs = figure.logs < choices.mostLogs[place];
  const remarks = [
    `${columnName(column)}: ${figureText(column, figure.value)}, mean over ${counted(figure.logs, "log", "logs")}`,
  ];
  if (figure.interval) remarks.push(`95 % interval ${figure.interval.map(shareText).join(" to ")} (logs resampled)`);
  if (rank) remarks.push(`${PLACE_WORDS[rank]} of those shown`);
  if (isOnFewerLogs) remarks.push(`on fewer logs than the ${choices.mostLogs[place]} of others, so it does not compare`);
  return make(
    "td",
    { title: remarks.join("; ") },
    make(
      "span.figure",
      make(
        "b",
        { class: rank === 1 ? "first" : null },
        figureText(column, figure.value),
        rank ? make("sup", PLACE_SIGNS[rank], make("span.unseen", PLACE_WORDS[rank])) : null,
        isOnFewerLogs ? make("sup", "†") : null,
      ),
      bar(figure, scale),
    ),
  );
}

function methodRows(page, row, scales) {
  const { data, choices } = page;
  const isOpen = choices.open.has(row.id);
  const toggle = () => {
    if (isOpen) choices.open.delete(row.id);
    else choices.open.add(row.id);
    showTable(page);
    find("board").querySelector(`[data-method="${row.id}"]`)?.focus();
  };
  const button = make(
    "button.method",
    { "data-method": row.id, "aria-expanded": String(isOpen), onclick: toggle },
    make("span.turn", { "aria-hidden": "true" }, isOpen ? "▾" : "▸"),
    swatch(data, row.method.family),
    foreignText(row.method.name),
  );
  const line = make(
    "tr",
    { class: isOpen ? "open" : null },
    make("th", { scope: "row" }, button),
    data.columns.map((column, place) => cell(page, row, column, place, scales[place])),
  );
  return isOpen ? [line, detailsRow(page, row)] : [line];
}

// What is shown, in words, and what the signs mean.
function showRemarks({ data, choices }) {
  const { rows, logs, chosenLogs, mostLogs } = choices;
  const which =
    logs.size === 1 ? ["on ", foreignText(data.logs[chosenLogs[0]].name)] : [`${counted(logs.size, "log", "logs")} chosen`];
  find("shown").replaceChildren(
    ...(rows.length
      ? [`${counted(rows.length, "method", "methods")}, `, ...which]
      : ["Nothing to show: choose a log, a family and a window, or clear the search."]),
  );
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
  const board = find("board");
  const scales = data.columns.map((column, place) => barScale(choices.rows, column, place));
  const scrolled = [board.scrollLeft, board.scrollTop];
  board.replaceChildren(
    make(
      "table",
      make("caption.unseen", "Methods and their means over the chosen logs"),
      make(
        "thead",
        benchmarkHeadings(data.columns),
        make(
          "tr",
          heading(page, "method", null, "Sort by name"),
          data.columns.map((column, place) => heading(page, column.title, place, column.about)),
        ),
      ),
      make(
        "tbody",
        choices.rows.map((row) => methodRows(page, row, scales)),
      ),
    ),
  );
  [board.scrollLeft, board.scrollTop] = scrolled;
  board.hidden = !choices.rows.length;
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
    return make("td.absent", { title: failure?.error ?? null }, failure ? "failed" : "–");
  }
  const { place, methods } = placeOn(choices.rows, column, log, id);
  return make(
    "td",
    make("span", { class: place === 1 && methods > 1 ? "best" : null }, figureText(column, value)),
    " ",
    methods > 1 ? make("span.place", `${ordinal(place)} of ${methods}`) : null,
  );
}

function detailsRow(page, { id, method }) {
  const { data, choices } = page;
  const hasFigure = (log) => data.columns.some((column) => column.values[id][log] !== null);
  const hasFailed = (log) => data.failures.some((failure) => failure.method === id && failure.log === log);
  const logs = choices.chosenLogs.filter((log) => hasFigure(log) || hasFailed(log));
  const logButton = (log) =>
    make(
      "button.only",
      {
        title: "Show this log alone in the table",
        onclick: () => choices.choose(choices.logs, [log]),
      },
      foreignText(data.logs[log].name),
    );
  const table = make(
    "table",
    make(
      "thead",
      make(
        "tr",
        make("th", { scope: "col" }, "log"),
        data.columns.map((column) => make("th", { scope: "col", title: column.about }, columnName(column))),
      ),
    ),
    make(
      "tbody",
      logs.map((log) =>
        make(
          "tr",
          make("th", { scope: "row" }, logButton(log)),
          data.columns.map((column) => detailCell(page, column, log, id)),
        ),
      ),
    ),
  );
  return make(
    "tr.details",
    make(
      "td",
      { colspan: data.columns.length + 1 },
      make(
        "div.details-in",
        make("h3", foreignText(method.name), ", log by log"),
        make("p.muted.small", "The place is the one among the methods shown. Choose a log to see the table of that log alone."),
        make("div.scroll", { tabindex: 0, role: "region", "aria-label": "Figures log by log" }, table),
      ),
    ),
  );
}

// --- The look of a family of methods: a colour and a shape. Either alone tells families apart.

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "down"];

export function lookOf({ families, palette }, family) {
  const place = families.indexOf(family);
  const colours = palette[theme.isDark ? "dark" : "light"];
  return { colour: colours[place % colours.length], shape: SHAPES[place % SHAPES.length] };
}

export function shapePath(shape, x, y, r) {
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
  return draw(
    "svg.swatch",
    { viewBox: "-6 -6 12 12", "aria-hidden": "true" },
    draw("path", { d: shapePath(shape, 0, 0, 4.4), fill: colour, "data-family": family }),
  );
}

// After a change between light and dark.
export function repaintSwatches(data, box) {
  for (const path of box.querySelectorAll("[data-family]")) path.setAttribute("fill", lookOf(data, path.dataset.family).colour);
}
