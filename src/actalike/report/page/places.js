// Places in a picture: dots that part, labels beside dots, lines between them.

function partSpots(spots, radius, width, height) {
  // dots that lie on each other move apart, as little as will do, and stay in the picture
  const radii = data.labels.map((_, i) => radius(i) * 0.92);
  const most = 2 * Math.max(...radii);
  const order = data.labels.map((_, i) => i);
  for (let round = 0; round < 40; round++) {
    let moved = false;
    order.sort((a, b) => spots[a][0] - spots[b][0] || a - b); // from left to right: only near ones are looked at
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b < size; b++) {
        const i = order[a];
        const j = order[b];
        const dx = spots[j][0] - spots[i][0];
        const dy = spots[j][1] - spots[i][1];
        if (dx >= most) break;
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

function labelSpots([x, y, radius], wide, far) {
  // beside a dot, or a little away, with a line to it
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

const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const touches = (frame, [x, y, radius]) =>
  Math.hypot(x - Math.max(frame[0], Math.min(x, frame[2])), y - Math.max(frame[1], Math.min(y, frame[3]))) < radius;

function spanning(spots) {
  // the shortest lines that join all spots
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
