import assert from "node:assert/strict";
import { test } from "node:test";
import { headline, sureness } from "../../../../src/actalike/report/page/two_logs/answer.js";
import { linkWords } from "../../../../src/actalike/report/page/two_logs/rows.js";

test("a link says how sure it is and who decided; the headline counts", () => {
  assert.equal(linkWords({ decision: "accepted", by: "actalike" }, 0.93, false), "93\u00a0% likely, accepted by actalike");
  assert.equal(linkWords({ decision: "accepted", by: "person" }, 1, true), "known, accepted by you");
  assert.equal(linkWords({ decision: "undecided", by: "actalike" }, null, false), "not among the likeliest, undecided");
  assert.equal(headline({ likely: 1, doubtful: 0, undecided: 3 }), "1 step is likely in both logs");
  assert.equal(headline({ likely: 14, doubtful: 1, undecided: 0 }), "14 steps are likely in both logs, 1 doubtful");
  assert.equal(headline({ likely: 0, doubtful: 5, undecided: 0 }), "No step is likely in both logs, 5 doubtful");
  assert.match(headline({ likely: 0, doubtful: 0, undecided: 3 }), /3 pairs of labels might be the same step: you decide/);
  assert.match(headline({ likely: 0, doubtful: 0, undecided: 0 }), /No label/);
});

test("what a person has accepted is neither doubted nor averaged, what is undecided may be doubtful", () => {
  const step = (probability, ...by) => ({ probability, decision: "accepted", links: by.map((one) => ({ link: { by: one } })) });
  const steps = [step(0.9, "actalike"), step(0.7, "actalike", "person"), step(0.1, "person"), step(null, "person")];
  assert.deepEqual(sureness(steps, 0.8), { own: 2, likely: 3, doubtful: 1, mean: 0.8 });
  assert.equal(sureness([step(0.1, "person")], 0.8).mean, null);
  const undecided = [0.6, 0.85].map((probability) => ({ ...step(probability, "actalike"), decision: "undecided" }));
  assert.deepEqual(sureness([...steps, ...undecided], 0.8), { own: 2, likely: 3, doubtful: 2, mean: 0.8 });
});
