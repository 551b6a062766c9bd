// The buttons of the session, the note on both logs, and how to relabel a log so that both speak one language.

import { addLogNote, addSessionButtons } from "../shared/controls.js";
import { fileContent } from "../shared/decision_file.js";
import { commandElement, download, find, make, say } from "../shared/dom.js";
import { Session, shortened, unknownWords } from "../shared/session.js";
import { counted, shownLabel } from "../shared/texts.js";
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

const button = (words, onclick, id = null, more = "quiet", title = null) =>
  make("button", { class: more, id, title, onclick }, words);

export function startToolbar(page, session) {
  const { data, choices } = page;
  const open = () => choices.steps.filter(({ decision }) => decision === "undecided");
  const rejecting = (steps) =>
    steps.flatMap(({ links }) => links).reduce((state, { link }) => reject(state, link.a, link.b), choices.state);
  const all = (decision, decided) => () => {
    choices.apply(decided(open()));
    say(`All undecided pairs are ${decision}`);
  };
  const acceptAll = button(
    "Accept the undecided",
    all("accepted", (steps) => choices.accepting(steps)),
  );
  const rejectAll = button("Reject the undecided", all("rejected", rejecting));
  const table = (language) => {
    const [own, other] = [data.sides[language].letter, data.sides[1 - language].letter];
    const name = language === 0 ? "matching.csv" : "matching-b-a.csv";
    const element = button(
      `${other} in the words of ${own}`,
      () => download(name, matchingText(page, language)),
      `matching-${own.toLowerCase()}`,
      "quiet",
    );
    choices.watch("decisions", () => {
      const unclear = unclearWords(choices, language);
      element.disabled = Boolean(unclear);
      element.title = unclear || `Download ${name}: relabelling log ${other} by it gives it the names of log ${own}`;
    });
    return element;
  };
  addSessionButtons(choices, session, [acceptAll, rejectAll], [table(0), table(1)]);
  choices.watch("decisions", () => {
    acceptAll.disabled = rejectAll.disabled = !open().length;
  });
  addLogNote(choices, "Note on both logs", setLogNote);
}

// Which labels have several partners that a person accepted, so that their name is open; "" if there are none.
function unclearWords({ state }, language) {
  const labels = [...nameLinks(state, language).unclear];
  if (!labels.length) return "";
  const letter = LETTERS[1 - language];
  const more = labels.length > 1 ? `, and ${counted(labels.length - 1, "other label", "other labels")}` : "";
  return `Log ${letter}: you have accepted several partners of “${shortened(shownLabel(labels[0]))}”${more}, and a label can get one name only. Choose “Only …” in its row.`;
}

export function startRelabelling({ data, choices }) {
  const { words, command } = data.relabelling;
  const warning = make("p.caution");
  const isThere = (side, label) => label === null || mayHave(data.sides[side], label);
  const drop = button("Drop these pairs", () => choices.apply(onlyLabels(choices.state, isThere)), "drop-unknown", "quiet small");
  find("relabelling").append(
    make(
      "p",
      command ? "Save the decisions, then give log B the names of log A, so that both logs speak one language. " : "",
      words,
    ),
    ...(command ? [commandElement(command, "relabel-command")] : []),
    warning,
    drop,
  );
  choices.watch("decisions", () => {
    const unknown = choices.unknown.map((labels, side) => labels.filter((label) => !isThere(side, label)));
    const words = [
      ...unknown.map((labels, side) => (labels.length ? `Log ${LETTERS[side]}: ${unknownWords(labels)}` : "")),
      unknown[1].length
        ? "The decisions that you save keep their pairs, and relabel refuses them; the tables “in the words of” leave them out."
        : "",
      unclearWords(choices, 0),
    ].filter(Boolean);
    drop.hidden = !unknown.some((labels) => labels.length);
    warning.hidden = !words.length;
    warning.textContent = words.join(" ");
  });
}

// --- The working session of the page of two logs.

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
