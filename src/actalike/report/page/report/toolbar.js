// The working session of a report.

import { addLogNote, addRelabelling, addSessionButtons, slide } from "../shared/controls.js";
import { fileContent } from "../shared/decision_file.js";
import { button, draw, find, make, say } from "../shared/dom.js";
import { Session, shortened, unknownWords } from "../shared/session.js";
import { counted, percent } from "../shared/texts.js";
import { decideAll, differences, nextId, setAtLeast, setLogNote, startState, storedGroups } from "./decisions.js";
import { pickLabels } from "./pick_dialog.js";
import { saveMapping } from "./proposals.js";

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

// --- The buttons of the session: undo and redo, a new group, files; what is decided for many groups at once;
// the note on the whole log; and how to relabel the log.

const SUREST = 0.99; // the right end of the slider

export function startToolbar(page, session) {
  const { data, choices } = page;
  const large = (words, act, more = {}) => button(words, act, { class: "quiet", ...more });
  const mapping = large("Download mapping.csv", () => saveMapping(page), { id: "download" });
  const more = data.size > 1 ? large("New group", () => pickLabels(page, nextId(choices.state, choices.proposals))) : null;
  addSessionButtons(choices, session, more, mapping);
  choices.watch("decisions", () => {
    mapping.disabled = !choices.groups.some((group) => choices.isMerged(group));
  });
  if (data.groups.length) startManyAtOnce(page);
  addLogNote(choices, "Note on the whole log", setLogNote);
}

// From which probability on actalike accepts, and decisions about all groups that are undecided.
function startManyAtOnce(page) {
  const { data, choices } = page;
  const open = (groups) => groups.filter(({ decided }) => decided.decision === "undecided").map(({ id }) => id);
  const synonyms = () => open(choices.proposed.filter(({ relation }) => relation === "synonyms"));
  const all = (ids, decision) => () => {
    choices.apply(decideAll(choices.state, ids(), decision));
    say(`All these groups are ${decision}`);
  };
  const acceptAll = button("Accept all synonyms", all(synonyms, "accepted"));
  const rejectRest = button(
    "Reject the rest",
    all(() => open(choices.proposed), "rejected"),
  );
  const largest = Math.max(SUREST, data.at_least);
  const { element, slider, output } = slide(
    "sureness-slider",
    "How sure must a proposal be?",
    [percent(data.at_least), percent(largest)],
    { min: data.at_least, max: largest, step: 0.01 },
    (value) => choices.apply(setAtLeast(choices.state, choices.proposals, value), "at least"),
    sliderMarks(data, largest),
  );
  find("many").hidden = false;
  find("sureness").append(element, make("div.buttons", acceptAll, rejectRest));
  choices.watch("decisions", () => {
    const { atLeast } = choices.state;
    if (Number(slider.value) !== atLeast) slider.value = atLeast;
    output.textContent = `actalike accepts synonyms that are ${percent(atLeast)} likely or more, unless you have decided.`;
    acceptAll.disabled = !synonyms().length;
    rejectRest.disabled = !open(choices.proposed).length;
  });
}

// A mark for each group of synonyms at its probability.
function sliderMarks({ groups, at_least: least }, largest) {
  const marks = draw("svg.stops", { viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { probability } of groups.filter(({ relation }) => relation === "synonyms")) {
    const x = Math.min(1, (probability - least) / (largest - least || 1)) * 1000;
    marks.append(draw("line", { x1: x, x2: x, y1: 0, y2: 8 }));
  }
  return marks;
}

// How to relabel the log by the decisions: a command to copy, or why there is none.
export function startRelabelling({ data, choices }) {
  const { words, command } = data.relabelling;
  const warning = make("p.caution");
  const show = addRelabelling("Save the decisions, then relabel the log where the file lies. ", words, command);
  find("relabelling").append(warning);
  choices.watch("decisions", () => {
    const { merged, renamed } = choices.effects;
    show(merged.length + renamed.length > 0, "Accept a group, or make one: then the command that relabels the log stands here.");
    const unknown = choices.unknownLabels;
    warning.hidden = !unknown.length;
    const leave = data.left_out
      ? "If the log does not have them, leave them out of their groups"
      : "Leave them out of their groups";
    warning.textContent = unknown.length
      ? `${unknownWords(unknown)} relabel refuses labels that the log does not have. ${leave}.`
      : "";
  });
}
