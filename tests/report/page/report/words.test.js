import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cautionWords,
  contextShareWords,
  contextWords,
  intervalNote,
  intervalWords,
  leftOutWords,
  shareWords,
  togetherWords,
} from "../../../../src/actalike/report/page/report/words.js";

const NAMES = ["a", "b", "c", "d", "e"];
const text = (words) => words.map((word) => (typeof word === "string" ? word : NAMES[word.activity])).join("");
const limits = { enough_cases: 5, thin_cases: 20 };

test("contexts", () => {
  assert.equal(text(contextWords([2, 2, 0, 1, 0.1, 0.2])), "Both follow a and precede b");
  assert.equal(text(contextWords([3, 3, -1, null, 0.1, 0.2])), "All begin the case");
  assert.equal(text(contextWords([2, 3, null, -1, 0.1, 0.2])), "2 of them end the case");
  assert.equal(contextShareWords([2, 2, 0, 1, 0.1, 0.1]), "10\u00a0% of events");
  assert.equal(contextShareWords([2, 2, 0, 1, 0.001, 0.2]), "under 1\u00a0% to 20\u00a0% of events");
});

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

test("cautions of every kind; an unknown one is an error", () => {
  const words = (kind, labels = []) => text(cautionWords({ kind, labels }, limits));
  assert.equal(words("too rare", [0, 1, 2, 3, 4]), "in fewer than 5 cases, too rare to judge by behaviour: a, b, c and 2 more");
  assert.equal(words("few cases", [0]), "in fewer than 20 cases, so the evidence is thin: a");
  assert.equal(words("opposites", [0, 1]), "their words say the opposite: a and b");
  assert.throws(() => words("surprising"), /unknown kind of caution/);
});

test("intervals", () => {
  assert.equal(intervalWords([0.9971, 0.99999]), "0.997 to 1.000");
  assert.equal(intervalWords([null, null]), "too rare to judge");
  assert.equal(intervalWords(null), "");
  assert.match(intervalNote({ draws: 100, intervals_checked: true }), /95 % intervals \(cases resampled 100 times\)\.$/);
  assert.match(intervalNote({ draws: 100, intervals_checked: false }), /too narrow/);
  assert.equal(intervalNote({ draws: 0, intervals_checked: true }), "");
  assert.equal(togetherWords(0.00001), "under 1\u00a0% of their cases have two or more of them.");
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
