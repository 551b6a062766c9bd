// The benchmark page, put together: the headline, the filters, the table, the plot and the notes.

import { find, foreignText, make, pageData } from "../shared/dom.js";
import { counted } from "../shared/texts.js";
import { onThemeChange } from "../shared/theme.js";
import { BenchmarkData, Choices, columnName, figureText } from "./data.js";
import { startFilters } from "./filters.js";
import { startPlot } from "./plot.js";
import { repaintSwatches, showTable } from "./table.js";

const data = new BenchmarkData(pageData());
const choices = new Choices(data);
const page = { data, choices };

function showAnswer() {
  const place = choices.sort.column ?? choices.defaultColumn;
  const column = data.columns[place];
  const best = choices.rows.filter((row) => choices.places[place].get(row.id) === 1);
  if (!best.length) {
    find("answer-title").textContent = "Methods compared";
    find("answer-lead").textContent = "";
    return;
  }
  const others = best.length > 1 ? ` and ${counted(best.length - 1, "other", "others")} are` : " is";
  find("answer-title").replaceChildren(foreignText(best[0].method.name), `${others} best at ${columnName(column)}`);
  const { value, logs } = best[0].figures[place];
  find("answer-lead").textContent = `${figureText(column, value)} over ${counted(logs, "log", "logs")}: ${column.about}.`;
}

find("bar-title").textContent = data.title;
find("answer-size").textContent =
  `${data.title}: ${counted(data.methods.length, "method", "methods")}, ${counted(data.logs.length, "log", "logs")}`;
find("made").textContent = "Made by actalike benchmark report. Everything is in this file; nothing is sent anywhere.";
find("note-list").replaceChildren(...[...data.plans, ...data.gaps].map((text) => make("li", make("bdi", text))));
choices.watch(showAnswer);
choices.watch(() => showTable(page));
startPlot(page);
startFilters(page);
choices.changed();
onThemeChange(() => {
  repaintSwatches(data, find("filters"));
  choices.changed();
});
document.documentElement.dataset.ready = "";
