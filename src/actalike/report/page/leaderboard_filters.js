// What the reader has chosen: logs, families, windows, a part of a name, an order; and the means that follow.

const state = {
  logs: new Set(data.logs.keys()),
  families: new Set(families),
  windows: new Set(windows),
  query: "",
  sort: { column: startColumn(), down: true }, // null: by name
  open: new Set(), // methods that are shown log by log
};

function startColumn() {
  const found = data.columns.findIndex((column) => column.title === "I_nn");
  return found >= 0 ? found : 0;
}

const watchers = [];
const watch = (act) => watchers.push(act);
let board = null;

function changed() {
  board = compute();
  for (const act of watchers) act();
}

function compute() { // the figures of the methods that are shown, best first
  const logs = [...state.logs].sort((a, b) => a - b);
  const query = state.query.trim().toLowerCase();
  const rows = [];
  data.methods.forEach((method, id) => {
    if (!state.families.has(method.family) || !state.windows.has(method.window) || !method.name.toLowerCase().includes(query)) return;
    const figures = data.columns.map((column) => meanOf(column, id, logs));
    if (figures.some((figure) => figure !== null)) rows.push({ id, method, figures });
  });
  const { column, down } = state.sort;
  const sign = down ? 1 : -1;
  const byName = (a, b) => a.id - b.id;
  if (column === null) rows.sort((a, b) => sign * byName(a, b));
  else {
    rows.sort((a, b) => {
      const [one, other] = [a.figures[column], b.figures[column]];
      if (!one || !other) return (one ? 0 : 1) - (other ? 0 : 1) || byName(a, b); // what has no figure is last, either way
      const order = isShare(data.columns[column]) ? other.value - one.value : one.value - other.value;
      return sign * order || byName(a, b);
    });
  }
  const most = data.columns.map((_, place) => Math.max(0, ...rows.map((row) => row.figures[place]?.logs ?? 0)));
  return { rows, logs, most, places: data.columns.map((column, place) => placesOf(column, place, rows, most[place])) };
}

// the best three; equal figures share a place, and means over fewer logs than others have none, as they do not compare
function placesOf(column, place, rows, most) {
  const whole = rows.filter((row) => row.figures[place]?.logs === most);
  const places = new Map();
  if (whole.length < 2) return places;
  for (const row of whole) {
    const value = row.figures[place].value;
    const before = whole.filter((other) => better(column, other.figures[place].value, value) && Math.abs(other.figures[place].value - value) > 1e-12).length;
    if (before < 3) places.set(row.id, before + 1);
  }
  return places;
}

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "down"];
const COLOURS = {
  light: ["#0072b2", "#c25400", "#00855f", "#b0457f", "#9a6a00", "#6b4fb3", "#b3202c", "#137f8f", "#64741c", "#7a5037"],
  dark: ["#5ab4e8", "#ff9a52", "#3fd0a4", "#f0a0cb", "#f0c14b", "#b79df2", "#ff8a8f", "#6fd6e3", "#c0d36a", "#d2a98a"],
};

function lookOf(family) { // a colour and a shape: either alone would do
  const place = families.indexOf(family);
  const colours = COLOURS[isDark() ? "dark" : "light"];
  return { colour: colours[place % colours.length], shape: SHAPES[place % SHAPES.length] };
}

function shapePath(shape, x, y, size) {
  const r = size;
  return {
    circle: `M${x - r},${y}a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0z`,
    square: `M${x - r * 0.88},${y - r * 0.88}h${r * 1.76}v${r * 1.76}h${-r * 1.76}z`,
    triangle: `M${x},${y - r * 1.15}L${x + r * 1.1},${y + r * 0.8}H${x - r * 1.1}z`,
    down: `M${x},${y + r * 1.15}L${x + r * 1.1},${y - r * 0.8}H${x - r * 1.1}z`,
    diamond: `M${x},${y - r * 1.25}L${x + r * 1.25},${y}L${x},${y + r * 1.25}L${x - r * 1.25},${y}z`,
    cross: `M${x - r * 0.4},${y - r * 1.1}h${r * 0.8}v${r * 0.7}h${r * 0.7}v${r * 0.8}h${-r * 0.7}v${r * 0.7}h${-r * 0.8}v${-r * 0.7}h${-r * 0.7}v${-r * 0.8}h${r * 0.7}z`,
  }[shape];
}

function swatch(family) {
  const { colour, shape } = lookOf(family);
  return draw("svg", { class: "swatch", viewBox: "-6 -6 12 12", "aria-hidden": "true" }, draw("path", { d: shapePath(shape, 0, 0, 4.4), fill: colour, "data-family": family }));
}

// a folded list of things to choose, with what is chosen of it in its heading; on a narrow page it starts closed
function filter(name, chosen, choose, things, list, quick = []) {
  const count = make("span", { class: "muted" });
  watch(() => { count.textContent = chosen().size === things.length ? `all ${things.length}` : `${chosen().size} of ${things.length}`; });
  const button = (text, wanted) => make("button", { type: "button", class: "quiet small", onclick: () => choose(wanted) }, text);
  return make("details", { class: "filter", id: `filter-${name.toLowerCase()}` },
    make("summary", {}, make("b", {}, name), " ", count),
    list(make("div", { class: "buttons" }, button("All", things), button("None", []), quick.map(([text, wanted]) => button(text, wanted)))));
}

function boxesOf(things, chosen) { // tick boxes, and how to tick just some of them
  const boxes = things.map((thing) => make("input", { type: "checkbox", checked: true, onchange: (event) => {
    if (event.target.checked) chosen.add(thing);
    else chosen.delete(thing);
    changed();
  } }));
  const choose = (wanted) => {
    chosen.clear();
    for (const thing of wanted) chosen.add(thing);
    things.forEach((thing, place) => { boxes[place].checked = chosen.has(thing); });
    changed();
  };
  return { boxes, choose };
}

function chips(name, things, chosen, show) {
  const { boxes, choose } = boxesOf(things, chosen);
  const list = (buttons) => make("div", { class: "chips", role: "group", "aria-label": name }, buttons, things.map((thing, place) => make("label", { class: "chip" }, boxes[place], show(thing))));
  return filter(name, () => chosen, choose, things, list);
}

const allLogs = [...data.logs.keys()];
const { boxes: logBoxes, choose: chooseLogs } = boxesOf(allLogs, state.logs);

function logFilter() {
  const complex = allLogs.filter((log) => data.logs[log].complex);
  const list = (buttons) => [buttons, make("div", { class: "log-list", role: "group", "aria-label": "Logs" }, data.logs.map((log, place) => make("label", {}, logBoxes[place], plain(log.name),
    log.activities ? make("span", { class: "count" }, some(log.activities, "activity", "activities")) : null)))];
  return filter("Logs", () => state.logs, chooseLogs, allLogs, list, complex.length && complex.length < allLogs.length ? [["Complex ones", complex]] : []);
}

function startFilters() {
  const parts = [];
  if (families.length > 1) parts.push(chips("Family", families, state.families, (family) => [swatch(family), plain(family)]));
  if (windows.length > 1) parts.push(chips("Window", windows, state.windows, (window) => (window === null ? "none" : String(window))));
  if (innerWidth >= 720) for (const part of parts) part.open = true;
  find("filters").replaceChildren(...parts, logFilter());
}

find("search").addEventListener("input", (event) => {
  state.query = event.target.value;
  changed();
});
