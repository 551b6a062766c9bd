// One method, log by log: its figures, and its place among the methods that are shown.

import { foreignText, make } from "../shared/dom.js";
import { columnName, isBetter } from "./data.js";
import { figureText, ordinal } from "./figures.js";

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

export function detailsRow(page, { id, method }) {
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
