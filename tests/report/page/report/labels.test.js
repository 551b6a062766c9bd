import assert from "node:assert/strict";
import { test } from "node:test";
import { intervalWords, otherGroupsWords } from "../../../../src/actalike/report/page/report/labels.js";
import { filled } from "../../../../src/actalike/report/page/shared/dom.js";

test("a template that Python sends is filled with whatever the page has", () => {
  assert.deepEqual(filled("{a} is used in 5 % of {b}.", { a: "A", b: ["B", 1] }), [
    "",
    "A",
    " is used in 5\u00a0% of ",
    ["B", 1],
    ".",
  ]);
});

test("intervals", () => {
  assert.equal(intervalWords([0.9971, 0.99999]), "0.997 to 1.000");
  assert.equal(intervalWords([null, null]), "too rare to judge");
  assert.equal(intervalWords(null), "");
});

test("the groups that are not proposed are counted", () => {
  const groups = (together, rare) => [
    ...Array(together).fill({ relation: "belong together" }),
    ...Array(rare).fill({ relation: "too rare to judge" }),
  ];
  assert.equal(otherGroupsWords(groups(0, 0)), "");
  assert.equal(otherGroupsWords(groups(1, 0)), "1 group belongs together");
  assert.equal(otherGroupsWords(groups(2, 1)), "2 groups belong together, 1 group is too rare to judge");
  assert.equal(otherGroupsWords([{ relation: "same name" }]), "1 group has one name for different codes");
});
