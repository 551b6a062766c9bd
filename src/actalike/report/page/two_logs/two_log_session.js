// The working session of the page of two logs.

import { counted } from "../shared/formats.js";
import { shortened, unknownWords } from "../shared/notices.js";
import { Session } from "../shared/session.js";
import { LETTERS } from "./data.js";
import { fileContent, readContent, readText, VERSION } from "./link_file.js";
import { differences, startState } from "./links.js";

// Each version of the format has a key of its own, so that an older page does not meet what a newer one has stored.
const storageKey = (logs) => `actalike matching decisions ${VERSION} ${logs.map(({ digest }) => digest).join(" ")}`;

export class TwoLogSession extends Session {
  constructor({ data, choices }) {
    const logs = data.sides.map(({ digest, title, facts }) => ({ digest, name: title, activities: facts.activities }));
    super(choices, {
      key: storageKey(logs),
      written: data.decisions,
      file: { readContent, readText },
      proposals: data.proposals.map(({ a, b, probability }) => [a, b, probability]),
      subject: "these two logs",
    });
    Object.assign(this, { data, logs });
  }

  content() {
    return fileContent(this.choices.state, this.logs);
  }

  extra() {
    return {};
  }

  stateOf(session) {
    return this.loadedState(readContent(session.decisions));
  }

  // What actalike accepted then, it accepts now, unless this page proposes no pairs that are so unlikely.
  loadedState(decided) {
    return startState(this.data.proposals, Math.max(this.data.least, decided.atLeast), decided);
  }

  unknownWords({ logs, links }) {
    const words = [];
    const isTurned = logs[0].digest !== logs[1].digest && logs.every(({ digest }, side) => digest === this.logs[1 - side].digest);
    if (isTurned) words.push("The decisions were made for these two logs in the other order.");
    logs.forEach((log, side) => {
      if (!isTurned && log.digest && log.digest !== this.logs[side].digest)
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
