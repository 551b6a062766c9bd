// What follows what in two logs, over their common vocabulary: one graph whose edges have a count in each log.

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
