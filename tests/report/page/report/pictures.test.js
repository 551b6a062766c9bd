import assert from "node:assert/strict";
import { test } from "node:test";
import { flowGraph } from "../../../../src/actalike/report/page/report/flow.js";
import { labelSpots, separate } from "../../../../src/actalike/report/page/report/map.js";
import { timeRows } from "../../../../src/actalike/report/page/report/time.js";
import { caseSteps } from "../../../../src/actalike/report/page/shared/controls.js";
import {
  edgesNeeded,
  frequentPart,
  layeredLayout,
  meets,
  partWithShare,
  touches,
} from "../../../../src/actalike/report/page/shared/graph.js";

const node = (position, end) => ({ width: 40, height: 20, position, end });
const chain = [node(-1, "start"), node(0.1), node(0.5), node(0.8), node(2, "end")];
const edges = [
  [0, 1, 9],
  [1, 2, 9],
  [2, 3, 8],
  [3, 4, 8],
  [3, 1, 2],
  [2, 2, 1],
].map(([from, to, count]) => ({ from, to, count }));

test("steps are rows from the start to the end; an arrow that goes back goes up; a loop has no path", () => {
  const { items, paths, width, height } = layeredLayout(chain, edges);
  const rows = chain.map((_, i) => items[i].y);
  assert.deepEqual(
    rows,
    rows.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(rows).size, 5);
  assert.ok(paths[4].at(-1)[1] < paths[4][0][1]);
  assert.equal(paths[5], null);
  for (const item of items)
    assert.ok(item.x - item.width / 2 >= -1e-9 && item.x + item.width / 2 <= width + 1e-9 && item.y <= height);
});

test("boxes of a row do not overlap", () => {
  const wide = [node(-1, "start"), ...Array.from({ length: 6 }, (_, i) => node(i / 10)), node(2, "end")];
  const fan = wide.slice(1, -1).flatMap((_, i) => [
    { from: 0, to: i + 1, count: 6 - i },
    { from: i + 1, to: 7, count: 6 - i },
  ]);
  const { items } = layeredLayout(wide, fan);
  const row = items.slice(1, 7).toSorted((a, b) => a.x - b.x);
  for (let i = 1; i < row.length; i++) assert.ok(row[i].x - row[i - 1].x >= 40);
});

const data = {
  size: 3,
  labels: ["a", "b", "c"],
  counts: [4, 3, 2],
  cases: [4, 3, 2],
  name: (i) => "abc"[i],
  secondName: () => null,
  positions: [0.1, 0.5, 0.9].map((mean) => [0, mean]),
  follows: { first: [0, 1, 0], second: [1, 2, 2], counts: [3, 2, 1], starts: [4, 0, 0], ends: [0, 1, 3] },
};

test("the graph counts steps; members of a group are one node", () => {
  const choices = { groupOf: [null, null, null], stepName: () => "step" };
  const whole = flowGraph(data, choices, [null, null, null]);
  assert.deepEqual([whole.nodes.length, whole.edges.length, whole.steps], [5, 6, 14]);
  const group = { id: 7 };
  const merged = flowGraph(data, choices, [null, group, group]);
  assert.deepEqual(
    merged.nodes.map(({ label, count }) => [label, count]),
    [
      ["a", 4],
      ["step", 5],
      ["start", undefined],
      ["end", undefined],
    ],
  );
  assert.equal(edgesNeeded(whole, 0.5), 2);
});

test("what is drawn is connected with the start and the end", () => {
  const choices = { groupOf: [null, null, null] };
  const part = frequentPart(flowGraph(data, choices, [null, null, null]), 2);
  const labels = part.edges.map(({ from, to }) => [part.nodes[from].label, part.nodes[to].label].join(" "));
  assert.deepEqual(new Set(labels), new Set(["start a", "a b", "b end"]));
  assert.equal(part.connecting, 1);
});

test("the smallest part with a share counts the arrows that connect it", () => {
  const whole = flowGraph(data, { groupOf: [null, null, null] }, [null, null, null]);
  for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
    const part = partWithShare(whole, share);
    const fewer = part.edges.length - part.connecting - 1;
    assert.ok(part.share >= share);
    assert.ok(fewer < 1 || frequentPart(whole, fewer).share < share);
  }
});

test("labels that are left out take their arrows with them, and still count as steps", () => {
  const choices = { groupOf: [null, null, null] };
  const whole = flowGraph(data, choices, [null, null, null]);
  const part = flowGraph(data, choices, [null, null, null], (i) => i !== 1);
  assert.equal(part.steps, whole.steps);
  assert.equal(part.nodes.length, whole.nodes.length - 1);
  assert.equal(
    part.edges.reduce((sum, edge) => sum + edge.count, 0),
    1 + 4 + 3, // from 0 to 2, from the start to 0, from 2 to the end
  );
});

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

test("labels stand beside their dot, and frames meet what they cover", () => {
  const [right] = labelSpots([50, 50, 5], 30, false);
  assert.ok(right.left > 55);
  assert.ok(labelSpots([50, 50, 5], 30, true).length > 8);
  assert.ok(meets([0, 0, 2, 2], [1, 1, 3, 3]) && !meets([0, 0, 1, 1], [1, 0, 2, 1]));
  assert.ok(touches([0, 0, 2, 2], [3, 1, 1.5]) && !touches([0, 0, 2, 2], [3, 1, 0.5]));
});

const counts = [
  [0, 2, 1],
  [3, 0, 0],
  [0, 0, 0],
  [1, 1, 0],
];
const groupOf = [null, { number: 2 }, null, { number: 1 }];
const rows = (order, isShown = () => true) => timeRows(counts, groupOf, isShown, order);

test("rows are the labels that were used in the period, in the order that was chosen", () => {
  assert.deepEqual(rows("first"), [1, 3, 0]);
  assert.deepEqual(rows("group"), [3, 1, 0]);
  assert.deepEqual(rows("frequency"), [0, 1, 3]);
  assert.deepEqual(
    rows("first", (i) => i !== 1),
    [3, 0],
  );
});

test("the filter ends where two labels are left", () => {
  assert.deepEqual(caseSteps([500, 12, 3, 1]), [1, 2, 3, 5, 7, 10]);
  assert.deepEqual(caseSteps([1]), [1]);
});
