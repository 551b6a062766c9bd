// The directly-follows graph, as it is and with the accepted groups merged, or before and after a change of the process. Only the most
// frequent arrows are drawn.

import { choice } from "../shared/controls.js";
import { find, soon } from "../shared/dom.js";
import {
  arrowsAtFirst,
  arrowsSlider,
  byFrequency,
  countSteps,
  flowFigure,
  flowLayout,
  flowPicture,
  isWide,
  START_AND_END,
  showFlows,
} from "../shared/flow.js";
import { frequentPart, partWithShare } from "../shared/graph.js";
import { counted, percent, thousands } from "../shared/texts.js";
import { html } from "../vendor/preact.js";

const SHARE_AT_FIRST = 0.95; // of all steps that the arrows make up
const NAMED = 12; // labels of a merged step, in its tip

export function startFlow(/** @type {ReportPage} */ page) {
  const { data, choices, filter } = page;
  const whole = flowGraph(data, choices, new Array(data.size).fill(null));
  choices.arrows = arrowsAtFirst(whole, SHARE_AT_FIRST);
  const said = (arrows) =>
    choices.change
      ? `Before and after: the ${arrows}, and those that connect them with start and end.`
      : `Before: the ${arrows}, and those that connect them with start and end. After: as few as show at least the same share of steps, or all if they are no more.`;
  choices.shows("arrows filter", find("flow-controls"), () => [
    arrowsSlider(choices, whole, said),
    filter.slider("flow"),
    data.changes.shown.length > 0 && changeChoice(page),
  ]);
  choices.watch(
    "pictures arrows theme filter",
    soon(() => (choices.change ? showChange(page) : showFlow(page))),
  );
}

// What is before and after: merging, or a change of the process.
function changeChoice(/** @type {ReportPage} */ { data, choices }) {
  const options = ["merging the accepted groups", ...data.changes.shown.map(({ title }) => `the change of ${title}`)];
  const chosen = String(data.changes.shown.indexOf(choices.change) + 1);
  return choice("flow-change", "Before and after ", { ...options }, chosen, (value) => {
    choices.change = data.changes.shown[Number(value) - 1] ?? null;
    choices.changed("arrows");
  });
}

// Both sides of a change, with as many arrows. Labels that a side does not have are not drawn there.
function showChange(/** @type {ReportPage} */ { choices, filter }) {
  const figures = choices.change.sides.map((side) => {
    const whole = flowGraph(side, choices, new Array(side.size).fill(null), (i) => side.counts[i] > 0 && filter.isShown(i));
    const name = `${side.period} (${counted(side.facts.cases, "case", "cases")})`;
    const own = { data: side, choices, filter, wanted: "" };
    const shown = frequentPart(whole, choices.arrows);
    return figure(own, name, picture(own, name, shown), whole, shown, side.facts.activities);
  });
  showFlows(figures);
}

function showFlow(/** @type {ReportPage} */ page) {
  const { data, choices, filter } = page;
  const isShown = (i) => filter.isShown(i);
  const whole = flowGraph(data, choices, new Array(data.size).fill(null), isShown);
  const shown = frequentPart(whole, choices.arrows);
  const before = picture(page, "Before", shown);
  const isLarge = isWide(before);
  const figures = [figure(page, "Before", before, whole, shown, data.facts.activities, isLarge)];
  if (data.size > 1) figures.push(afterFigure(page, shown.share, isShown, isLarge));
  showFlows(figures);
}

function afterFigure(/** @type {ReportPage} */ page, share, isShown, isLarge) {
  const { data, choices } = page;
  const mergedInto = choices.mapping();
  if (!mergedInto.some(Boolean))
    return html`<figure class="flow"><figcaption><b>After</b> Accept a group above to see the flow become simpler.</figcaption></figure>`;
  const merged = flowGraph(data, choices, mergedInto, isShown);
  const isSmall = merged.edges.length <= choices.arrows; // then the same share may be a single arrow, of a picture with room for all
  const shown = isSmall ? frequentPart(merged, merged.edges.length) : partWithShare(merged, share);
  const after = picture(page, "After", shown);
  return figure(page, "After", after, merged, shown, choices.activitiesLeft(), isLarge || isWide(after));
}

function picture(/** @type {ReportPage} */ { data, choices }, name, shown) {
  const layout = flowLayout(shown);
  const { nodes, edges } = layout;
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
  const words = `${name}: ${activities} and ${counted(edges.length, "arrow", "arrows")}, ${percent(shown.share)} of all steps`;
  return flowPicture(words, layout, edgeLook, nodeLook);
}

function figure(
  /** @type {ReportPage} */ { data, filter },
  name,
  drawn,
  whole,
  { edges, share, connecting },
  total,
  isLarge = isWide(drawn),
) {
  const hidden = data.size - filter.size;
  const all = whole.nodes.length - START_AND_END.length;
  const arrows = counted(edges.length, "arrow", "arrows");
  const caption = [
    html`<b>${name}</b> ${all < total ? `${thousands(all)} of ` : ""}${counted(total, "activity", "activities")}, `,
    `${counted(whole.edges.length, "arrow", "arrows")}. Drawn: ${arrows}`,
    connecting
      ? ` (${thousands(edges.length - connecting)} most frequent, ${thousands(connecting)} that connect them with start and end)`
      : "",
    html`, <b>${percent(share)}</b> of all steps.`,
    data.left_out ? ` Counts are those of the ${thousands(data.size)} most frequent labels only.` : "",
    hidden
      ? ` Left out: ${counted(hidden, "label", "labels")} in fewer than ${counted(filter.leastCases, "case", "cases")}, with the arrows from and to them.`
      : "",
  ];
  return flowFigure(data.title, `Flow ${name.toLowerCase()}`, drawn, caption, isLarge);
}

const fullLabel = ({ label, second }) => (second ? `${label} (${second})` : label);

// --- The directly-follows graph as nodes and edges, with or without groups merged.

// Nodes and edges, the most frequent first. Activities that are merged into one group are one node; two more nodes are the
// start and the end of the case. Activities that are not shown are left out with their arrows; `steps` counts those too.
export function flowGraph(data, choices, mergedInto, isShown = (/** @type {number} */ _i) => true) {
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
    node.position += data.positions[i][1] * data.counts[i];
  }
  for (const node of nodes) node.position /= node.count;
  const { found, steps, pair } = countSteps(follows, nodeOf, nodes.length);
  const edges = [...found].map(([key, count]) => ({ ...pair(key), count })).sort(byFrequency);
  return { nodes: [...nodes, ...START_AND_END], edges, steps };
}
