// The working session of a report.

import { fileContent } from "../shared/decision_file.js";
import { counted } from "../shared/formats.js";
import { shortened, unknownWords } from "../shared/notices.js";
import { Session } from "../shared/session.js";
import { differences, startState, storedGroups } from "./decisions.js";

export class ReportSession extends Session {
  constructor({ data, choices }) {
    super(choices, {
      keys: [2, 1].map((version) => `actalike decisions ${version} ${data.digest}`),
      logs: 1,
      written: data.decisions,
      proposals: choices.proposals,
      subject: "this log",
    });
    this.log = { digest: data.digest, name: data.title, activities: data.facts.activities };
  }

  content() {
    const { state, proposals } = this.choices;
    return fileContent([this.log], state, { groups: storedGroups(state, proposals) });
  }

  stateOf(decided) {
    return startState(this.choices.proposals, this.choices.sureness(decided), decided);
  }

  unknownWords({ logs: [log], groups }) {
    const labels = new Set(groups.filter(({ by }) => by === "person").flatMap(({ members }) => members));
    const unknown = [...labels].filter((label) => !this.choices.knows(label));
    const words = [];
    if (log.digest && log.digest !== this.log.digest)
      words.push(`The decisions were made for another log, or another state of it: ${shortened(log.name) || "without a name"}.`);
    if (unknown.length) words.push(unknownWords(unknown));
    return words;
  }

  differenceWords(decided, place) {
    return differenceWords(differences(decided, this.choices.state), place);
  }
}

// How the proposals of this report differ from those of decisions before; `place` says where those were.
function differenceWords({ added, accepted, gone, changed }, place) {
  const words = [];
  const taken = accepted
    ? `; actalike accepts ${accepted === added ? (added === 1 ? "it" : "them") : `${accepted} of them`}`
    : "";
  if (added)
    words.push(`${counted(added, "proposal of this report was", "proposals of this report were")} not in ${place}${taken}.`);
  if (gone)
    words.push(
      `${counted(gone, "group that actalike had accepted is", "groups that actalike had accepted are")} not proposed any more.`,
    );
  if (changed) words.push(`${counted(changed, "proposal is", "proposals are")} decided otherwise by actalike than in ${place}.`);
  return words;
}
