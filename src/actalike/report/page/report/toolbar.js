// The buttons of the session: undo and redo, a new group, several decisions at once, files; and the note on the whole log.

import { decisionsInput } from "../shared/decisions_input.js";
import { find, make, say } from "../shared/dom.js";
import { noteField } from "../shared/note_field.js";
import { decideAll, newGroup, nextId, setLogNote } from "./decisions.js";
import { pickLabels } from "./pick_dialog.js";
import { saveMapping } from "./proposals.js";

const button = (words, onclick, id = null, more = "quiet") => make("button", { class: more, id, onclick }, words);

export function startToolbar(page, session) {
  const { choices } = page;
  const input = decisionsInput(session);
  const undo = button("Undo", () => choices.undo(), "undo");
  const redo = button("Redo", () => choices.redo(), "redo");
  const open = (groups) => groups.filter(({ decided }) => decided.decision === "undecided").map(({ id }) => id);
  const all = (ids, decision) => () => {
    choices.apply(decideAll(choices.state, ids(), decision));
    say(`All these groups are ${decision}`);
  };
  const synonyms = () => open(choices.proposed.filter(({ relation }) => relation === "synonyms"));
  const acceptAll = button("Accept all synonyms", all(synonyms, "accepted"));
  const rejectRest = button(
    "Reject the rest",
    all(() => open(choices.proposed), "rejected"),
  );
  find("toolbar").append(
    make(
      "div.buttons",
      undo,
      redo,
      page.data.size > 1
        ? button("New group", () => {
            const id = nextId(choices.state, choices.proposals);
            choices.apply(newGroup(choices.state, id));
            pickLabels(page, id);
          })
        : null,
      page.data.groups.length ? [acceptAll, rejectRest] : null,
    ),
    make(
      "div.buttons",
      button("Save decisions", () => session.save(), "save", "button"),
      button("Load decisions", () => input.click(), "load"),
      make("button.quiet.download", { id: "download", onclick: () => saveMapping(page) }, "Download mapping.csv"),
      input,
    ),
  );
  choices.watch("decisions", () => {
    undo.disabled = !choices.history.past.length;
    redo.disabled = !choices.history.future.length;
    acceptAll.disabled = !synonyms().length;
    rejectRest.disabled = !open(choices.proposed).length;
  });
}

export function startLogNote({ choices }) {
  const note = noteField("Note on the whole log", "log note", (text) =>
    choices.apply(setLogNote(choices.state, text), "log note"),
  );
  const show = make(
    "button.quiet.small",
    {
      onclick: () => {
        note.element.hidden = false;
        note.input.focus();
      },
    },
    "Note on the whole log",
  );
  find("log-note").append(show, note.element);
  choices.watch("decisions", () => {
    note.set(choices.state.note);
    show.hidden = !note.element.hidden;
  });
}
