// The buttons of the session: how far the review is, undo and redo, a new group, files; what is decided for many groups at once;
// the note on the whole log; and how to relabel the log.

import { commandElement } from "../shared/command.js";
import { decisionsInput } from "../shared/decisions_input.js";
import { button, draw, find, make, say } from "../shared/dom.js";
import { percent } from "../shared/formats.js";
import { noteField } from "../shared/note_field.js";
import { unknownWords } from "../shared/notices.js";
import { showKeys } from "../shared/review_keys.js";
import { shareBar } from "../shared/share_bar.js";
import { decideAll, nextId, setAtLeast, setLogNote } from "./decisions.js";
import { pickLabels } from "./pick_dialog.js";
import { saveMapping } from "./proposals.js";

const SUREST = 0.99; // the right end of the slider

export function startToolbar(page, session) {
  const { data, choices } = page;
  const large = (words, act, id, look = "quiet") => button(words, act, { class: look, id });
  const input = decisionsInput(session);
  const undo = large("Undo", () => choices.undo(), "undo");
  const redo = large("Redo", () => choices.redo(), "redo");
  const mapping = large("Download mapping.csv", () => saveMapping(page), "download");
  const progress = make("p.progress", { id: "progress" });
  find("toolbar").append(
    make(
      "div.buttons",
      undo,
      redo,
      data.size > 1 ? large("New group", () => pickLabels(page, nextId(choices.state, choices.proposals))) : null,
      button("?", showKeys, { class: "quiet", "aria-label": "Keys of this page", title: "Keys of this page" }),
      progress,
    ),
    make(
      "div.buttons",
      large("Save decisions", () => session.save(), "save", "button"),
      large("Load decisions", () => input.click(), "load"),
      mapping,
      input,
    ),
  );
  choices.watch("decisions", () => {
    undo.disabled = !choices.history.past.length;
    redo.disabled = !choices.history.future.length;
    mapping.disabled = !choices.groups.some((group) => choices.isMerged(group));
    const { decided, all } = choices.progress;
    progress.hidden = !all;
    progress.replaceChildren(shareBar(all ? decided / all : 0), `${decided} of ${all} decided`);
  });
  if (data.groups.length) startManyAtOnce(page);
  startLogNote(page);
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
  const output = make("output", { id: "sureness-said", for: "sureness-slider" });
  const largest = Math.max(SUREST, data.at_least);
  const slider = make("input", {
    type: "range",
    id: "sureness-slider",
    min: data.at_least,
    max: largest,
    step: 0.01,
    "aria-describedby": "sureness-said",
    oninput: () => choices.apply(setAtLeast(choices.state, choices.proposals, Number(slider.value)), "at least"),
  });
  find("many").hidden = false;
  find("sureness").append(
    make(
      "div.slide",
      make("label", { for: "sureness-slider" }, "How sure must a proposal be?"),
      make("span.slide-end", percent(data.at_least)),
      make("div.slide-track", slider, sliderMarks(data, largest)),
      make("span.slide-end", percent(largest)),
      output,
    ),
    make("div.buttons", acceptAll, rejectRest),
  );
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

function startLogNote({ choices }) {
  const note = noteField("Note on the whole log", "log note", (text) =>
    choices.apply(setLogNote(choices.state, text), "log note"),
  );
  const show = button("Note on the whole log", () => note.show());
  find("log-note").append(show, note.element);
  choices.watch("decisions", () => {
    note.set(choices.state.note);
    show.hidden = !note.element.hidden;
  });
}

// How to relabel the log by the decisions: a command to copy, or why there is none.
export function startRelabelling({ data, choices }) {
  const { words, command } = data.relabelling;
  const warning = make("p.caution");
  find("relabelling").append(
    make("p", command ? "Save the decisions, then relabel the log where the file lies. " : "", words),
    ...(command ? [commandElement(command, "relabel-command")] : []),
    warning,
  );
  choices.watch("decisions", () => {
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
