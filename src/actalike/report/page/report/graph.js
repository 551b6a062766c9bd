// The directly-follows graph as nodes and edges, with or without groups merged.

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
