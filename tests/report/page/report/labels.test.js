import assert from "node:assert/strict";
import { test } from "node:test";
import {
  intervalNote,
  intervalWords,
  leftOutWords,
  otherGroupsWords,
  shareWords,
} from "../../../../src/actalike/report/page/report/labels.js";

const NAMES = ["a", "b", "c", "d", "e"];
const text = (words) => words.map((word) => (typeof word === "string" ? word : NAMES[word.activity])).join("");

test("shares of every kind", () => {
  assert.equal(text(shareWords(["beside", 0.1, [0], -1])), "both come directly after a");
  assert.equal(text(shareWords(["beside", 0.1, [0, 1], 2])), "one comes two steps before a, the other before b, which are alike");
  assert.equal(text(shareWords(["beside", 0.1, [-1], -1])), "both begin the case");
  assert.equal(text(shareWords(["beside", 0.1, [-1], 3])), "both are near the end of the case (at most 2 events after them)");
  assert.equal(text(shareWords(["beside", -0.1, [0], 1])), "one more, the other less than usual: both come directly before a");
  assert.equal(text(shareWords(["seldom", 0.1, [0], -1])), "less than usual: both come directly after a");
  assert.equal(text(shareWords(["constant", 0.5, [], 0])), "what all activities of this log have in common");
  assert.equal(
    text(shareWords(["between", 0.1, [-1, 0, 1, 2], 2])),
    "both follow a at the beginning of the case and precede b → c",
  );
  assert.equal(text(shareWords(["among", 0.1, [0, 1, -1], 0])), "both have around them a, b and the outside of the case");
  assert.equal(text(shareWords(["like", 0.1, [3], 0])), "both are like d");
});

test("intervals", () => {
  assert.equal(intervalWords([0.9971, 0.99999]), "0.997 to 1.000");
  assert.equal(intervalWords([null, null]), "too rare to judge");
  assert.equal(intervalWords(null), "");
  assert.match(intervalNote({ draws: 100, intervals_checked: true }), /95 % intervals \(cases resampled 100 times\)\.$/);
  assert.match(intervalNote({ draws: 100, intervals_checked: false }), /too narrow/);
  assert.equal(intervalNote({ draws: 0, intervals_checked: true }), "");
});

test("a page says what it does not draw, and a whole page says nothing", () => {
  assert.equal(leftOutWords({ size: 28, facts: { activities: 28, events: 100 } }), "");
  const data = {
    size: 1000,
    facts: { activities: 5000, events: 80000 },
    left_out: { activities: 4000, events: 20000 },
  };
  assert.equal(
    leftOutWords(data),
    " The groups are those of all 5,000 activities. Drawn and compared are the 1,000 most frequent, which have 75\u00a0% of the events;" +
      " 4,000 rarer activities with 20,000 events are not.",
  );
});

test("the groups that are not proposed are counted", () => {
  const groups = (together, rare) => [
    ...Array(together).fill({ relation: "belong together" }),
    ...Array(rare).fill({ relation: "too rare to judge" }),
  ];
  assert.equal(otherGroupsWords(groups(0, 0)), "");
  assert.equal(otherGroupsWords(groups(1, 0)), "1 group belongs together");
  assert.equal(otherGroupsWords(groups(2, 1)), "2 groups belong together, 1 group is too rare to judge");
});
