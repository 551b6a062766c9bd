import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BenchmarkData,
  bytesText,
  Choices,
  ordinal,
  quantile,
  secondsText,
} from "../../../../src/actalike/report/page/benchmark/data.js";

const example = () =>
  new Choices(
    new BenchmarkData({
      logs: [{ name: "x" }, { name: "y" }],
      methods: [
        { name: "one", family: "f", window: 3 },
        { name: "two", family: "g", window: null },
        { name: "three", family: "g", window: 5 },
      ],
      columns: [
        {
          title: "I_nn",
          kind: "share",
          of: "Intrinsic",
          values: [
            [0.5, 0.7],
            [0.9, 0.9],
            [1, null],
          ],
        },
        {
          title: "seconds",
          kind: "seconds",
          of: "Speed",
          values: [
            [1, 100],
            [5, null],
            [null, null],
          ],
        },
      ],
      failures: [{ of: "intrinsic", method: 2, log: 1, error: "no luck" }],
      draws: { 2: "AAABAQAB" }, // the logs 0 0, 1 1, 0 1
    }),
  );

test("rows are sorted by the mean; a mean over fewer logs has no place", () => {
  const choices = example();
  assert.deepEqual(
    choices.rows.map((row) => row.method.name),
    ["three", "two", "one"],
  );
  assert.deepEqual([...choices.places[0]].sort(), [
    [0, 2],
    [1, 1],
  ]);
  choices.sortBy(1);
  assert.deepEqual(
    choices.rows.map((row) => [row.id, row.figures[1]?.value.toFixed(1)]),
    [
      [1, "5.0"],
      [0, "10.0"],
      [2, undefined],
    ],
  );
});

test("filters leave rows out, and choosing logs changes the means", () => {
  const choices = example();
  choices.query = "T";
  choices.choose(choices.families, ["g"]);
  assert.deepEqual(
    choices.rows.map((row) => row.id),
    [2, 1],
  );
  choices.query = "";
  choices.choose(choices.logs, [1]);
  assert.deepEqual(
    choices.rows.map((row) => row.id),
    [1],
  );
});

test("intervals are quantiles of means of resampled logs; failures belong to their benchmark", () => {
  const { data } = example();
  assert.equal(quantile([0, 1, 2], 0.25), 0.5);
  const [low, high] = data.interval([0, 1]);
  assert.ok(low > 0 && low < 0.1 && high > 0.9 && high < 1);
  assert.equal(data.interval([1]), null);
  assert.equal(data.failure(data.columns[0], 2, 1).error, "no luck");
  assert.equal(data.failure(data.columns[1], 2, 1), undefined);
});

test("figures have units that fit", () => {
  assert.deepEqual([1234, 2.34, 0.0123, 0.0000012].map(secondsText), ["1,234 s", "2.3 s", "12 ms", "1.2 µs"]);
  assert.deepEqual([0.9999, 0.345, 0.0999, 0.00055].map(secondsText), ["1000 ms", "345 ms", "100 ms", "550 µs"]);
  assert.deepEqual([2.5e9, 2.5e6, 2500, 12].map(bytesText), ["2.5 GB", "2.5 MB", "3 kB", "12 B"]);
  assert.deepEqual([1, 2, 3, 4, 11, 21, 112].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "21st", "112th"]);
});
