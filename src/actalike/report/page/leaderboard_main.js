// Put together: the headline, the parts, and what they watch.

function drawAnswer() {
  const column = state.sort.column ?? startColumn();
  const best = board.rows.filter((row) => board.places[column].get(row.id) === 1);
  const figure = best.length ? shownFigure(data.columns[column], best[0].figures[column].value) : null;
  find("answer-title").replaceChildren(...(best.length ? [plain(best[0].method.name), `${best.length > 1 ? ` and ${some(best.length - 1, "other", "others")} are` : " is"} best at ${columnName(data.columns[column])}`] : ["Methods compared"]));
  find("answer-lead").textContent = figure === null ? "" : `${figure} over ${some(best[0].figures[column].logs, "log", "logs")}: ${data.columns[column].about}.`;
}

find("bar-title").textContent = data.title;
find("answer-size").textContent = `${data.title}: ${some(data.methods.length, "method", "methods")}, ${some(data.logs.length, "log", "logs")}`;
find("made").textContent = "Made by actalike benchmark report. Everything is in this file; nothing is sent anywhere.";
find("note-list").replaceChildren(...[...data.plans, ...data.gaps].map((text) => make("li", {}, make("bdi", {}, text))));
startPlot();
watch(drawAnswer);
watch(drawTable);
startFilters();
changed();
dark.addEventListener("change", () => {
  for (const path of document.querySelectorAll("#filters [data-family]")) path.setAttribute("fill", lookOf(path.dataset.family).colour);
  changed();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    find("search").focus();
  }
});
document.documentElement.dataset.ready = "";
