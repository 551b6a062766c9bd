// The flows of both logs over the common vocabulary, in one layout: what differs is coloured.

import { find, foreignText, soon } from "../shared/dom.js";
import {
  arrowsAtFirst,
  arrowsSlider,
  byFrequency,
  countSteps,
  flowFigure,
  flowLayout,
  flowPicture,
  START_AND_END,
  showFlows,
} from "../shared/flow.js";
import { frequentPart } from "../shared/graph.js";
import { counted, percent, thousands } from "../shared/texts.js";
import { html } from "../vendor/preact.js";

const SHARE_AT_FIRST = 0.9; // of all steps that the arrows make up

const KINDS = {
  only: (log) => `only in log ${log.letter}`,
  more: (log) => `more often in log ${log.letter}`,
  less: () => "less often here",
  same: () => "in both alike",
};

const SAID = (arrows) => `The ${arrows} of both logs together, and those that connect them with start and end.`;

export function startFlows(/** @type {TwoLogPage} */ page) {
  const { data, choices, filter } = page;
  const whole = commonGraph(page);
  choices.arrows = arrowsAtFirst(whole, SHARE_AT_FIRST);
  choices.shows("arrows filter", find("flow-controls"), () => [arrowsSlider(choices, whole, SAID), filter.slider("flow")]);
  const show = () => {
    const whole = commonGraph(page, (side, i) => data.sides[side].cases[i] >= filter.leastCases);
    const part = frequentPart(whole, choices.arrows);
    const layout = flowLayout(part);
    showFlows(data.sides.map((log) => figure(data, log, part.share, layout)));
  };
  choices.watch("pictures arrows theme filter", soon(show));
}

// The flow of one log: places are those of the layout of both.
function figure({ title, sides }, log, share, layout) {
  const { nodes, edges } = layout;
  const { side, letter } = log;
  const number = (kind) => edges.filter((edge) => edgeKind(edge, side) === kind).length;
  const edgeLook = (edge) => {
    const kind = edgeKind(edge, side);
    if (kind === "none") return null;
    const shares = sides.map(
      (one, k) => `log ${one.letter}: ${counted(edge.counts[k], "time", "times")}, ${percent(edge.shares[k])} of what follows`,
    );
    return {
      kind,
      amount: edge.counts[side] / log.facts.cases,
      count: thousands(edge.counts[side]),
      title: `${nodes[edge.from].label} → ${nodes[edge.to].label} (${KINDS[kind](log)}). ${shares.join("; ")}`,
    };
  };
  const nodeLook = ({ label, second, counts }) => {
    const here = counts[side];
    return {
      kind: here ? (counts[1 - side] ? "" : "only") : "absent",
      count: here ? thousands(here) : "not in this log",
      title: `${second ? `${label} = ${second}` : label}: ${counted(here, "event", "events")}`,
    };
  };
  const activities = nodes.filter((node) => !node.end && node.counts[side]).length;
  const arrows = edges.filter((edge) => edge.counts[side]).length;
  const name = `Flow of log ${letter}`;
  const words = `${name}: ${counted(activities, "activity", "activities")} and ${counted(arrows, "arrow", "arrows")}`;
  const picture = flowPicture(words, layout, edgeLook, nodeLook, `flow-${letter.toLowerCase()}`);
  const caption = html`
    <b>Log ${letter}</b> ${foreignText(log.title)}. Drawn: ${percent(share)} of the steps of both logs;${" "}
    ${counted(number("only"), "arrow is", "arrows are")} only here, ${thousands(number("more"))} more often here.
  `;
  return flowFigure(title, name, picture, caption);
}

// --- What follows what in two logs, over their common vocabulary: one graph whose edges have a count in each log.

const DIFFERENT = 0.1; // how much the shares of what follows must differ to be told apart

// Nodes and edges, the most frequent first. A node is a step of both logs, or a label of one; two more are the start and the end of
// the case. `count` of an edge is how often it happens in a case, in both logs together; `counts` are those of each log.
export function commonGraph(
  /** @type {TwoLogPage} */ { data, choices },
  isShown = (/** @type {number} */ _side, /** @type {number} */ _i) => true,
) {
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
  return { nodes: [...nodes, ...START_AND_END], ...edgesOf(data, nodes, nodeOf) };
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
  const counted = sides.map(({ follows }, side) => countSteps(follows, nodeOf[side], nodes.length));
  const keys = [...new Set(counted.flatMap(({ found }) => [...found.keys()]))];
  const edges = keys.map((key) => ({ ...counted[0].pair(key), counts: counted.map(({ found }) => found.get(key) ?? 0) }));
  const perCase = (counts) => counts.reduce((sum, count, side) => sum + count / sides[side].facts.cases, 0);
  const out = sides.map((_, side) => {
    const sums = new Array(nodes.length + 1).fill(0);
    for (const { from, counts } of edges) sums[from] += counts[side];
    return sums;
  });
  const shared = edges.map((edge) => ({
    ...edge,
    count: perCase(edge.counts),
    shares: edge.counts.map((count, side) => (count ? count / out[side][edge.from] : 0)),
  }));
  return { edges: shared.sort(byFrequency), steps: perCase(counted.map(({ steps }) => steps)) };
}

// What an edge is in one of the logs: "only" there, "more" or "less" than in the other, "same", or "none".
export function edgeKind({ counts, shares }, side) {
  if (!counts[side]) return "none";
  if (!counts[1 - side]) return "only";
  const more = shares[side] - shares[1 - side];
  return Math.abs(more) < DIFFERENT ? "same" : more > 0 ? "more" : "less";
}
