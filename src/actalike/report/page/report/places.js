// Places on the map: dots that part, labels beside dots, lines between them.

const OVERLAP = 0.55; // of two radii: half covered, a dot can still be seen and chosen, and its neighbours stay around it

// Moves dots that nearly coincide apart, as little as will do; they stay in the picture. Changes `spots`.
export function separate(spots, dotRadii, width, height) {
  const size = spots.length;
  const radii = dotRadii.map((radius) => radius * OVERLAP);
  const farthest = 2 * Math.max(...radii);
  const order = spots.map((_, i) => i);
  for (let round = 0; round < 40; round++) {
    let moved = false;
    order.sort((a, b) => spots[a][0] - spots[b][0] || a - b); // from left to right: only near ones are looked at
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const i = order[a];
        const j = order[b];
        const dx = spots[j][0] - spots[i][0];
        const dy = spots[j][1] - spots[i][1];
        if (dx >= farthest) break;
        const wanted = radii[i] + radii[j];
        if (dx >= wanted || dy >= wanted || dy <= -wanted || dx <= -wanted) continue;
        const apart = Math.hypot(dx, dy);
        if (apart >= wanted) continue;
        const turn = (i * 7 + j) * 2.399963;
        const ux = apart > 0.01 ? dx / apart : Math.cos(turn);
        const uy = apart > 0.01 ? dy / apart : Math.sin(turn);
        const push = (wanted - apart) / 2;
        const share = radii[j] / wanted; // the larger one moves less
        spots[i][0] -= ux * push * 2 * share;
        spots[i][1] -= uy * push * 2 * share;
        spots[j][0] += ux * push * 2 * (1 - share);
        spots[j][1] += uy * push * 2 * (1 - share);
        moved = true;
      }
    }
    if (!moved) break;
  }
  for (const spot of spots) {
    spot[0] = Math.max(14, Math.min(width - 14, spot[0]));
    spot[1] = Math.max(14, Math.min(height - 14, spot[1]));
  }
}

// Where the label of a dot may stand: beside it or, if `far`, a little away with a line to it. The best comes first.
export function labelSpots([x, y, radius], wide, far) {
  const spots = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [0.7, 0.7],
    [0.7, -0.7],
    [-0.7, 0.7],
    [-0.7, -0.7],
  ].map(([ux, uy]) => spotTowards(x, y, ux, uy, radius + 3, wide));
  if (!far) return spots;
  for (const away of [16, 30]) {
    for (const [ux, uy] of [
      [0.85, 0.5],
      [0.85, -0.5],
      [-0.85, 0.5],
      [-0.85, -0.5],
      [0.4, 0.9],
      [0.4, -0.9],
      [-0.4, 0.9],
      [-0.4, -0.9],
    ]) {
      const reach = radius + away;
      spots.push({
        ...spotTowards(x, y, ux, uy, reach, wide),
        line: [x + ux * radius, y + uy * radius, x + ux * (reach - 1), y + uy * (reach - 1)],
      });
    }
  }
  return spots;
}

function spotTowards(x, y, ux, uy, reach, wide) {
  const left = x + ux * reach - (ux > 0.1 ? 0 : ux < -0.1 ? wide : wide / 2);
  return { left, top: y + uy * reach - 7 + uy * 5 };
}

// The shortest lines that join all spots: a minimum spanning tree.
export function spanningTree(spots) {
  const lines = [];
  const near = spots.map((spot) => ({ apart: Math.hypot(spot[0] - spots[0][0], spot[1] - spots[0][1]), to: 0 }));
  const joined = new Set([0]);
  while (joined.size < spots.length) {
    let next = -1;
    for (let i = 0; i < spots.length; i++) if (!joined.has(i) && (next < 0 || near[i].apart < near[next].apart)) next = i;
    lines.push([spots[near[next].to], spots[next]]);
    joined.add(next);
    for (let i = 0; i < spots.length; i++) {
      const apart = Math.hypot(spots[i][0] - spots[next][0], spots[i][1] - spots[next][1]);
      if (apart < near[i].apart) near[i] = { apart, to: next };
    }
  }
  return lines;
}
