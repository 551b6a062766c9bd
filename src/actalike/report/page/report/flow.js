// The directly-follows graph, as it is and with the accepted groups merged, or before and after a change of the process. Only the most
// frequent arrows are drawn.

import { find, make } from "../shared/dom.js";
import {
  addArrowsSlider,
  byFrequency,
  countSteps,
  flowFigure,
  flowLayout,
  flowPicture,
  START_AND_END,
  showFlows,
} from "../shared/flow.js";
import { frequentPart, partWithShare } from "../shared/graph.js";
import { counted, percent, thousands } from "../shared/texts.js";
import { soon } from "../shared/theme.js";

const SHARE_AT_FIRST = 0.95; // of all steps that the arrows make up
const NAMED = 12; // labels of a merged step, in its tip

export function startFlow(page) {
  const { data, choices } = page;
  const whole = flowGraph(data, choices, new Array(data.size).fill(null));
  addArrowsSlider(choices, whole, SHARE_AT_FIRST, (arrows) =>
    choices.change
      ? `Before and after: the ${arrows}, and those that connect them with start and end.`
      : `Before: the ${arrows}, and those that connect them with start and end. After: as few as show at least the same share of steps, or all if they are no more.`,
  );
  if (data.changes.shown.length) addChangeChoice(page);
  page.filter.addTo("flow");
  choices.watch(
    "pictures arrows theme filter",
    soon(() => showFlow(page)),
  );
}

// What is before and after: merging, or a change of the process.
function addChangeChoice({ data, choices }) {
  const options = ["merging the accepted groups", ...data.changes.shown.map(({ title }) => `the change of ${title}`)];
  const select = make(
    "select",
    {
      id: "flow-change",
      onchange: () => {
        choices.change = data.changes.shown[select.value - 1] ?? null;
        choices.changed("arrows");
      },
    },
    options.map((text, value) => make("option", { value }, text)),
  );
  find("flow-controls").prepend(make("div.time-choice", make("label", { for: "flow-change" }, "Before and after "), select));
  choices.watch("arrows", () => {
    select.value = data.changes.shown.indexOf(choices.change) + 1;
  });
}

// Both sides of a change, with as many arrows. Labels that a side does not have are not drawn there.
function showChange({ choices, filter }) {
  showFlows(
    choices.change.sides.map((side) => {
      const whole = flowGraph(side, choices, new Array(side.size).fill(null), (i) => side.counts[i] > 0 && filter.isShown(i));
      const name = `${side.period} (${counted(side.facts.cases, "case", "cases")})`;
      return figure({ data: side, choices, filter }, name, whole, frequentPart(whole, choices.arrows), side.facts.activities);
    }),
  );
}

function showFlow(page) {
  const { data, choices, filter } = page;
  if (choices.change) {
    showChange(page);
    return;
  }
  const isShown = (i) => filter.isShown(i);
  const whole = flowGraph(data, choices, new Array(data.size).fill(null), isShown);
  const shown = frequentPart(whole, choices.arrows);
  const before = figure(page, "Before", whole, shown, data.facts.activities);
  if (data.size < 2) {
    showFlows([before]);
    return;
  }
  const mergedInto = choices.mapping();
  const merged = flowGraph(data, choices, mergedInto, isShown);
  const isSmall = merged.edges.length <= choices.arrows; // then the same share may be a single arrow, of a picture with room for all
  const mergedPart = isSmall ? frequentPart(merged, merged.edges.length) : partWithShare(merged, shown.share);
  const after = mergedInto.some(Boolean)
    ? figure(page, "After", merged, mergedPart, choices.activitiesLeft(), before.classList.contains("large"))
    : make("figure.flow", make("figcaption", make("b", "After"), " Accept a group above to see the flow become simpler."));
  showFlows([before, after]);
}

function figure({ data, choices, filter }, name, whole, shown, total, isLarge) {
  const { edges, share, connecting } = shown;
  const hidden = data.size - filter.size;
  const all = whole.nodes.length - START_AND_END.length;
  const layout = flowLayout(shown);
  const { nodes } = layout;
  const edgeLook = ({ from, to, count }) => ({
    kind: "",
    amount: count,
    count: thousands(count),
    title: `${fullLabel(nodes[from])} → ${fullLabel(nodes[to])}: ${counted(count, "time", "times")}`,
  });
  const nodeLook = (node) => {
    const labels = node.members.slice(0, NAMED).map((member) => data.fullName(member));
    return {
      kind: `${node.merged ? "merged" : ""}${node.cases < data.thin_cases ? " rare" : ""}`,
      count: node.merged
        ? `${thousands(node.count)} · ${counted(node.members.length, "label", "labels")}`
        : thousands(node.count),
      title: `${fullLabel(node)}: ${counted(node.count, "event", "events")}${node.merged ? ` of ${labels.join("; ")}` : ""}`,
      stripe: node.group && (node.merged || choices.isMerged(node.group)) ? node.group.colour : null,
      onclick: () => choices.select(node.activity),
    };
  };
  const activities = counted(nodes.length - START_AND_END.length, "activity", "activities");
  const words = `${name}: ${activities} and ${counted(edges.length, "arrow", "arrows")}, ${percent(share)} of all steps`;
  const caption = [
    make("b", name),
    ` ${all < total ? `${thousands(all)} of ` : ""}${counted(total, "activity", "activities")}, ${counted(whole.edges.length, "arrow", "arrows")}. Drawn: ${counted(edges.length, "arrow", "arrows")}${connecting ? ` (${thousands(edges.length - connecting)} most frequent, ${thousands(connecting)} that connect them with start and end)` : ""}, `,
    make("b", percent(share)),
    " of all steps.",
    data.left_out ? ` Counts are those of the ${thousands(data.size)} most frequent labels only.` : "",
    hidden
      ? ` Left out: ${counted(hidden, "label", "labels")} in fewer than ${counted(filter.leastCases, "case", "cases")}, with the arrows from and to them.`
      : "",
  ];
  return flowFigure(data.title, `Flow ${name.toLowerCase()}`, flowPicture(words, layout, edgeLook, nodeLook), caption, isLarge);
}

const fullLabel = ({ label, second }) => (second ? `${label} (${second})` : label);

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
  const { found, steps, pair } = countSteps(follows, nodeOf, nodes.length);
  const edges = [...found].map(([key, count]) => ({ ...pair(key), count })).sort(byFrequency);
  return { nodes: [...nodes, ...START_AND_END], edges, steps };
}
