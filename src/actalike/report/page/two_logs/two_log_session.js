// The working session of the page of two logs.

import { fileContent } from "../shared/decision_file.js";
import { counted } from "../shared/formats.js";
import { shortened, unknownWords } from "../shared/notices.js";
import { Session } from "../shared/session.js";
import { LETTERS } from "./data.js";
import { differences, startState, storedPairs } from "./links.js";

export class TwoLogSession extends Session {
  constructor({ data, choices }) {
    const digests = data.sides.map(({ digest }) => digest).join(" ");
    super(choices, {
      keys: [`actalike decisions 2 ${digests}`, `actalike matching decisions 1 ${digests}`],
      logs: 2,
      written: data.decisions,
      proposals: data.proposals.map(({ a, b, probability }) => [a, b, probability]),
      subject: "these two logs",
    });
    this.data = data;
    this.decidedLogs = data.sides.map(({ digest, title, facts }) => ({ digest, name: title, activities: facts.activities }));
  }

  content() {
    return fileContent(this.decidedLogs, this.choices.state, { pairs: storedPairs(this.choices.state) });
  }

  // What actalike accepted then, it accepts now, unless this page proposes no pairs that are so unlikely.
  stateOf(decided) {
    return startState(this.data.proposals, Math.max(this.data.least, decided.atLeast), decided);
  }

  unknownWords({ logs, links }) {
    const words = [];
    const isTurned =
      logs[0].digest !== logs[1].digest && logs.every(({ digest }, side) => digest === this.decidedLogs[1 - side].digest);
    if (isTurned) words.push("The decisions were made for these two logs in the other order.");
    logs.forEach((log, side) => {
      if (!isTurned && log.digest && log.digest !== this.decidedLogs[side].digest)
        words.push(
          `The decisions were made for another log ${LETTERS[side]}, or another state of it: ${shortened(log.name) || "without a name"}.`,
        );
      const labels = links.filter(({ by }) => by === "person").map((link) => link[side ? "b" : "a"]);
      const unknown = [...new Set(labels)].filter((label) => label !== null && !this.data.sides[side].indexOf.has(label));
      if (unknown.length) words.push(`Log ${LETTERS[side]}: ${unknownWords(unknown)}`);
    });
    return words;
  }

  differenceWords(decided, place) {
    const { added, gone, changed } = differences(decided, this.choices.state);
    const words = [];
    if (added) words.push(`${counted(added, "pair of this page was", "pairs of this page were")} not in ${place}.`);
    if (gone)
      words.push(
        `${counted(gone, "pair that actalike had accepted is", "pairs that actalike had accepted are")} not proposed any more.`,
      );
    if (changed) words.push(`${counted(changed, "pair is", "pairs are")} decided otherwise by actalike than in ${place}.`);
    return words;
  }
}
