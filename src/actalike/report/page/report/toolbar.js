// The working session of a report.

import { relabelling, sessionButtons, showLogNote, slide } from "../shared/controls.js";
import { fileContent } from "../shared/decision_file.js";
import { button, download, find, say } from "../shared/dom.js";
import { isOther, otherLogWords, Session, unknownWords } from "../shared/session.js";
import { counted, percent } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { mappingText } from "./choices.js";
import { decideAll, differences, nextId, setAtLeast, setLogNote, startState, storedGroups } from "./decisions.js";
import { pickLabels } from "./proposals.js";

export function reportSession(/** @type {ReportPage} */ { data, choices }) {
  const log = { digest: data.digest, name: data.title, activities: data.facts.activities };
  return new Session(choices, {
    keys: [2, 1].map((version) => `actalike decisions ${version} ${data.digest}`),
    logs: 1,
    written: data.decisions,
    proposals: choices.proposals,
    subject: "this log",
    content: () => fileContent([log], choices.state, { groups: storedGroups(choices.state, choices.proposals) }),
    stateOf: (decided) => startState(choices.proposals, choices.sureness(decided), decided),
    unknown: ({ logs: [other], groups }) => {
      const labels = new Set(groups.filter(({ by }) => by === "person").flatMap(({ members }) => members));
      const unknown = [...labels].filter((label) => !choices.knows(label));
      return [
        ...(isOther(other, log) ? [otherLogWords("another log", other)] : []),
        ...(unknown.length ? [unknownWords(unknown)] : []),
      ];
    },
    different: (decided, place) => differenceWords(differences(decided, choices.state), place),
  });
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

export function startToolbar(/** @type {ReportPage} */ page, session) {
  const { data, choices } = page;
  choices.shows("decisions", find("toolbar"), () => {
    const large = (words, act, more = {}) => button(words, act, { class: "quiet", ...more });
    const isMerging = choices.groups.some((group) => choices.isMerged(group));
    const mapping = large("Download mapping.csv", () => saveMapping(page), { id: "download", disabled: !isMerging });
    const group = () => pickLabels(page, nextId(choices.state, choices.proposals));
    return sessionButtons(choices, session, data.size > 1 && large("New group", group), mapping);
  });
  choices.shows("decisions open", find("session-more"), () => {
    const many = () =>
      html`<details class="fold many" id="many"><summary>Decide about many at once</summary>${manyAtOnce(page)}</details>`;
    return html`
      ${data.groups.length > 0 && many()}
      <div id="log-note">${showLogNote(choices, "Note on the whole log", setLogNote)}</div>
    `;
  });
  choices.shows("decisions", find("relabelling"), () => relabellingOf(page));
}

function saveMapping(/** @type {ReportPage} */ { data, choices }) {
  download("mapping.csv", mappingText(data, choices));
  say("mapping.csv was downloaded");
}

// From which probability on actalike accepts, and decisions about all groups that are undecided.
function manyAtOnce(/** @type {ReportPage} */ { data, choices }) {
  const { atLeast } = choices.state;
  const open = choices.proposed.filter(({ decided }) => decided.decision === "undecided");
  const ids = (groups) => groups.map(({ id }) => id);
  const all = (words, groups, decision) => {
    const act = () => {
      choices.apply(decideAll(choices.state, ids(groups), decision));
      say(`All these groups are ${decision}`);
    };
    return button(words, act, { disabled: !groups.length });
  };
  const largest = Math.max(SUREST, data.at_least);
  const words = `actalike accepts synonyms that are ${percent(atLeast)} likely or more, unless you have decided.`;
  const slider = slide(
    "sureness-slider",
    "How sure must a proposal be?",
    [percent(data.at_least), percent(largest)],
    { min: data.at_least, max: largest, step: 0.01, value: atLeast },
    (value) => choices.apply(setAtLeast(choices.state, choices.proposals, value), "at least"),
    words,
    sliderMarks(data, largest),
  );
  const synonyms = open.filter(({ relation }) => relation === "synonyms");
  return html`
    <div class="controls">
      ${slider}
      <div class="buttons">${all("Accept all synonyms", synonyms, "accepted")}${all("Reject the rest", open, "rejected")}</div>
    </div>
  `;
}

// A mark for each group of synonyms at its probability.
function sliderMarks({ groups, at_least: least }, largest) {
  const marks = groups.filter(({ relation }) => relation === "synonyms");
  const lines = marks.map(({ probability }) => {
    const x = Math.min(1, (probability - least) / (largest - least || 1)) * 1000;
    return html`<line x1=${x} x2=${x} y1="0" y2="8" />`;
  });
  return html`<svg class="stops" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">${lines}</svg>`;
}

// How to relabel the log by the decisions: a command to copy, or why there is none.
function relabellingOf(/** @type {ReportPage} */ { data, choices }) {
  const { merged, renamed } = choices.effects;
  const unknown = choices.unknownLabels;
  const leave = data.left_out
    ? "If the log does not have them, leave them out of their groups"
    : "Leave them out of their groups";
  const warning = `${unknownWords(unknown)} relabel rejects labels that the log does not have. ${leave}.`;
  const first = "Accept a group, or make one: then the command that relabels the log stands here.";
  const what = "Save the decisions, then relabel the log where the file lies. ";
  return [
    relabelling(data.relabelling, what, merged.length + renamed.length > 0, first),
    unknown.length > 0 && html`<p class="caution">${warning}</p>`,
  ];
}
