// The working session of a report.

import { counted } from "../shared/formats.js";
import { shortened, unknownWords } from "../shared/notices.js";
import { Session } from "../shared/session.js";
import { fileContent, readContent, readText, VERSION } from "./decision_file.js";
import { differences, restoredState, startState } from "./decisions.js";

// Each version of the format has a key of its own, so that an older page does not meet what a newer one has stored.
const storageKey = (digest) => `actalike decisions ${VERSION} ${digest}`;

export class ReportSession extends Session {
  constructor({ data, choices }) {
    super(choices, {
      key: storageKey(data.digest),
      written: data.decisions,
      file: { readContent, readText },
      proposals: choices.proposals,
      subject: "this log",
    });
    this.log = { digest: data.digest, name: data.title, activities: data.facts.activities };
  }

  content() {
    return fileContent(this.choices.state, this.log, this.choices.proposals);
  }

  extra() {
    return { ids: this.choices.state.groups.map(({ id }) => id) };
  }

  // As it was if this very page has stored it.
  stateOf(session) {
    const { proposals } = this.choices;
    const decided = readContent(session.decisions);
    const { ids, page } = session;
    const isOwn =
      page === this.proposalsPrint &&
      Array.isArray(ids) &&
      ids.length === decided.groups.length &&
      new Set(ids).size === ids.length &&
      ids.every((id) => Number.isInteger(id) && id >= 0) &&
      decided.groups.every(({ by, proposed }) => by === "person" || proposed !== null);
    const least = this.choices.sureness(decided);
    const state = isOwn ? restoredState(proposals, least, decided, ids) : startState(proposals, least, decided);
    const isLinked = state.groups.every(({ by, proposal }) => by === "person" || proposal !== null);
    return isLinked ? state : startState(proposals, least, decided);
  }

  loadedState(decided) {
    return startState(this.choices.proposals, this.choices.sureness(decided), decided);
  }

  unknownWords({ log, groups }) {
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
