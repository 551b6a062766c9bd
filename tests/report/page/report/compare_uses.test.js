import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countSteps,
  differences,
  examplesOf,
  neighbourRows,
  overlap,
  overTime,
  peopleRows,
  separatePeriods,
  together,
} from "../../../../src/actalike/report/page/report/compare_uses.js";
import { NOT_SHOWN, OUTSIDE } from "../../../../src/actalike/report/page/report/data.js";

// x a y, x b y, b z; an activity that is not shown comes after one b; 0 is a, 1 is b, 2 is x, 3 is y, 4 is z
const data = {
  counts: [1, 3, 2, 2, 1],
  follows: {
    first: [2, 0, 2, 1, 1],
    second: [0, 3, 1, 3, 4],
    counts: [1, 1, 1, 1, 1],
    starts: [0, 2, 2, 0, 0],
    ends: [0, 0, 0, 2, 1],
  },
  timeline: {
    unit: "day",
    starts: ["2024-01-01", "2024-01-02"],
    counts: [
      [1, 0],
      [1, 2],
      [2, 0],
      [1, 1],
      [0, 1],
    ],
  },
  uses: {
    periods: [
      ["2024-01-01", "2024-01-01", "1 Jan", "1 Jan"],
      ["2024-01-02", "2024-02-01", "2 Jan", "1 Feb"],
      ["2024-01-01", "2024-01-09", "1 Jan", "9 Jan"],
      null,
      null,
    ],
    people: [
      {
        name: "User",
        values: ["Sue", "Bob"],
        labels: [
          [0, 0, 0, 1],
          [1, 0, 1, 2],
          [0, 1, 0, 1],
          [2, 0],
          [0, 0, 1, 1],
        ],
      },
    ],
    share: (i, j) => (i + j === 1 ? 0 : 0.5),
    exact: (i, j) => (i + j === 3 ? [2, 1] : null),
  },
};

test("neighbours are set side by side with counts and shares, the rest and the ends of cases too", () => {
  const after = neighbourRows(data, "after", [0], [1]);
  assert.deepEqual(
    after.map(({ key, countA, countB }) => [key, countA, countB]),
    [
      [3, 1, 1],
      [NOT_SHOWN, 0, 1],
      [4, 0, 1],
    ],
  );
  assert.equal(after[0].shareB, 1 / 3);
  const before = neighbourRows(data, "before", [0], [1]);
  assert.deepEqual(
    before.map(({ key, countA, countB }) => [key, countA, countB]),
    [
      [2, 1, 1],
      [OUTSIDE, 0, 2],
    ],
  );
  assert.equal(overlap(data, [0], [1]), 1 / 3);
});

test("a group has the neighbours of its members together", () => {
  const y = neighbourRows(data, "after", [0, 1], [2]).find(({ key }) => key === 3);
  assert.deepEqual([y.countA, y.shareA, y.countB], [2, 0.5, 0]);
});

test("neighbours that are accepted as one step count as one, but not with a side", () => {
  const own = { ...data };
  countSteps(own, [{ members: [3, 4] }, { members: [0, 2] }]);
  const after = neighbourRows(own, "after", [0], [1]);
  assert.deepEqual(after.find(({ key }) => key === 3).countB, 2);
  assert.equal(
    after.find(({ key }) => key === 4),
    undefined,
  );
  assert.equal(neighbourRows(own, "before", [0], [1]).find(({ key }) => key === 2).countA, 1);
});

test("the largest differences come first, those with activities that are not shown do not count", () => {
  const found = differences(data, [0], [1], 0.05, 9).map(({ where, key }) => `${where} ${key}`);
  assert.deepEqual(found.slice(0, 3).sort(), ["after 3", `before ${OUTSIDE}`, "before 2"].sort());
  assert.deepEqual(found.slice(3), ["after 4"]);
});

test("timelines of groups are added", () => {
  assert.deepEqual(overTime(data, [0, 1], [4]).countsA, [2, 2]);
  assert.equal(overTime({ ...data, timeline: null }, [0], [1]), null);
});

test("one side replaces another if it is used later at the same place", () => {
  assert.deepEqual(separatePeriods(data, [1], [0]), { earlier: 1, until: "1 Jan", since: "2 Jan", replaces: true });
  assert.equal(separatePeriods(data, [0], [2]), null);
  assert.equal(separatePeriods(data, [0], [3]), null);
  assert.equal(separatePeriods(data, [1], [0, 2]), null);
});

test("people are compared, and what is not recorded or not listed is counted", () => {
  const [users] = peopleRows(data, [0], [1]);
  assert.deepEqual(
    users.rows.map(({ value, countA, countB }) => [value, countA, countB]),
    [
      ["Sue", 1, 0],
      ["Bob", 0, 2],
    ],
  );
  assert.deepEqual([users.inCommon, users.missing, users.unlisted, users.isLeast], [0, [0, 1], [0, 0], false]);
  assert.equal(peopleRows(data, [0], [3])[0].inCommon, null);
  assert.deepEqual(peopleRows({ ...data, uses: { people: null } }, [0], [1]), []);
});

test("examples of a group come from its members in turn", () => {
  const examples = [["a1", "a2"], ["b1"], ["c1", "c2"]];
  assert.deepEqual(examplesOf({ uses: { examples } }, [0, 1, 2], 4), ["a1", "b1", "c1", "a2"]);
  assert.deepEqual(examplesOf({ uses: { examples } }, [1], 4), ["b1"]);
});

test("groups of which no two members share a case are never together", () => {
  const apart = { ...data, uses: { ...data.uses, share: () => 0 } };
  assert.equal(together(apart, [0, 1], [2]).share, 0);
});

test("cases in common are known of two single activities", () => {
  assert.deepEqual(together(data, [0], [1]), { aBeforeB: 0, bBeforeA: 0, share: 0, cases: 0, instants: 0 });
  assert.deepEqual(together(data, [1], [2]), { aBeforeB: 0, bBeforeA: 1, share: 0.5, cases: 2, instants: 1 });
  assert.deepEqual(together(data, [2], [4]), { aBeforeB: 0, bBeforeA: 0, share: 0.5, cases: null, instants: null });
  assert.deepEqual(together(data, [0, 1], [2]), { aBeforeB: 0, bBeforeA: 2, share: null, cases: null, instants: null });
});
