import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dayWords,
  likelyWords,
  mainReasons,
  otherGroupsWords,
  pairWords,
  probabilityOf,
  reasonWords,
  shortVerdict,
  signed,
  verdictWords,
  witnessWords,
} from "../../../../src/actalike/report/page/report/reasons.js";

const NAMES = ["a", "b", "c"];
const text = (words) => words.map((word) => word.text ?? (typeof word === "string" ? word : NAMES[word.activity])).join("");
const reason = (kind, logOdds, figure = null) => ({ kind, logOdds, figure });

test("verdicts about every relation; an unknown one is an error", () => {
  assert.equal(likelyWords(0.934), "93\u00a0% likely one step");
  assert.equal(pairWords(0.999, 0.82), "over 99\u00a0% likely one step, 82\u00a0% of neighbours the same");
  assert.equal(verdictWords("synonyms", 0.93), "93\u00a0% likely one step");
  assert.match(
    verdictWords("alternatives", 0.93),
    /^take the same place: two names .* two outcomes of one decision; you decide$/,
  );
  assert.match(verdictWords("belong together", 0.93), /^belong together: /);
  assert.equal(verdictWords("too rare to judge", 0.93), "too rare to judge");
  assert.deepEqual(
    ["synonyms", "alternatives", "belong together", "too rare to judge", null].map((relation) => shortVerdict(relation, 0.93)),
    ["93\u00a0%", "take the same place", "belong together", "too rare to judge", "93\u00a0%"],
  );
  assert.throws(() => verdictWords("mixed", 0.93), /unknown relation/);
});

test("witnesses of every kind; an unknown one is an error", () => {
  const words = (kind, more = {}, size = 2) => text(witnessWords({ kind, labels: [0, 1], members: 1, ...more }, size));
  assert.equal(words("text"), "spelled alike");
  assert.equal(words("text", {}, 4), "spelled alike (1 of 3)");
  assert.equal(words("pattern", { pattern: "Pay <b>…" }), "they differ only in what varies in Pay <b>…");
  const days = { until: "2024-03-01", since: "2024-03-13" };
  assert.equal(
    words("periods", { earlier: 1, ...days }),
    "a is used from 13 March 2024 on, b until 1 March 2024 (95 % of their cases)",
  );
  assert.equal(
    words("periods", { earlier: 0, ...days }),
    "b is used from 13 March 2024 on, a until 1 March 2024 (95 % of their cases)",
  );
  assert.equal(
    words("people", { attribute: "org:group" }),
    "different people use them (org:group), and otherwise do the same work",
  );
  assert.throws(() => words("rumour"), /unknown kind of witness/);
  assert.equal(dayWords("12024-12-31"), "31 December 12024");
  assert.equal(dayWords("-0044-03-15"), "-0044-03-15");
});

test("reasons of every kind, with figures that can be checked; an unknown one is an error", () => {
  const words = (kind, logOdds, figure, size) => reasonWords(reason(kind, logOdds, figure), size);
  assert.equal(words("any pair", -9), "any two labels: few are one step");
  assert.equal(words("neighbours", 3, 0.82), "82\u00a0% of their neighbours are the same");
  assert.equal(
    words("neighbours", 3, 0.04),
    "4\u00a0% of their neighbours are the same; but their contexts rank high among each other's",
  );
  assert.equal(words("neighbours", -3, 0.04, 3), "4\u00a0% of their neighbours are the same on average");
  assert.equal(words("company", 1), "the steps around them are alike, near and far, compared with other labels");
  assert.equal(words("company", -1), "the steps around them are less alike than those of other labels");
  assert.equal(words("position", 1, 0.9), "90\u00a0% of their positions in the case are the same");
  assert.equal(words("cases", 3, 0), "never in the same case");
  assert.equal(words("cases", -3, 0.4), "40\u00a0% of the cases of the rarer one have both");
  assert.match(words("cases", 3, 0.4, 3), /have both on average, no more than chance and repetition explain$/);
  assert.equal(words("rarity", -1, 1), "the rarer one is in 1 case");
  assert.equal(words("rarity", -0.2, 1234), "the rarer one is in 1,234 cases");
  assert.equal(words("text", 2, 0.95), "they are spelled 95\u00a0% alike");
  assert.equal(words("opposites", -9), "their words say the opposite");
  assert.equal(words("pattern", 5), "they differ only in a number, an id, a date or a name");
  assert.throws(() => words("surprise", 1), /unknown kind of reason/);
});

test("the reasons sum to the probability, and the weighty ones are told", () => {
  const reasons = [
    reason("any pair", -9),
    reason("company", 6),
    reason("cases", 5, 0),
    reason("text", 2, 1),
    reason("rarity", -0.6, 90),
    reason("position", 0.1, 1),
  ];
  assert.equal(probabilityOf(reasons).toFixed(9), (1 / (1 + Math.exp(-3.5))).toFixed(9));
  const told = (some, witnesses) => mainReasons(some, witnesses).map(({ kind }) => kind);
  assert.deepEqual(told(reasons), ["cases", "text"]);
  assert.deepEqual(told(reasons, [{ kind: "text" }]), ["cases"]);
  assert.deepEqual(told([reason("company", -1)]), ["company"]);
  assert.deepEqual([signed(3.14), signed(-0.55)], ["+3.1", "\u22120.6"]);
});

test("the groups that are not proposed are counted", () => {
  assert.equal(otherGroupsWords(0, 0), "");
  assert.equal(otherGroupsWords(1, 0), "1 group belongs together");
  assert.equal(otherGroupsWords(2, 1), "2 groups belong together, 1 group is too rare to judge");
});
