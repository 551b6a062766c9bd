// Graphs: the parts of them that are drawn, and their layout; frames ([left, top, right, bottom]) and dots ([x, y, radius]) in a picture.

export const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

export const touches = (frame, [x, y, radius]) =>
  Math.hypot(x - Math.max(frame[0], Math.min(x, frame[2])), y - Math.max(frame[1], Math.min(y, frame[3]))) < radius;

// --- Parts of a directly-follows graph that are drawn.

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

// --- Layered layout of a graph: a row for each step of the process, few crossings, straight long arrows.
//
// The nodes are put in an order in which few steps go back. Edges that do go back are turned round while rows are chosen. An
// edge over several rows passes through a bend in each. docs/page_scripts.md compares this with dagre and ELK.

const ROW_GAP = 46;
const NODE_GAP = 22;
const BEND_GAP = 14;

// The layout of nodes ({ width, height, position, end }) and edges ({ from, to, count }, the most frequent first): `items`
// (centres of the nodes, then of the bends), `paths` (the points of each edge, null for a loop), `width` and `height`.
export function layeredLayout(nodes, edges) {
  const place = forwardOrder(nodes, edges);
  const earlier = (a, b) => place[a] - place[b];
  const lines = edges.map(({ from, to }) => (from === to ? null : earlier(from, to) < 0 ? [from, to] : [to, from]));
  const rank = ranks(place, lines);
  const { items, chains } = itemsWithBends(nodes, lines, rank, edges);
  const rows = orderedRows(items);
  setX(items, rows);
  let y = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((item) => items[item].height));
    for (const item of row) Object.assign(items[item], { y: y + height / 2, tall: height });
    y += height + ROW_GAP;
  }
  const left = Math.min(...items.map((item) => item.x - item.width / 2));
  for (const item of items) item.x -= left;
  const width = Math.max(...items.map((item) => item.x + item.width / 2));
  return {
    items,
    width,
    height: y - ROW_GAP,
    paths: edgePaths(
      items,
      chains,
      edges.map(({ from, to }) => earlier(from, to) > 0),
    ),
  };
}

// The place of each node in an order in which few steps go back and every node is reached by an edge that goes forward.
function forwardOrder(nodes, edges) {
  const out = nodes.map(() => []);
  for (const edge of edges) out[edge.from].push(edge); // the most frequent first
  const order = depthFirstOrder(nodes, out);
  const place = [];
  const updatePlaces = () =>
    order.forEach((node, k) => {
      place[node] = k;
    });
  const allReached = () => {
    const forward = new Set(edges.filter((edge) => place[edge.from] < place[edge.to]).map((edge) => edge.to));
    return nodes.every(
      (node, i) => node.end === "start" || forward.has(i) || !edges.some((edge) => edge.to === i && edge.from !== i),
    );
  };
  updatePlaces();
  const steps = (from, to) => out[from].find((edge) => edge.to === to)?.count ?? 0;
  for (let round = 0, moving = true; moving && round < 10; round++) {
    moving = false;
    for (let node = 0; node < nodes.length; node++) {
      if (nodes[node].end) continue;
      const at = place[node];
      const moves = [];
      for (const way of [-1, 1]) {
        let gain = 0;
        for (let to = at + way; to >= 0 && to < order.length && !nodes[order[to]].end; to += way) {
          gain += way * (steps(order[to], node) - steps(node, order[to]));
          if (gain > 0) moves.push({ gain, to });
        }
      }
      moves.sort((a, b) => b.gain - a.gain || a.to - b.to);
      for (const { to } of moves) {
        order.splice(place[node], 1);
        order.splice(to, 0, node);
        updatePlaces();
        moving = allReached();
        if (moving) break;
        order.splice(to, 1);
        order.splice(at, 0, node);
        updatePlaces();
      }
    }
  }
  return place;
}

// The nodes in the order of the most frequent ways through the graph; the others by their position in the case.
function depthFirstOrder(nodes, out) {
  const roots = nodes.map((_, i) => i).sort((a, b) => nodes[a].position - nodes[b].position || a - b);
  const seen = new Set();
  const order = [];
  const visit = (node) => {
    seen.add(node);
    for (const { to } of out[node]) if (!seen.has(to)) visit(to);
    order.unshift(node);
  };
  for (const root of roots) if (!seen.has(root)) visit(root);
  const ends = order.filter((node) => nodes[node].end === "end");
  const starts = order.filter((node) => nodes[node].end === "start");
  return [...starts, ...order.filter((node) => !nodes[node].end), ...ends];
}

// The row of each node: the longest way from the start; then as near to what follows as possible.
function ranks(place, lines) {
  const order = place.map((_, i) => i).sort((a, b) => place[a] - place[b]);
  const rank = place.map(() => 0);
  const into = place.map(() => []);
  const out = place.map(() => []);
  for (const line of lines)
    if (line) {
      out[line[0]].push(line[1]);
      into[line[1]].push(line[0]);
    }
  for (const node of order) for (const before of into[node]) rank[node] = Math.max(rank[node], rank[before] + 1);
  for (const node of order.toReversed())
    if (!into[node].length && out[node].length) rank[node] = Math.min(...out[node].map((after) => rank[after])) - 1;
  return rank;
}

// Nodes and bends as items with their neighbours in the rows above and below, and the chain of items of each edge.
function itemsWithBends(nodes, lines, rank, edges) {
  const largestCount = Math.max(1, ...edges.map((edge) => edge.count));
  const items = nodes.map((node, i) => ({
    width: node.width,
    height: node.height,
    rank: rank[i],
    up: [],
    down: [],
    bend: false,
  }));
  const join = (a, b, weight) => {
    items[a].down.push([b, weight]);
    items[b].up.push([a, weight]);
  };
  const chains = lines.map((line, e) => {
    if (!line) return null;
    const chain = [line[0]];
    for (let row = rank[line[0]] + 1; row < rank[line[1]]; row++) {
      items.push({ width: BEND_GAP, height: 0, rank: row, up: [], down: [], bend: true });
      chain.push(items.length - 1);
    }
    chain.push(line[1]);
    // frequent arrows and bends pull harder: the main way and long arrows become straight
    for (let i = 1; i < chain.length; i++)
      join(
        chain[i - 1],
        chain[i],
        0.3 + (3 * edges[e].count) / largestCount + 2 * (Number(items[chain[i - 1]].bend) + Number(items[chain[i]].bend)),
      );
    return chain;
  });
  return { items, chains };
}

// The items of each row, ordered by where their neighbours are, up and down; the order with the fewest crossings stays.
function orderedRows(items) {
  const rows = [];
  items.forEach((item, i) => {
    rows[item.rank] ??= [];
    rows[item.rank].push(i);
  });
  for (let row = 0; row < rows.length; row++) rows[row] ??= [];
  const place = new Array(items.length).fill(0);
  const updatePlaces = () => {
    for (const row of rows)
      row.forEach((item, i) => {
        place[item] = i;
      });
  };
  updatePlaces();
  /** @type {{ count: number, rows: number[][] } | null} */
  let best = null;
  for (let round = 0; round < 24; round++) {
    const downwards = round % 2 === 0;
    for (let step = 1; step < rows.length; step++) {
      const row = rows[downwards ? step : rows.length - 1 - step];
      const wanted = new Map(
        row.map((item) => [
          item,
          mean(
            items[item][downwards ? "up" : "down"].map(([other]) => place[other]),
            place[item],
          ),
        ]),
      );
      row.sort((a, b) => wanted.get(a) - wanted.get(b) || place[a] - place[b]);
      row.forEach((item, i) => {
        place[item] = i;
      });
    }
    const count = crossings(items, rows, place);
    if (!best || count < best.count) best = { count, rows: rows.map((row) => row.slice()) };
  }
  return (best?.rows ?? rows).filter((row) => row.length);
}

function mean(places, otherwise) {
  return places.length ? places.reduce((sum, place) => sum + place, 0) / places.length : otherwise;
}

function crossings(items, rows, place) {
  let count = 0;
  for (const row of rows) {
    const ends = row.flatMap((item) => items[item].down.map(([other]) => place[other]).sort((a, b) => a - b));
    for (let i = 0; i < ends.length; i++) for (let j = i + 1; j < ends.length; j++) if (ends[i] > ends[j]) count++;
  }
  return count;
}

// Sets x of every item as near as possible to the mean of its neighbours, in the order of its row.
function setX(items, rows) {
  for (const row of rows) {
    let x = 0;
    for (const item of row) {
      items[item].x = x + items[item].width / 2;
      x += items[item].width + NODE_GAP;
    }
    for (const item of row) items[item].x -= x / 2;
  }
  for (let round = 0; round < 30; round++) {
    for (const row of round % 2 ? rows : rows.toReversed()) {
      const wanted = row.map((item) => {
        const near = round < 24 ? items[item][round % 2 ? "up" : "down"] : [...items[item].up, ...items[item].down];
        const weight = near.reduce((sum, [, each]) => sum + each, 0);
        return {
          x: weight ? near.reduce((sum, [other, each]) => sum + items[other].x * each, 0) / weight : items[item].x,
          weight: weight || 0.1,
        };
      });
      spread(items, row, wanted);
    }
  }
}

// The places nearest to the wanted ones that keep order and gaps: least squares, blocks of equal shift.
function spread(items, row, wanted) {
  const starts = [];
  let offset = 0;
  row.forEach((item, i) => {
    if (i)
      offset += (items[row[i - 1]].width + items[item].width) / 2 + (items[item].bend && items[row[i - 1]].bend ? 4 : NODE_GAP);
    starts.push(offset);
  });
  const blocks = [];
  wanted.forEach(({ x, weight }, i) => {
    blocks.push({ sum: (x - starts[i]) * weight, weight, count: 1 });
    while (blocks.length > 1 && blocks.at(-2).sum / blocks.at(-2).weight > blocks.at(-1).sum / blocks.at(-1).weight) {
      const last = blocks.pop();
      const before = blocks.at(-1);
      before.sum += last.sum;
      before.weight += last.weight;
      before.count += last.count;
    }
  });
  let i = 0;
  for (const block of blocks) for (let k = 0; k < block.count; k++, i++) items[row[i]].x = block.sum / block.weight + starts[i];
}

// The points of each edge from tail to head; the edges of a node leave and arrive side by side.
function edgePaths(items, chains, turned) {
  const ports = chains.map(() => [0, 0]);
  items.forEach((item, node) => {
    for (const [end, other, side] of [
      [0, 1, 0],
      [-1, -2, 1],
    ]) {
      const here = chains.flatMap((chain, e) => (chain && chain.at(end) === node ? [e] : []));
      here.sort((a, b) => items[chains[a].at(other)].x - items[chains[b].at(other)].x || a - b);
      const gap = Math.min(18, (item.width * 0.62) / Math.max(1, here.length - 1));
      here.forEach((e, k) => {
        ports[e][side] = (k - (here.length - 1) / 2) * gap;
      });
    }
  });
  return chains.map((chain, e) => {
    if (!chain) return null;
    const upper = items[chain[0]];
    const lower = items[chain.at(-1)];
    const inner = chain
      .slice(1, -1)
      .flatMap((item) => [-1, 1].map((side) => [items[item].x, items[item].y + (side * items[item].tall) / 2])); // straight past the boxes of a row
    const all = [
      [upper.x + ports[e][0], upper.y + upper.height / 2],
      ...inner,
      [lower.x + ports[e][1], lower.y - lower.height / 2],
    ];
    return turned[e] ? all.reverse() : all;
  });
}
