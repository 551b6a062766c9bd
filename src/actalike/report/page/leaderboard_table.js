// The table: a row for each method, a column for each figure.

function sortBy(column) { // the same again turns it round
  state.sort = { column, down: state.sort.column === column ? !state.sort.down : true };
  changed();
  const button = find("board").querySelector(`[data-sort="${column}"]`);
  button?.focus();
  const order = state.sort.down ? (column === null ? "from the first" : "best first") : column === null ? "from the last" : "worst first";
  say(`Sorted by ${column === null ? "name" : columnName(data.columns[column])}, ${order}.`);
}

function heading(text, column, about) {
  const sorted = state.sort.column === column;
  const rising = sorted && state.sort.down === (column === null || !isShare(data.columns[column]));
  return make("th", { scope: "col", "aria-sort": sorted ? (rising ? "ascending" : "descending") : null },
    make("button", { type: "button", class: "sort", "data-sort": String(column), title: about, onclick: () => sortBy(column) },
      text, make("span", { class: "sort-mark", "aria-hidden": "true" }, sorted ? (rising ? " ↑" : " ↓") : " ")));
}

function groupHeadings() {
  const groups = [];
  for (const column of data.columns) {
    if (groups.at(-1)?.name === column.of) groups.at(-1).span++;
    else groups.push({ name: column.of, span: 1 });
  }
  return make("tr", {}, make("th", {}), groups.map((group) => make("th", { scope: "colgroup", colspan: group.span }, group.name)));
}

const PLACES = ["", "¹", "²", "³"];
const SPOKEN = ["", "best", "second", "third"];

function bar(column, figure, range) {
  const width = 74;
  const at = (value) => Math.max(0, Math.min(1, range(value))) * width;
  const parts = [draw("rect", { class: "bar-track", width, height: 8, y: 3, rx: 2 }), draw("rect", { class: "bar-fill", width: at(figure.value), height: 8, y: 3, rx: 2 })];
  if (figure.interval) {
    const [low, high] = figure.interval.map(at);
    parts.push(draw("line", { class: "bar-interval", x1: low, x2: high, y1: 7, y2: 7 }));
    for (const x of [low, high]) parts.push(draw("line", { class: "bar-end", x1: x, x2: x, y1: 4, y2: 10 }));
  }
  return draw("svg", { class: "bar-picture", viewBox: `0 0 ${width} 14`, preserveAspectRatio: "none", "aria-hidden": "true" }, parts);
}

function rangeOf(column, place) { // shares from 0 to 1; seconds and bytes by their logarithm, between the least and the most
  if (isShare(column)) return (value) => value;
  const values = board.rows.map((row) => row.figures[place]?.value).filter((value) => value !== undefined);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => 0.04 + 0.96 * (high > low ? Math.log(value / low) / Math.log(high / low) : 1);
}

function cell(row, column, place, range) {
  const figure = row.figures[place];
  if (!figure) return make("td", { class: "absent" }, "–");
  const rank = board.places[place].get(row.id) ?? 0;
  const fewer = figure.logs < board.most[place];
  const told = [`${columnName(column)}: ${shownFigure(column, figure.value)}, mean over ${some(figure.logs, "log", "logs")}`];
  if (figure.interval) told.push(`between ${figure.interval.map((end) => end.toFixed(3)).join(" and ")} if the logs were drawn anew`);
  if (rank) told.push(`${SPOKEN[rank]} of those shown`);
  if (fewer) told.push(`fewer logs than the ${board.most[place]} of others, so it does not compare`);
  return make("td", { title: told.join("; ") }, make("span", { class: "figure" },
    make("b", { class: rank === 1 ? "first" : null }, shownFigure(column, figure.value), rank ? make("sup", {}, PLACES[rank], make("span", { class: "unseen" }, SPOKEN[rank])) : null, fewer ? make("sup", {}, "†") : null),
    bar(column, figure, range)));
}

function toggle(id) {
  if (state.open.has(id)) state.open.delete(id);
  else state.open.add(id);
  drawTable();
  find("board").querySelector(`[data-method="${id}"]`)?.focus();
}

function drawTable() {
  const ranges = data.columns.map(rangeOf);
  const body = make("tbody", {}, board.rows.map((row) => {
    const open = state.open.has(row.id);
    const button = make("button", { type: "button", class: "method", "data-method": row.id, "aria-expanded": String(open), onclick: () => toggle(row.id) },
      make("span", { class: "turn", "aria-hidden": "true" }, open ? "▾" : "▸"), swatch(row.method.family), plain(row.method.name));
    const line = make("tr", { class: open ? "open" : null }, make("th", { scope: "row" }, button), data.columns.map((column, place) => cell(row, column, place, ranges[place])));
    return open ? [line, details(row)] : [line];
  }));
  const scrolled = [find("board").scrollLeft, find("board").scrollTop];
  find("board").replaceChildren(make("table", {},
    make("caption", { class: "unseen" }, "Methods and their means over the chosen logs"),
    make("thead", {}, groupHeadings(), make("tr", {}, heading("method", null, "Sort by name"), data.columns.map((column, place) => heading(column.title, place, column.about)))),
    body));
  [find("board").scrollLeft, find("board").scrollTop] = scrolled;
  const logs = state.logs.size === 1 ? ["on ", plain(data.logs[board.logs[0]].name)] : [`${some(state.logs.size, "log", "logs")} chosen`];
  find("shown").replaceChildren(...(board.rows.length ? [`${some(board.rows.length, "method", "methods")}, `, ...logs] : ["Nothing to show: choose a log, a family and a window, or clear the search."]));
  find("board").hidden = !board.rows.length;
  const fewer = board.rows.some((row) => row.figures.some((figure, place) => figure && figure.logs < board.most[place]));
  find("marks").textContent = `¹ ² ³: the best three of those shown${fewer ? "; †: on fewer logs than others, so the mean does not compare and has no place among the best" : ""}.` +
    (data.columns.some((column) => !isShare(column)) ? " Seconds and memory are geometric means, their bars logarithmic: shorter is better." : "");
}
