// The flows of both logs over the common vocabulary, in one layout: what differs is coloured.

import { addArrowsSlider } from "../shared/controls.js";
import { draw, find, make } from "../shared/dom.js";
import { BOX, boxes, curve, freeSpot, frequentPart, head, layeredLayout } from "../shared/graph.js";
import { pictureButtons } from "../shared/pictures.js";
import { counted, percent, round1, thousands } from "../shared/texts.js";
import { soon } from "../shared/theme.js";
import { widthOf } from "../shared/widths.js";

const SHARE_AT_FIRST = 0.9; // of all steps that the arrows make up

const KINDS = {
  only: (log) => `only in log ${log.letter}`,
  more: (log) => `more often in log ${log.letter}`,
  less: () => "less often here",
  same: () => "in both alike",
};

export function startFlows(page) {
  const { choices, filter } = page;
  const whole = commonGraph(page);
  find("flow-guide").textContent =
    "Boxes are steps, arrows say how often one directly followed the other. Both pictures have the same places: a step that is accepted above is one box in both, with its label in log B below that of log A. Arrows in the colour of a log are only there, or at least 10 percentage points more of what follows.";
  addArrowsSlider(
    choices,
    whole,
    SHARE_AT_FIRST,
    (arrows) => `The ${arrows} of both logs together, and those that connect them with start and end.`,
  );
  filter.addTo("flow");
  choices.watch(
    "pictures arrows theme filter",
    soon(() => showFlows(page)),
  );
}

function showFlows(page) {
  const { data, choices, filter } = page;
  const whole = commonGraph(page, (side, i) => data.sides[side].cases[i] >= filter.leastCases);
  const part = frequentPart(whole, choices.arrows);
  const nodes = boxes(part.nodes);
  const layout = layeredLayout(nodes, part.edges);
  find("flows").replaceChildren(...data.sides.map((log) => flowFigure(page, log, nodes, part, layout)));
}

function flowFigure({ data }, log, nodes, { edges, share }, layout) {
  const picture = flowPicture(log, nodes, edges, layout, data.sides);
  const number = (kind) => edges.filter((edge) => edgeKind(edge, log.side) === kind).length;
  const name = `Flow of log ${log.letter}`;
  const caption = make(
    "figcaption",
    make(
      "span.flow-buttons",
      pictureButtons(data.title, name, () => picture),
    ),
    make("b", `Log ${log.letter}`),
    " ",
    make("bdi.label", log.title),
    `. Drawn: ${percent(share)} of the steps of both logs; ${counted(number("only"), "arrow is", "arrows are")} only here, ${thousands(number("more"))} more often here.`,
  );
  return make(
    "figure",
    { class: layout.width > 860 ? "flow large" : "flow" },
    caption,
    make("div.scroll", { tabindex: 0, role: "region", "aria-label": `${name}, can be scrolled` }, picture),
  );
}

// The picture of one log: places are those of the layout of both.
function flowPicture(log, nodes, edges, { items, paths, width, height }, sides) {
  const { side } = log;
  const perCase = (edge) => edge.counts[side] / log.facts.cases;
  const largest = Math.max(...edges.map(perCase), 1e-9);
  const picture = draw("svg", {
    viewBox: `-8 -4 ${Math.ceil(width + 40)} ${Math.ceil(height + 8)}`,
    width: Math.ceil(width + 48),
    height: Math.ceil(height + 8),
    role: "img",
    class: `flow-picture flow-${log.letter.toLowerCase()}`,
    "aria-label": `Flow of log ${log.letter}: ${counted(nodes.filter((node) => node.end || node.counts[side]).length - 2, "activity", "activities")} and ${counted(edges.filter((edge) => edge.counts[side]).length, "arrow", "arrows")}`,
  });
  const figures = draw("g");
  const taken = nodes.map((_, i) => {
    const { x, y, width: wide, height: tall } = items[i];
    return [x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2];
  });
  edges.forEach((edge, e) => {
    const kind = edgeKind(edge, side);
    if (kind === "none") return;
    const thick = 1 + 5 * Math.sqrt(perCase(edge) / largest);
    const title = draw("title", edgeWords(edge, nodes, kind, sides, side));
    const count = thousands(edge.counts[side]);
    if (!paths[e]) {
      const { x: middle, y, width: wide } = items[edge.from];
      const x = middle + wide / 2;
      const d = `M${round1(x)},${round1(y - 7)}c22,-8 22,22 3,15`;
      picture.append(
        draw("path", { class: `arrow ${kind}`, d, "stroke-width": round1(Math.min(thick, 3)) }, title),
        marked(head(x + 1, y + 8, Math.min(thick, 3), "left"), kind),
      );
      return;
    }
    const line = paths[e].map((point) => [...point]);
    const down = line.at(-1)[1] > line[0][1];
    const reach = 4 + thick;
    line.at(-1)[1] += down ? -reach : reach;
    picture.append(
      draw("path", { class: `arrow ${kind}${down ? "" : " back"}`, d: curve(line), "stroke-width": round1(thick) }, title),
      marked(head(line.at(-1)[0], line.at(-1)[1] + (down ? reach : -reach), thick, down ? "down" : "up"), kind),
    );
    const at = freeSpot(line, widthOf(count, 10), taken);
    if (at) figures.append(draw("text.arrow-count", { x: round1(at[0]), y: round1(at[1] + 3.5) }, count));
  });
  picture.append(...nodes.map((node, i) => box(node, items[i], side)), figures);
  picture.style.minWidth = `${Math.round((width + 48) * 0.62)}px`; // smaller cannot be read: then it scrolls
  return picture;
}

function marked(element, kind) {
  element.classList.add(kind);
  return element;
}

function edgeWords(edge, nodes, kind, sides, side) {
  const shares = sides.map(
    (log, k) => `log ${log.letter}: ${counted(edge.counts[k], "time", "times")}, ${percent(edge.shares[k])} of what follows`,
  );
  return `${nodes[edge.from].label} → ${nodes[edge.to].label} (${KINDS[kind](sides[side])}). ${shares.join("; ")}`;
}

function box(node, item, side) {
  const [x, y] = [round1(item.x - item.width / 2), round1(item.y - item.height / 2)];
  if (node.end)
    return draw(
      "g.flow-end",
      { "data-end": node.end },
      draw("rect", { x, y, width: item.width, height: item.height, rx: item.height / 2 }),
      draw("text", { x: round1(item.x), y: round1(item.y + 4) }, node.label),
    );
  const lineAt = (k) => round1(y + 17 + k * BOX.line);
  const isHere = node.counts[side] > 0;
  const isOnly = isHere && node.counts[1 - side] === 0;
  const below = node.lines.length + (node.secondLine ? 1 : 0);
  return draw(
    "g",
    { class: `flow-box${isHere ? "" : " absent"}${isOnly ? " only" : ""}` },
    draw("rect", { x, y, width: item.width, height: item.height, rx: 7 }),
    node.lines.map((line, k) => draw("text.flow-label", { x: round1(item.x), y: lineAt(k) }, line)),
    node.secondLine ? draw("text.flow-count", { x: round1(item.x), y: lineAt(node.lines.length) }, node.secondLine) : null,
    draw("text.flow-count", { x: round1(item.x), y: lineAt(below) }, isHere ? thousands(node.counts[side]) : "not in this log"),
    draw(
      "title",
      `${node.second ? `${node.label} = ${node.second}` : node.label}: ${counted(node.counts[side], "event", "events")}`,
    ),
  );
}

// --- What follows what in two logs, over their common vocabulary: one graph whose edges have a count in each log.

const DIFFERENT = 0.1; // how much the shares of what follows must differ to be told apart

// Nodes and edges, the most frequent first. A node is a step of both logs, or a label of one; two more are the start and the end of
// the case. `count` of an edge is how often it happens in a case, in both logs together; `counts` are those of each log.
export function commonGraph({ data, choices }, isShown = () => true) {
  const nodes = [];
  const nodeOf = data.sides.map((log) => new Array(log.size).fill(-1));
  const add = (members) => {
    const shown = members.some((some, side) => some.some((i) => isShown(side, i)));
    if (!shown) return;
    members.forEach((some, side) => {
      for (const i of some) nodeOf[side][i] = nodes.length;
    });
    nodes.push(node(data, members));
  };
  for (const step of choices.accepted) add([step.a, step.b]);
  data.sides.forEach(({ side }) => {
    const stepOf = choices.stepsOf(side);
    stepOf.forEach((step, i) => {
      if (step === null) add(side === 0 ? [[i], []] : [[], [i]]);
    });
  });
  tellApart(data, nodes);
  const edges = edgesOf(data, nodes, nodeOf);
  nodes.push({ label: "start", end: "start", position: -1 }, { label: "end", end: "end", position: 2 });
  return { nodes, edges, steps: edges.steps };
}

function node({ sides }, members) {
  const [a, b] = members;
  const main = a.length ? { log: sides[0], i: a[0] } : { log: sides[1], i: b[0] };
  const counts = members.map((some, side) => some.reduce((sum, i) => sum + sides[side].counts[i], 0));
  const positions = members.flatMap((some, side) => some.map((i) => sides[side].positions[i]));
  const label = main.log.name(main.i);
  const other = a.length && b.length ? sides[1].name(b[0]) : null;
  return {
    label,
    second: other === label ? main.log.secondName(main.i) : other,
    members,
    counts,
    position: positions.reduce((sum, one) => sum + one, 0) / positions.length,
  };
}

// Nodes with the same label are different steps: those of one log only say of which.
function tellApart({ sides }, nodes) {
  const counts = new Map();
  for (const { label } of nodes) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const one of nodes) {
    const side = one.members.findIndex((some) => some.length);
    if (counts.get(one.label) > 1 && !one.members[1 - side].length) one.label += ` of log ${sides[side].letter}`;
  }
}

function edgesOf({ sides }, nodes, nodeOf) {
  const [START, END] = [nodes.length, nodes.length + 1];
  const found = new Map();
  let steps = 0;
  sides.forEach((log, side) => {
    const add = (from, to, count) => {
      if (!count) return;
      steps += count / log.facts.cases;
      if (from < 0 || to < 0) return;
      const key = from * (END + 1) + to;
      if (!found.has(key)) found.set(key, { from, to, counts: [0, 0] });
      found.get(key).counts[side] += count;
    };
    const { first, second, counts, starts, ends } = log.follows;
    for (let k = 0; k < counts.length; k++) add(nodeOf[side][first[k]], nodeOf[side][second[k]], counts[k]);
    for (let i = 0; i < log.size; i++) {
      add(START, nodeOf[side][i], starts[i]);
      add(nodeOf[side][i], END, ends[i]);
    }
  });
  const out = sides.map(() => new Map());
  for (const { from, counts } of found.values())
    counts.forEach((count, side) => {
      out[side].set(from, (out[side].get(from) ?? 0) + count);
    });
  const edges = [...found.values()].map((edge) => ({
    ...edge,
    count: edge.counts.reduce((sum, count, side) => sum + count / sides[side].facts.cases, 0),
    shares: edge.counts.map((count, side) => (count ? count / out[side].get(edge.from) : 0)),
  }));
  edges.sort((x, y) => y.count - x.count || x.from - y.from || x.to - y.to);
  return Object.assign(edges, { steps });
}

// What an edge is in one of the logs: "only" there, "more" or "less" than in the other, "same", or "none".
export function edgeKind({ counts, shares }, side) {
  if (!counts[side]) return "none";
  if (!counts[1 - side]) return "only";
  const more = shares[side] - shares[1 - side];
  return Math.abs(more) < DIFFERENT ? "same" : more > 0 ? "more" : "less";
}
