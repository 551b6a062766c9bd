// The buttons of the session, the note on both logs, and how to relabel a log so that both speak one language.

import { relabelling, sessionButtons, showLogNote } from "../shared/controls.js";
import { fileContent } from "../shared/decision_file.js";
import { button, download, find, say } from "../shared/dom.js";
import { isOther, otherLogWords, Session, shortened, unknownWords } from "../shared/session.js";
import { counted, shownLabel } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { LETTERS } from "./data.js";
import {
  differences,
  matchingText,
  mayHave,
  nameLinks,
  onlyLabels,
  reject,
  setLogNote,
  startState,
  storedPairs,
} from "./links.js";

export function startToolbar(/** @type {TwoLogPage} */ page, session) {
  const { choices } = page;
  choices.shows("decisions", find("toolbar"), () => {
    const open = choices.steps.filter(({ decision }) => decision === "undecided");
    const all = (words, decision, decided) => {
      const act = () => {
        choices.apply(decided());
        say(`All undecided pairs are ${decision}`);
      };
      return button(words, act, { class: "quiet", disabled: !open.length });
    };
    const links = open.flatMap((step) => step.links);
    const rejecting = () => links.reduce((state, { link }) => reject(state, link.a, link.b), choices.state);
    const more = [
      all("Accept the undecided", "accepted", () => choices.accepting(open)),
      all("Reject the undecided", "rejected", rejecting),
    ];
    return sessionButtons(choices, session, more, [table(page, 0), table(page, 1)]);
  });
  choices.shows("decisions open", find("log-note"), () => showLogNote(choices, "Note on both logs", setLogNote));
  choices.shows("decisions", find("relabelling"), () => relabellingOf(page));
}

// A button for the table that gives one log the names of the other.
function table(/** @type {TwoLogPage} */ page, language) {
  const { data, choices } = page;
  const [own, other] = [data.sides[language].letter, data.sides[1 - language].letter];
  const name = language === 0 ? "matching.csv" : "matching-b-a.csv";
  const unclear = unclearWords(choices, language);
  return button(`${other} in the words of ${own}`, () => download(name, matchingText(page, language)), {
    class: "quiet",
    id: `matching-${own.toLowerCase()}`,
    disabled: Boolean(unclear),
    title: unclear || `Download ${name}: relabelling log ${other} by it gives it the names of log ${own}`,
  });
}

// Which labels have several partners that a person accepted, so that their name is open; "" if there are none.
function unclearWords({ state }, language) {
  const labels = [...nameLinks(state, language).unclear];
  if (!labels.length) return "";
  const letter = LETTERS[1 - language];
  const more = labels.length > 1 ? `, and ${counted(labels.length - 1, "other label", "other labels")}` : "";
  return `Log ${letter}: you have accepted several partners of “${shortened(shownLabel(labels[0]))}”${more}, and a label can get one name only. Choose “Only …” in its row.`;
}

function relabellingOf(/** @type {TwoLogPage} */ { data, choices }) {
  const isThere = (side, label) => label === null || mayHave(data.sides[side], label);
  const unknown = choices.unknown.map((labels, side) => labels.filter((label) => !isThere(side, label)));
  const warning = [
    ...unknown.map((labels, side) => (labels.length ? `Log ${LETTERS[side]}: ${unknownWords(labels)}` : "")),
    unknown[1].length
      ? "The decisions that you save keep their pairs, and relabel rejects them; the tables “in the words of” leave them out."
      : "",
    unclearWords(choices, 0),
  ].filter(Boolean);
  const what = "Save the decisions, then give log B the names of log A, so that both logs speak one language. ";
  const first = "Accept a pair, or find a partner: then the command that relabels log B stands here.";
  const drop = () => choices.apply(onlyLabels(choices.state, isThere));
  return [
    relabelling(data.relabelling, what, choices.accepted.length > 0, first),
    warning.length > 0 && html`<p class="caution">${warning.join(" ")}</p>`,
    unknown.some((labels) => labels.length) && button("Drop these pairs", drop, { id: "drop-unknown" }),
  ];
}

// --- The working session of the page of two logs.

export function twoLogSession(/** @type {TwoLogPage} */ { data, choices }) {
  const digests = data.sides.map(({ digest }) => digest).join(" ");
  const own = data.sides.map(({ digest, title, facts }) => ({ digest, name: title, activities: facts.activities }));
  return new Session(choices, {
    keys: [`actalike decisions 2 ${digests}`, `actalike matching decisions 1 ${digests}`],
    logs: 2,
    written: data.decisions,
    proposals: data.proposals.map(({ a, b, probability }) => [a, b, probability]),
    subject: "these two logs",
    content: () => fileContent(own, choices.state, { pairs: storedPairs(choices.state) }),
    // what actalike accepted then, it accepts now, unless this page proposes no pairs that are so unlikely
    stateOf: (decided) => startState(data.proposals, Math.max(data.least, decided.atLeast), decided),
    unknown: ({ logs, links }) => {
      const isTurned = logs[0].digest !== logs[1].digest && logs.every((log, side) => !isOther(log, own[1 - side]));
      const turned = isTurned ? ["The decisions were made for these two logs in the other order."] : [];
      const words = logs.map((log, side) => {
        const labels = links.filter(({ by }) => by === "person").map((link) => link[side ? "b" : "a"]);
        const unknown = [...new Set(labels)].filter((label) => label !== null && !data.sides[side].indexOf.has(label));
        return [
          !isTurned && isOther(log, own[side]) ? otherLogWords(`another log ${LETTERS[side]}`, log) : "",
          unknown.length ? `Log ${LETTERS[side]}: ${unknownWords(unknown)}` : "",
        ];
      });
      return [...turned, ...words.flat().filter(Boolean)];
    },
    different: (decided, place) => {
      const { added, gone, changed } = differences(decided, choices.state);
      return [
        added ? `${counted(added, "pair of this page was", "pairs of this page were")} not in ${place}.` : "",
        gone
          ? `${counted(gone, "pair that actalike had accepted is", "pairs that actalike had accepted are")} not proposed any more.`
          : "",
        changed ? `${counted(changed, "pair is", "pairs are")} decided otherwise by actalike than in ${place}.` : "",
      ].filter(Boolean);
    },
  });
}
