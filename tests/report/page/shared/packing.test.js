import assert from "node:assert/strict";
import { test } from "node:test";
import { Percentages, unpack, unpackRuns } from "../../../../src/actalike/report/page/shared/packing.js";
import { percent } from "../../../../src/actalike/report/page/shared/texts.js";

test("whole numbers are unpacked, least byte first", () => {
  assert.deepEqual([...unpack("AQACAQ==", Uint16Array)], [1, 258]);
});

test("percentages read as those of report/packing.py, in both directions", () => {
  const shares = new Percentages(btoa(String.fromCharCode(0, 1, 2, 43, 101, 102)), 4);
  const cells = [shares.at(0, 1), shares.at(0, 2), shares.at(3, 0), shares.at(1, 2), shares.at(1, 3), shares.at(3, 2)];
  assert.deepEqual(
    cells.map((share) => percent(share).replace("\u00a0", " ")),
    ["0 %", "under 1 %", "1 %", "42 %", "over 99 %", "100 %"],
  );
});

test("runs of zeros and numbers of any size are unpacked", () => {
  assert.deepEqual([...unpackRuns(btoa(String.fromCharCode(5, 0, 3, 172, 2)), 5)], [5, 0, 0, 0, 300]);
  const large = String.fromCharCode(128, 128, 128, 128, 128, 1); // 2 to the power of 35
  assert.deepEqual([...unpackRuns(btoa(large + String.fromCharCode(0, 2)), 3)], [2 ** 35, 0, 0]);
  assert.deepEqual([...unpackRuns("", 0)], []);
});
