// One method, log by log: its figures, and its place among the methods that are shown.

function ordinal(n) {
  const ending = n % 100 > 10 && n % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][n % 10] ?? "th";
  return `${n}${ending}`;
}

function placeOn(column, log, id) { // among the methods shown that have a figure there
  const own = column.values[id][log];
  const others = board.rows.map((row) => column.values[row.id][log]).filter((value) => value !== null);
  return { place: 1 + others.filter((value) => better(column, value, own) && Math.abs(value - own) > 1e-12).length, of: others.length };
}

function detailCell(column, log, id) {
  const value = column.values[id][log];
  if (value === null) {
    const failed = data.failures.find((failure) => failure.method === id && failure.log === log && failure.of === benchmarkOf(column));
    return make("td", { class: "absent", title: failed?.error ?? null }, failed ? "failed" : "–");
  }
  const { place, of } = placeOn(column, log, id);
  return make("td", {}, make("span", { class: place === 1 && of > 1 ? "best" : null }, shownFigure(column, value)), " ", of > 1 ? make("span", { class: "place" }, `${ordinal(place)} of ${of}`) : null);
}

const benchmarkOf = (column) => ({ Intrinsic: "intrinsic", "Next activity": "prediction", Speed: "efficiency" })[column.of];

function details(row) {
  const logs = board.logs.filter((log) => data.columns.some((column) => column.values[row.id][log] !== null) || data.failures.some((failure) => failure.method === row.id && failure.log === log));
  const title = make("h3", {}, plain(row.method.name), ", log by log");
  const table = make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "log"), data.columns.map((column) => make("th", { scope: "col", title: column.about }, columnName(column))))),
    make("tbody", {}, logs.map((log) => make("tr", {},
      make("th", { scope: "row" }, make("button", { type: "button", class: "only", title: "Show this log alone in the table", onclick: () => chooseLogs([log]) }, plain(data.logs[log].name))),
      data.columns.map((column) => detailCell(column, log, row.id))))));
  return make("tr", { class: "details" }, make("td", { colspan: data.columns.length + 1 }, make("div", { class: "details-in" }, title,
    make("p", { class: "muted small" }, "The place is that among the methods shown. Choose a log to see the table of that log alone."),
    make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Figures log by log" }, table))));
}
