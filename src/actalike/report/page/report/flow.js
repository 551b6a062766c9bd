// The directly-follows graph, as it is and with the accepted groups merged. Only the most frequent arrows are drawn.

import { addArrowsSlider } from "../shared/controls.js";
import { draw, fill, find, make } from "../shared/dom.js";
import { BOX, boxes, curve, freeSpot, frequentPart, head, layeredLayout, partWithShare } from "../shared/graph.js";
import { pictureButtons } from "../shared/pictures.js";
import { counted, percent, round1, thousands } from "../shared/texts.js";
import { soon } from "../shared/theme.js";
import { widthOf } from "../shared/widths.js";

const SHARE_AT_FIRST = 0.95; // of all steps that the arrows make up

function flowFigure(page, name, whole, shown, total, largeByDefault = false) {
  const { data, choices, filter } = page;
  const { edges, share, connecting } = shown;
  const hidden = data.size - filter.size;
  const all = whole.nodes.length - 2;
  const { picture, width } = flowPicture(page, name, shown);
  const caption = make(
    "figcaption",
    make("b", name),
    ` ${all < total ? `${thousands(all)} of ` : ""}${counted(total, "activity", "activities")}, ${counted(whole.edges.length, "arrow", "arrows")}. Drawn: ${counted(edges.length, "arrow", "arrows")}${connecting ? ` (${thousands(edges.length - connecting)} most frequent, ${thousands(connecting)} that connect them with start and end)` : ""}, `,
    make("b", percent(share)),
    " of all steps.",
    data.left_out ? ` Counts are those of the ${thousands(data.size)} most frequent labels only.` : "",
    hidden
      ? ` Left out: ${counted(hidden, "label", "labels")} in fewer than ${counted(filter.leastCases, "case", "cases")}, with the arrows from and to them.`
      : "",
  );
  const large = choices.large.get(name) ?? (largeByDefault || width > 860);
  const figure = make("figure", { class: large ? "flow large" : "flow" });
  const enlarge = make(
    "button.quiet.small",
    {
      "aria-pressed": String(large),
      onclick: () => {
        choices.large.set(name, figure.classList.toggle("large"));
        enlarge.setAttribute("aria-pressed", String(choices.large.get(name)));
      },
    },
    "Full width",
  );
  caption.prepend(
    make(
      "span.flow-buttons",
      enlarge,
      pictureButtons(data.title, `Flow ${name.toLowerCase()}`, () => picture),
    ),
  );
  return fill(figure, {}, [
    caption,
    make("div.scroll", { tabindex: 0, role: "region", "aria-label": `Flow ${name.toLowerCase()}, can be scrolled` }, picture),
  ]);
}

function showFlow(page) {
  const { data, choices, filter } = page;
  const isShown = (i) => filter.isShown(i);
  const whole = flowGraph(data, choices, new Array(data.size).fill(null), isShown);
  const shown = frequentPart(whole, choices.arrows);
  const before = flowFigure(page, "Before", whole, shown, data.facts.activities);
  if (data.size < 2) {
    putInPlace([before]);
    return;
  }
  const mergedInto = choices.mapping();
  const merged = flowGraph(data, choices, mergedInto, isShown);
  const isSmall = merged.edges.length <= choices.arrows; // then the same share may be a single arrow, of a picture with room for all
  const mergedPart = isSmall ? frequentPart(merged, merged.edges.length) : partWithShare(merged, shown.share);
  const after = mergedInto.some(Boolean)
    ? flowFigure(page, "After", merged, mergedPart, choices.activitiesLeft(), before.classList.contains("large"))
    : make("figure.flow", make("figcaption", make("b", "After"), " Accept a group above to see the flow become simpler."));
  putInPlace([before, after]);
}

// Shows figures. One that is wider than its frame begins at the start of the process, later where the reader has scrolled to.
function putInPlace(figures) {
  const places = [...find("flows").querySelectorAll(".scroll")].map((frame) => frame.scrollLeft);
  find("flows").replaceChildren(...figures);
  [...find("flows").querySelectorAll(".scroll")].forEach((frame, k) => {
    const room = frame.scrollWidth - frame.clientWidth;
    if (room < 2) return;
    frame.previousSibling.append(make("span.scrolls", " It is wider than this page: scroll sideways."));
    const start = frame.querySelector('[data-end="start"]').getBoundingClientRect();
    const middle = start.left + start.width / 2 - frame.getBoundingClientRect().left;
    frame.scrollLeft = places[k] || middle - frame.clientWidth / 2;
  });
}

export function startFlow(page) {
  const { data, choices } = page;
  const whole = flowGraph(data, choices, new Array(data.size).fill(null));
  addArrowsSlider(
    choices,
    whole,
    SHARE_AT_FIRST,
    (arrows) =>
      `Before: the ${arrows}, and those that connect them with start and end. After: as few as show at least the same share of steps, or all if they are no more.`,
  );
  page.filter.addTo("flow");
  choices.watch(
    "pictures arrows theme filter",
    soon(() => showFlow(page)),
  );
}

// --- The picture of a directly-follows graph: boxes in layers, arrows with their counts.

// Returns the picture and its width in pixels.
function flowPicture(page, name, { nodes: plainNodes, edges, share }) {
  const nodes = boxes(plainNodes);
  const { items, paths, width, height } = layeredLayout(nodes, edges);
  const largest = Math.max(...edges.map((edge) => edge.count), 1);
  const activities = nodes.filter((node) => !node.end).length;
  const picture = draw("svg", {
    viewBox: `-8 -4 ${Math.ceil(width + 40)} ${Math.ceil(height + 8)}`,
    width: Math.ceil(width + 48),
    height: Math.ceil(height + 8),
    role: "img",
    class: "flow-picture",
    "aria-label": `${name}: ${counted(activities, "activity", "activities")} and ${counted(edges.length, "arrow", "arrows")}, ${percent(share)} of all steps`,
  });
  const figures = draw("g");
  const taken = items
    .slice(0, nodes.length)
    .map((item) => [item.x - item.width / 2, item.y - item.height / 2, item.x + item.width / 2, item.y + item.height / 2]);
  edges.forEach((edge, e) => {
    const thick = 1 + 5 * Math.sqrt(edge.count / largest);
    const title = draw(
      "title",
      `${fullLabel(nodes[edge.from])} → ${fullLabel(nodes[edge.to])}: ${counted(edge.count, "time", "times")}`,
    );
    if (!paths[e]) {
      const item = items[edge.from];
      const [x, y] = [item.x + item.width / 2, item.y];
      picture.append(
        draw(
          "path.arrow",
          { d: `M${round1(x)},${round1(y - 7)}c22,-8 22,22 3,15`, "stroke-width": round1(Math.min(thick, 3)) },
          title,
        ),
        head(x + 1, y + 8, Math.min(thick, 3), "left"),
      );
      return;
    }
    const line = paths[e];
    const down = line.at(-1)[1] > line[0][1];
    const reach = 4 + thick;
    line.at(-1)[1] += down ? -reach : reach;
    picture.append(
      draw("path", { class: down ? "arrow" : "arrow back", d: curve(line), "stroke-width": round1(thick) }, title),
      head(line.at(-1)[0], line.at(-1)[1] + (down ? reach : -reach), thick, down ? "down" : "up"),
    );
    const at = freeSpot(line, widthOf(thousands(edge.count), 10), taken);
    if (at) figures.append(draw("text.arrow-count", { x: round1(at[0]), y: round1(at[1] + 3.5) }, thousands(edge.count)));
  });
  picture.append(...nodes.map((node, i) => box(page, node, items[i])), figures);
  picture.style.minWidth = `${Math.round((width + 48) * 0.62)}px`; // smaller cannot be read: then it scrolls
  return { picture, width };
}

const fullLabel = ({ label, second }) => (second ? `${label} (${second})` : label);

function box({ data, choices }, node, item) {
  const [x, y] = [round1(item.x - item.width / 2), round1(item.y - item.height / 2)];
  if (node.end)
    return draw(
      "g.flow-end",
      { "data-end": node.end },
      draw("rect", { x, y, width: item.width, height: item.height, rx: item.height / 2 }),
      draw("text", { x: round1(item.x), y: round1(item.y + 4) }, node.label),
    );
  const lineAt = (k) => round1(y + 17 + k * BOX.line);
  const shape = draw(
    "g",
    {
      class: `flow-box${node.merged ? " merged" : ""}${node.cases < data.thin_cases ? " rare" : ""}`,
      onclick: () => choices.select(node.activity),
    },
    draw("rect", { x, y, width: item.width, height: item.height, rx: 7 }),
    node.group && (node.merged || choices.isMerged(node.group))
      ? draw("rect.flow-stripe", { x, y, width: 5, height: item.height, rx: 2.5, fill: node.group.colour })
      : null,
    ...node.lines.map((line, k) => draw("text.flow-label", { x: round1(item.x), y: lineAt(k) }, line)),
    node.secondLine ? draw("text.flow-count", { x: round1(item.x), y: lineAt(node.lines.length) }, node.secondLine) : null,
    draw(
      "text.flow-count",
      { x: round1(item.x), y: lineAt(node.lines.length + (node.secondLine ? 1 : 0)) },
      node.merged ? `${thousands(node.count)} · ${counted(node.members.length, "label", "labels")}` : thousands(node.count),
    ),
    draw(
      "title",
      `${fullLabel(node)}: ${counted(node.count, "event", "events")}${
        node.merged
          ? ` of ${node.members
              .map((member) => data.fullName(member))
              .slice(0, 12)
              .join("; ")}`
          : ""
      }`,
    ),
  );
  return shape;
}

// --- The directly-follows graph as nodes and edges, with or without groups merged.

// Nodes and edges, the most frequent first. Activities that are merged into one group are one node; two more nodes are the
// start and the end of the case. Activities that are not shown are left out with their arrows; `steps` counts those too.
export function flowGraph(data, choices, mergedInto, isShown = () => true) {
  const { size, follows } = data;
  const nodeOf = new Array(size);
  const nodes = [];
  const ofGroup = new Map();
  for (let i = 0; i < size; i++) {
    const group = mergedInto[i];
    nodeOf[i] = -1;
    if (!isShown(i)) continue;
    if (group && ofGroup.has(group.id)) nodeOf[i] = ofGroup.get(group.id);
    else {
      nodeOf[i] = nodes.length;
      if (group) ofGroup.set(group.id, nodes.length);
      nodes.push({
        label: group ? choices.stepName(group) : data.name(i),
        second: group ? null : data.secondName(i),
        activity: i,
        members: [],
        group: group ?? choices.groupOf[i],
        merged: Boolean(group),
        count: 0,
        cases: 0, // at most
        position: 0,
      });
    }
    const node = nodes[nodeOf[i]];
    node.members.push(i);
    node.count += data.counts[i];
    node.cases += data.cases[i];
    node.position += data.positions[i][5] * data.counts[i];
  }
  for (const node of nodes) node.position /= node.count;
  const START = nodes.length;
  const END = START + 1;
  const counts = new Map();
  let steps = 0;
  const add = (from, to, count) => {
    if (!count) return;
    steps += count;
    if (from < 0 || to < 0) return;
    const key = from * (END + 1) + to;
    counts.set(key, (counts.get(key) ?? 0) + count);
  };
  for (let k = 0; k < follows.counts.length; k++) add(nodeOf[follows.first[k]], nodeOf[follows.second[k]], follows.counts[k]);
  for (let i = 0; i < size; i++) {
    add(START, nodeOf[i], follows.starts[i]);
    add(nodeOf[i], END, follows.ends[i]);
  }
  nodes.push({ label: "start", end: "start", position: -1 }, { label: "end", end: "end", position: 2 });
  const edges = [...counts]
    .map(([key, count]) => ({ from: Math.floor(key / (END + 1)), to: key % (END + 1), count }))
    .sort((a, b) => b.count - a.count || a.from - b.from || a.to - b.to);
  return { nodes, edges, steps };
}
