// The directly-follows graph as nodes and arrows, with or without groups merged, and the part of it that is drawn.

function graph(to) {
  // nodes and arrows, with members of a group as one node
  const nodeOf = new Array(size);
  const nodes = [];
  const ofGroup = new Map();
  for (let i = 0; i < size; i++) {
    const group = to[i];
    if (group && ofGroup.has(group.id)) nodeOf[i] = ofGroup.get(group.id);
    else {
      nodeOf[i] = nodes.length;
      if (group) ofGroup.set(group.id, nodes.length);
      nodes.push({
        label: group ? stepName(group) : nameOf(i),
        activity: i,
        members: [],
        group: proposed.of[i],
        merged: Boolean(group),
        count: 0,
        position: 0,
      });
    }
    const node = nodes[nodeOf[i]];
    node.members.push(i);
    node.count += data.counts[i];
    node.position += data.positions[i][5] * data.counts[i];
  }
  for (const node of nodes) node.position /= node.count;
  const START = nodes.length;
  const END = START + 1;
  const arrows = new Map();
  const add = (from, to, count) => {
    if (!count) return;
    const key = from * (END + 1) + to;
    arrows.set(key, (arrows.get(key) ?? 0) + count);
  };
  for (let k = 0; k < follows.counts.length; k++) add(nodeOf[follows.first[k]], nodeOf[follows.second[k]], follows.counts[k]);
  for (let i = 0; i < size; i++) {
    add(START, nodeOf[i], follows.starts[i]);
    add(nodeOf[i], END, follows.ends[i]);
  }
  nodes.push({ label: "start", end: "start", position: -1 }, { label: "end", end: "end", position: 2 });
  const edges = [...arrows]
    .map(([key, count]) => ({ from: Math.floor(key / (END + 1)), to: key % (END + 1), count }))
    .sort((a, b) => b.count - a.count || a.from - b.from || a.to - b.to);
  return { nodes, edges, steps: edges.reduce((sum, edge) => sum + edge.count, 0) };
}

function filtered({ nodes, edges, steps }, most) {
  // the most frequent arrows; what they reach is also reached from the start and reaches the end
  const chosen = new Set(edges.slice(0, most));
  const connect = (near, far, root) => {
    for (let changing = true; changing;) {
      const reached = new Set([root]);
      for (let grown = true; grown;) {
        grown = false;
        for (const edge of chosen)
          if (reached.has(edge[near]) && !reached.has(edge[far])) {
            reached.add(edge[far]);
            grown = true;
          }
      }
      const missing = [...new Set([...chosen].flatMap((edge) => [edge.from, edge.to]))].filter(
        (node) => !reached.has(node) && node < nodes.length - 2,
      );
      const link = edges.find((edge) => reached.has(edge[near]) && missing.includes(edge[far]));
      changing = Boolean(link);
      if (link) chosen.add(link);
    }
  };
  if (edges.length) {
    connect("from", "to", nodes.length - 2);
    connect("to", "from", nodes.length - 1);
  }
  const kept = [...new Set([...chosen].flatMap((edge) => [edge.from, edge.to]))].sort((a, b) => a - b);
  const place = new Map(kept.map((node, i) => [node, i]));
  const shown = edges.filter((edge) => chosen.has(edge));
  return {
    nodes: kept.map((node) => sized(nodes[node])),
    edges: shown.map((edge) => ({ ...edge, from: place.get(edge.from), to: place.get(edge.to) })),
    share: steps ? shown.reduce((sum, edge) => sum + edge.count, 0) / steps : 1,
  };
}

function needed({ edges, steps }, share) {
  // how many of the most frequent arrows make up such a share of all steps
  let sum = 0;
  const last = edges.findIndex((edge) => (sum += edge.count) >= share * steps);
  return last < 0 ? edges.length : last + 1;
}
