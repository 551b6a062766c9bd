// How to relabel the log by the decisions: a command to copy, or why there is none.

import { commandElement } from "../shared/command.js";
import { find, make } from "../shared/dom.js";
import { unknownWords } from "../shared/notices.js";

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
