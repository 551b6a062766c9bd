// Speed against quality: a mark for each method that has both. The dashed line joins those that no other beats in both.

const seconds = data.columns.findIndex((column) => column.kind === "seconds");
const qualities = [...data.columns.keys()].filter((place) => isShare(data.columns[place]));
const plot = { quality: qualities.includes(state.sort.column) ? state.sort.column : qualities[0], focus: null, marks: [] };
const EDGE = { left: 62, right: 24, top: 18, bottom: 52 };
let [WIDE, TALL] = [1000, 520]; // as many pixels as there is room for

function frontOf(points) { // from the fastest on, whoever is better than all that are faster
  let best = -Infinity;
  return [...points].sort((a, b) => a.seconds - b.seconds || b.quality - a.quality).filter((point) => {
    if (point.quality <= best) return false;
    best = point.quality;
    return true;
  });
}

function ticks(low, high) {
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((one) => (high - low) / one <= 8) ?? 0.5;
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9; n++) found.push(Number((n * step).toFixed(2)));
  return found;
}

function times(low, high) { // powers of ten; between close ones also 2 and 5 of them
  const between = high / low < 1000 ? [1, 2, 5] : [1];
  return decades(low / 10, high).flatMap((power) => between.map((times) => times * power)).filter((time) => time > low && time < high);
}

function tipOf(point) {
  const column = data.columns[plot.quality];
  return [make("b", {}, plain(point.row.method.name)), `${columnName(column)} ${point.quality.toFixed(3)} (${some(point.row.figures[plot.quality].logs, "log", "logs")})`, make("br"),
    `${shownSeconds(point.seconds)} (${some(point.row.figures[seconds].logs, "log", "logs")})`];
}

function spoken(point) {
  return `${point.row.method.name}: ${columnName(data.columns[plot.quality])} ${point.quality.toFixed(3)}, ${shownSeconds(point.seconds)}`;
}

function drawPlot() {
  const box = find("speed-box");
  const points = board.rows.filter((row) => row.figures[seconds] && row.figures[plot.quality])
    .map((row) => ({ row, seconds: row.figures[seconds].value, quality: row.figures[plot.quality].value }))
    .sort((a, b) => a.seconds - b.seconds || a.row.id - b.row.id);
  WIDE = Math.max(300, box.clientWidth - 2);
  TALL = Math.max(360, Math.min(560, WIDE * 0.52));
  plot.marks = points;
  plot.focus = null;
  if (!points.length) {
    box.replaceChildren(make("p", { class: "none" }, "No method that is shown has both seconds and this figure, on the logs that are chosen."));
    return;
  }
  const [fastest, slowest] = [points[0].seconds / 1.6, points.at(-1).seconds * 1.6];
  const x = logScale(fastest, slowest, EDGE.left, WIDE - EDGE.right);
  const values = points.map((point) => point.quality);
  const [low, high] = [Math.max(0, Math.min(...values) - 0.03), Math.min(1, Math.max(...values) + 0.03)];
  const y = (value) => TALL - EDGE.bottom - ((value - low) / (high - low)) * (TALL - EDGE.top - EDGE.bottom);
  const grid = [
    ...ticks(low, high).flatMap((tick) => [draw("line", { class: "grid", x1: EDGE.left, x2: WIDE - EDGE.right, y1: y(tick), y2: y(tick) }), draw("text", { x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(2))]),
    ...times(fastest, slowest).flatMap((tick) => [draw("line", { class: "grid", x1: x(tick), x2: x(tick), y1: EDGE.top, y2: TALL - EDGE.bottom }), draw("text", { x: x(tick), y: TALL - EDGE.bottom + 18, "text-anchor": "middle" }, shownSeconds(tick))]),
    draw("text", { class: "title", x: (EDGE.left + WIDE - EDGE.right) / 2, y: TALL - 8, "text-anchor": "middle" }, WIDE < 500 ? "seconds (left is faster)" : "seconds, logarithmic: the farther left, the faster"),
    draw("text", { class: "title", x: 16, y: (EDGE.top + TALL - EDGE.bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 16 ${(EDGE.top + TALL - EDGE.bottom) / 2})` }, columnName(data.columns[plot.quality])),
  ];
  const front = frontOf(points);
  const line = draw("path", { class: "front", d: front.map((point, i) => `${i ? `H${x(point.seconds)}V` : `M${x(point.seconds)},`}${y(point.quality)}`).join("") });
  const marks = points.map((point, place) => {
    const { colour, shape } = lookOf(point.row.method.family);
    return draw("path", { class: "mark-dot", "data-mark": place, d: shapePath(shape, x(point.seconds), y(point.quality), 6.5), fill: colour,
      onpointerenter: (event) => showTip(event.clientX, event.clientY, ...tipOf(point)), onpointerleave: hideTip, onclick: () => openMethod(point.row.id) });
  });
  const picture = draw("svg", { class: "speed-picture", width: WIDE, height: TALL, viewBox: `0 0 ${WIDE} ${TALL}`, role: "img", "aria-label": `Seconds and ${columnName(data.columns[plot.quality])} of ${some(points.length, "method", "methods")}` },
    grid, line, marks, namesOf(front, x, y));
  const stage = make("div", { class: "stage", tabindex: 0, role: "application", "aria-label": "Speed and quality: arrow keys go from method to method, Enter shows it log by log", onkeydown: plotKey, onblur: () => focusMark(null) }, picture);
  box.replaceChildren(stage, make("p", { class: "keys" }, "Choose a mark to see the method log by log. With the keyboard: ← and → from method to method, Enter to choose."));
}

function namesOf(front, x, y) { // names of those on the line, where they do not run into each other
  const large = 12;
  const taken = [];
  return [...front].reverse().flatMap((point) => {
    const width = widthOf(point.row.method.name, large, 600);
    const [px, py] = [x(point.seconds), y(point.quality)];
    const right = px + 12 + width < WIDE - EDGE.right;
    for (const shift of [-10, 16, -24, 30]) {
      const spot = { left: right ? px + 9 : px - 9 - width, right: right ? px + 9 + width : px - 9, top: py + shift - large, bottom: py + shift + 3 };
      if (spot.top < 0 || taken.some((other) => spot.left < other.right && other.left < spot.right && spot.top < other.bottom && other.top < spot.bottom)) continue;
      taken.push(spot);
      return [draw("text", { class: "named", x: spot.left, y: py + shift }, point.row.method.name)];
    }
    return [];
  });
}

function focusMark(place) {
  for (const mark of find("speed-box").querySelectorAll(".mark-dot")) mark.classList.toggle("focused", place !== null && Number(mark.dataset.mark) === place);
  plot.focus = place;
  hideTip();
  if (place === null) return;
  const frame = find("speed-box").querySelector(`[data-mark="${place}"]`).getBoundingClientRect();
  showTip(frame.left + frame.width / 2, frame.top + frame.height / 2, ...tipOf(plot.marks[place]));
  say(spoken(plot.marks[place]));
}

function plotKey(event) {
  const last = plot.marks.length - 1;
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
  if (event.key in steps) focusMark(plot.focus === null ? (steps[event.key] > 0 ? 0 : last) : Math.max(0, Math.min(last, plot.focus + steps[event.key])));
  else if (event.key === "Home") focusMark(0);
  else if (event.key === "End") focusMark(last);
  else if (event.key === "Enter" && plot.focus !== null) openMethod(plot.marks[plot.focus].row.id);
  else return;
  event.preventDefault();
}

function openMethod(id) {
  hideTip();
  state.open.add(id);
  drawTable();
  const button = find("board").querySelector(`[data-method="${id}"]`);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  button.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
  button.focus({ preventScroll: true });
}

function startPlot() {
  if (seconds < 0 || !qualities.length) {
    find("speed-guide").textContent = seconds < 0
      ? "This needs results of the efficiency benchmark too: actalike benchmark efficiency, then give its folder as well."
      : "This needs results of a benchmark of quality too: actalike benchmark intrinsic or prediction, then give its folder as well.";
    find("speed-controls").remove();
    find("speed-box").remove();
    return;
  }
  find("speed-guide").textContent = "Up is better, left is faster. The dashed line joins the methods that no other one beats in both. Seconds are means over those of the chosen logs that were timed, so the two figures of a method may be of different logs.";
  const select = make("select", { id: "quality", onchange: () => {
    plot.quality = Number(select.value);
    drawPlot();
  } }, qualities.map((place) => make("option", { value: place, selected: place === plot.quality }, columnName(data.columns[place]))));
  find("speed-controls").replaceChildren(make("label", {}, "Quality is", select));
  watch(drawPlot);
  addEventListener("resize", () => {
    if (Math.max(300, find("speed-box").clientWidth - 2) !== WIDE) drawPlot();
  });
}
