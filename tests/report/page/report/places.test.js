import assert from "node:assert/strict";
import { test } from "node:test";
import { labelSpots, separate, spanningTree } from "../../../../src/actalike/report/page/report/map.js";
import { meets, touches } from "../../../../src/actalike/report/page/shared/graph.js";

test("dots that lie on each other part until half of each is seen, and stay in the picture", () => {
  const spots = [
    [50, 50],
    [50, 50],
    [51, 50],
  ];
  separate(spots, [8, 8, 8], 100, 100);
  for (const [i, a] of spots.entries()) for (const b of spots.slice(i + 1)) assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) > 8);
  assert.ok(spots.flat().every((value) => value >= 14 && value <= 86));
});

test("spots are joined by the shortest lines", () => {
  const lines = spanningTree([
    [0, 0],
    [10, 0],
    [1, 0],
  ]);
  assert.deepEqual(
    lines.map(([a, b]) => Math.abs(a[0] - b[0])),
    [1, 9],
  );
});

test("labels stand beside their dot, and frames meet what they cover", () => {
  const [right] = labelSpots([50, 50, 5], 30, false);
  assert.ok(right.left > 55);
  assert.ok(labelSpots([50, 50, 5], 30, true).length > 8);
  assert.ok(meets([0, 0, 2, 2], [1, 1, 3, 3]) && !meets([0, 0, 1, 1], [1, 0, 2, 1]));
  assert.ok(touches([0, 0, 2, 2], [3, 1, 1.5]) && !touches([0, 0, 2, 2], [3, 1, 0.5]));
});
