import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixRows, meanStep } from "../../../../src/actalike/report/page/report/matrix.js";

const group = { id: 7 };
const groupOf = [group, null, group, null];

test("a folded group is one row where its first member stands", () => {
  const rows = matrixRows([3, 2, 1, 0], groupOf, new Set([7]), () => true);
  assert.deepEqual(
    rows.map(({ members }) => members),
    [[3], [2, 0], [1]],
  );
  assert.deepEqual(
    rows.map((row) => row.group),
    [null, group, null],
  );
});

test("what is left out has no row, and a group of one that is left is that activity", () => {
  const rows = matrixRows([3, 2, 1, 0], groupOf, new Set([7]), (i) => i !== 0);
  assert.deepEqual(
    rows,
    [3, 2, 1].map((i) => ({ members: [i], group: null })),
  );
});

test("the mean of a cell is over all pairs of different activities", () => {
  const triangle = { step: (i, j) => 10 * i + 10 * j };
  assert.equal(meanStep(triangle, { members: [0, 2] }, { members: [1] }), 20);
  assert.equal(meanStep(triangle, { members: [0, 2] }, { members: [0, 2] }), 20);
  assert.equal(meanStep(triangle, { members: [1] }, { members: [1] }), null);
});
