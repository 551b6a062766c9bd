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
  assert.match(verdictWords("synonyms"), /names of one step/);
  assert.match(verdictWords("alternatives"), /two names of one step, or two outcomes of one decision; you decide/);
  assert.match(verdictWords("belong together"), /^Belong together/);
  assert.match(verdictWords("too rare to judge"), /too rarely to judge/);
  assert.throws(() => verdictWords("mixed"), /unknown relation/);
});

test("witnesses of every kind; an unknown one is an error", () => {
  const words = (kind, more = {}, size = 2) => text(witnessWords({ kind, labels: [0, 1], members: 1, ...more }, size));
  assert.equal(words("text"), "spelled alike");
  assert.equal(words("text", {}, 4), "spelled alike (1 of 3)");
  assert.equal(words("pattern", { pattern: "Pay <b>…" }), "differ only in a number, an id, a date or a name: Pay <b>…");
  const days = { until: "2024-03-01", since: "2024-03-13" };
  assert.equal(words("periods", { earlier: 1, ...days }), "b used until 1 March 2024, a from 13 March 2024 on");
  assert.equal(words("periods", { earlier: 0, ...days }), "a used until 1 March 2024, b from 13 March 2024 on");
  assert.equal(words("people", { attribute: "org:group" }), "different people (org:group) use them, and otherwise do the same");
  assert.throws(() => words("rumour"), /unknown kind of witness/);
  assert.equal(dayWords("12024-12-31"), "31 December 12024");
  assert.equal(dayWords("-0044-03-15"), "-0044-03-15");
});

test("reasons of every kind, with figures that can be checked; an unknown one is an error", () => {
  const words = (kind, logOdds, figure, size) => reasonWords(reason(kind, logOdds, figure), size);
  assert.equal(words("any pair", -9), "two labels of a log are rarely one step");
  assert.equal(words("neighbours", 3, 0.82), "82\u00a0% of their neighbours are the same");
  assert.equal(words("neighbours", 3, 0.04), "4\u00a0% of their neighbours are the same; longer contexts count as well");
  assert.equal(words("neighbours", -3, 0.04), "4\u00a0% of their neighbours are the same");
  assert.equal(words("company", 1), "no other labels are clearly nearer to them");
  assert.equal(words("company", -1), "other labels are nearer to them");
  assert.equal(words("position", 1, 0.9), "90\u00a0% of their positions in the case are the same");
  assert.equal(words("cases", 3, 0), "never in the same case");
  assert.equal(words("cases", -3, 1), "always in the same cases");
  assert.equal(words("cases", -3, 0.4), "40\u00a0% of the rarer one's cases have both");
  assert.equal(words("cases", 3, 0.4, 3), "40\u00a0% of the rarer one's cases have both, on average: no more than by chance");
  assert.equal(words("rarity", -1, 17), "17 cases only");
  assert.equal(words("rarity", -1, 1), "1 case only");
  assert.equal(words("rarity", -0.2, 1234), "the rarer one is in 1,234 cases");
  assert.equal(words("text", 2, 0.95), "spelled alike");
  assert.equal(words("text", -2, 0.05), "spelled differently");
  assert.equal(words("opposites", -9), "their words say the opposite");
  assert.equal(words("pattern", 5), "differ only in a number, an id, a date or a name");
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
  assert.equal(probabilityOf(reasons), 1 / (1 + Math.exp(-3.5)));
  assert.deepEqual(
    mainReasons(reasons, [{ kind: "text" }]).map(({ kind }) => kind),
    ["cases", "company"],
  );
  assert.equal(mainReasons([reason("rarity", -0.6, 9)]).length, 1);
  assert.deepEqual([signed(3.14), signed(-0.55)], ["+3.1", "\u22120.6"]);
});

test("the groups that are not proposed are counted", () => {
  assert.equal(otherGroupsWords(0, 0), "");
  assert.equal(otherGroupsWords(1, 0), "1 group belongs together");
  assert.equal(otherGroupsWords(2, 1), "2 groups belong together, 1 group is too rare to judge");
});
