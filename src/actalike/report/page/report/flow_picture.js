// The picture of a directly-follows graph: boxes in layers, arrows with their counts.

import { draw } from "../shared/dom.js";
import { BOX, boxes, curve, freeSpot, head } from "../shared/flow_drawing.js";
import { counted, percent, round1, thousands } from "../shared/formats.js";
import { layeredLayout } from "../shared/layers.js";
import { widthOf } from "../shared/text_width.js";

// Returns the picture and its width in pixels.
export function flowPicture(page, name, { nodes: plainNodes, edges, share }) {
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
