// Parts of a directly-follows graph that are drawn.

// The most frequent edges, and those that connect what they reach with the start and the end.
export function frequentPart({ nodes, edges, steps }, edgeLimit) {
  const chosen = new Set(edges.slice(0, edgeLimit));
  const connect = (near, far, root) => {
    for (let changing = true; changing; ) {
      const reached = new Set([root]);
      for (let grown = true; grown; ) {
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
    connecting: shown.length - Math.min(edgeLimit, edges.length), // edges beside the most frequent ones
    nodes: kept.map((node) => nodes[node]),
    edges: shown.map((edge) => ({ ...edge, from: place.get(edge.from), to: place.get(edge.to) })),
    share: steps ? shown.reduce((sum, edge) => sum + edge.count, 0) / steps : 1,
  };
}

// The smallest part that shows such a share of all steps, with the edges that connect it.
export function partWithShare(graph, share) {
  let [low, high] = [1, edgesNeeded(graph, share)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (frequentPart(graph, middle).share >= share) high = middle;
    else low = middle + 1;
  }
  return frequentPart(graph, high);
}

// How many of the most frequent edges make up such a share of all steps.
export function edgesNeeded({ edges, steps }, share) {
  let sum = 0;
  for (const [place, edge] of edges.entries()) {
    sum += edge.count;
    if (sum >= share * steps) return place + 1;
  }
  return edges.length;
}
