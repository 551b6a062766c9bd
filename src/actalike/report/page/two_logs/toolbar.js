// The buttons of the session, the note on both logs, and how to relabel a log so that both speak one language.

import { commandElement } from "../shared/command.js";
import { decisionsInput } from "../shared/decisions_input.js";
import { download, find, make, say } from "../shared/dom.js";
import { counted } from "../shared/formats.js";
import { shownLabel } from "../shared/label_texts.js";
import { noteField } from "../shared/note_field.js";
import { shortened, unknownWords } from "../shared/notices.js";
import { LETTERS } from "./data.js";
import { nameLinks, onlyLabels, reject, setLogNote } from "./links.js";
import { matchingText, mayHave } from "./one_language.js";

const button = (words, onclick, id = null, more = "quiet", title = null) =>
  make("button", { class: more, id, title, onclick }, words);

export function startToolbar(page, session) {
  const { data, choices } = page;
  const input = decisionsInput(session);
  const undo = button("Undo", () => choices.undo(), "undo");
  const redo = button("Redo", () => choices.redo(), "redo");
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
  find("toolbar").append(
    make("div.buttons", undo, redo, acceptAll, rejectAll),
    make(
      "div.buttons",
      button("Save decisions", () => session.save(), "save", "button"),
      button("Load decisions", () => input.click(), "load"),
      table(0),
      table(1),
      input,
    ),
  );
  choices.watch("decisions", () => {
    undo.disabled = !choices.history.past.length;
    redo.disabled = !choices.history.future.length;
    acceptAll.disabled = rejectAll.disabled = !open().length;
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

export function startLogNote({ choices }) {
  const note = noteField("Note on both logs", "log note", (text) => choices.apply(setLogNote(choices.state, text), "log note"));
  const show = button(
    "Note on both logs",
    () => {
      note.element.hidden = false;
      note.input.focus();
    },
    null,
    "quiet small",
  );
  find("log-note").append(show, note.element);
  choices.watch("decisions", () => {
    note.set(choices.state.note);
    show.hidden = !note.element.hidden;
  });
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
