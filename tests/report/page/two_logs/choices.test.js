import assert from "node:assert/strict";
import { test } from "node:test";
import { TwoLogChoices } from "../../../../src/actalike/report/page/two_logs/choices.js";
import { TwoLogs } from "../../../../src/actalike/report/page/two_logs/data.js";
import { commonGraph, edgeKind } from "../../../../src/actalike/report/page/two_logs/flows.js";
import {
  accept,
  confirm,
  matchingText,
  noPartner,
  reject,
  takeBack,
} from "../../../../src/actalike/report/page/two_logs/links.js";

const packed = (numbers, Numbers) => Buffer.from(Numbers.from(numbers).buffer).toString("base64");

// Each case of A is order, check, pay; of B 1, 2 or 1, 3: check is split, and pay has no partner.
const log = (labels, title, arrows, starts, ends) => ({
  labels,
  title,
  names: null,
  counts: labels.map(() => 4),
  cases: labels.map(() => 4),
  positions: labels.map((_, i) => i / 3),
  facts: { cases: 4, events: 12, activities: 3 },
  follows: {
    first: packed(
      arrows.map(([from]) => from),
      Uint16Array,
    ),
    second: packed(
      arrows.map(([, to]) => to),
      Uint16Array,
    ),
    counts: packed(
      arrows.map(([, , count]) => count),
      Uint32Array,
    ),
    starts,
    ends,
  },
});
const data = () =>
  new TwoLogs({
    logs: [
      log(
        ["order", "check", "pay"],
        "ours",
        [
          [0, 1, 4],
          [1, 2, 4],
        ],
        [4, 0, 0],
        [0, 0, 4],
      ),
      log(
        ["1", "2", "3"],
        "theirs",
        [
          [0, 1, 3],
          [0, 2, 1],
        ],
        [4, 0, 0],
        [0, 3, 1],
      ),
    ],
    pairs: [
      [0, 0, 0.9],
      [1, 1, 0.8],
    ],
    splits: [[0, 1, [1, 2], 0.7]],
    known: [],
    alone: [[[2, 0.6]], []],
    candidates: [
      [
        [[0, 0.9]],
        [
          [1, 0.8],
          [2, 0.3],
        ],
        [],
      ],
      [[[0, 0.9]], [[1, 0.8]], [[1, 0.3]]],
    ],
    reasons: [[0, 0, [[0.5, -1, -1, -1]]]],
    at_least: 0.5,
    least: 0.5,
    decisions: null,
  });

test("steps, labels without a partner and rejected pairs follow from the decisions", () => {
  const page = { data: data() };
  page.choices = new TwoLogChoices(page.data);
  const brief = () => page.choices.steps.map(({ a, b, decision }) => [a, b, decision]);
  assert.deepEqual(brief(), [
    [[0], [0], "accepted"],
    [[1], [1, 2], "accepted"],
  ]);
  assert.deepEqual(page.choices.unmatched, [[2], []]);
  page.choices.apply(reject(page.choices.state, "check", "3"));
  assert.deepEqual(page.choices.unmatched, [[2], [2]]);
  assert.equal(page.choices.rejected.length, 0); // "check" has another partner
  page.choices.apply(reject(page.choices.state, "check", "2"));
  assert.equal(page.choices.rejected.length, 2);
  page.choices.undo();
  page.choices.apply(accept(page.choices.state, "pay", "3"));
  assert.deepEqual(page.choices.steps.at(-1).probability, null); // nobody had thought of it
  page.choices.undo();
  page.choices.apply(noPartner(page.choices.state, 0, "pay"));
  assert.ok(page.choices.isAlone[0].has("pay"));
  assert.equal(page.data.probability(1, 2), 0.7);
  assert.deepEqual(page.data.reasons(0, 0), [[0.5, -1, -1, -1]]);
});

test("doubtful parts of a split are undecided as one step, and are accepted together or beside each other", () => {
  const begun = (at_least) => new TwoLogChoices(Object.assign(data(), { at_least }));
  const brief = ({ steps }) => steps.map(({ a, b, decision }) => [a, b, decision]);
  const open = ({ steps }) => steps.filter(({ decision }) => decision === "undecided");
  const all = [
    [[0], [0], "accepted"],
    [[1], [1, 2], "accepted"],
  ];
  const choices = begun(0.85);
  assert.deepEqual(brief(choices), [all[0], [[1], [1, 2], "undecided"]]);
  assert.deepEqual(choices.unmatched, [[2], []]);
  choices.apply(choices.accepting(open(choices)));
  assert.deepEqual(brief(choices), all);
  const further = begun(0.75); // the first part is likely, the second is not
  assert.deepEqual(brief(further), [all[0], [[1], [1], "accepted"], [[1], [2], "undecided"]]);
  further.apply(further.accepting(open(further)));
  assert.deepEqual(brief(further), all);
  const rival = begun(0.75);
  rival.apply(accept(rival.state, "check", "1")); // the label of the split has a partner of another step
  assert.deepEqual(brief(rival), [[[1], [0], "accepted"]]);
  const rivals = begun(0.95);
  rivals.apply(takeBack(accept(rivals.state, "order", "2"), "order", "2"));
  assert.equal(open(rivals).length, 3);
  rivals.apply(rivals.accepting(open(rivals)));
  assert.deepEqual(brief(rivals), all); // the first ones win
});

test("the flows of both logs are one graph, and what differs is told", () => {
  const page = { data: data() };
  page.choices = new TwoLogChoices(page.data);
  const { nodes, edges } = commonGraph(page);
  assert.deepEqual(
    nodes.map(({ label }) => label),
    ["order", "check", "pay", "start", "end"],
  );
  const find = (from, to) => edges.find((edge) => nodes[edge.from].label === from && nodes[edge.to].label === to);
  assert.deepEqual(find("order", "check").counts, [4, 4]);
  assert.equal(edgeKind(find("order", "check"), 0), "same");
  assert.equal(edgeKind(find("check", "pay"), 0), "only");
  assert.equal(edgeKind(find("check", "pay"), 1), "none");
  assert.deepEqual(find("check", "end").shares, [0, 1]);
});

test("labels of the same name that are different steps are told apart in the flows", () => {
  const page = { data: data() };
  page.data.sides[1].labels[2] = "pay";
  page.data.sides[1].indexOf = new Map(page.data.sides[1].labels.map((label, i) => [label, i]));
  page.choices = new TwoLogChoices(page.data);
  page.choices.apply(reject(page.choices.state, "check", "3"));
  const labels = commonGraph(page).nodes.map(({ label }) => label);
  assert.deepEqual(labels, ["order", "check", "pay of log A", "pay of log B", "start", "end"]);
});

test("a table leaves out what the logs do not have, and marks what a person told apart from its own name", () => {
  const page = { data: data() };
  page.choices = new TwoLogChoices(page.data);
  page.choices.apply(accept(page.choices.state, "order", "gone"));
  assert.equal(matchingText(page, 0), "label_a,label_b,known\ncheck,2,\ncheck,3,\n,1,\n");
  page.choices.undo();
  page.data.sides[0].labels[0] = "1";
  page.data.sides[0].indexOf = new Map([
    ["1", 0],
    ["check", 1],
    ["pay", 2],
  ]);
  page.choices.apply(reject(page.choices.state, "1", "1"));
  assert.match(matchingText(page, 0), /\n1 \(b\),1,\n$/);
  page.choices.apply(confirm(page.choices.state, "check", "2"));
  assert.match(matchingText(page, 0), /check,2,yes/);
});

test("one log takes the names of the other by a table of both", () => {
  const page = { data: data() };
  page.choices = new TwoLogChoices(page.data);
  assert.equal(matchingText(page, 0), "label_a,label_b,known\norder,1,\ncheck,2,\ncheck,3,\n");
  assert.equal(matchingText(page, 1), "label_a,label_b,known\n1,order,\n2,check,\n,pay,\n");
});
