// How to relabel the log by the decisions: a command to copy, or why there is none.

import { find, make } from "../shared/dom.js";
import { unknownWords } from "./notices.js";

// A command in which no line breaks after the hyphen of a short word such as -o.
const withWholeOptions = (command) =>
  command.split(/( )/).map((word) => (word.startsWith("-") && word.length < 20 ? make("span", { class: "whole" }, word) : word));

export function startRelabelling({ data, choices }) {
  const { words, command } = data.relabelling;
  const code = make("code", { id: "relabel-command", tabindex: 0 }, withWholeOptions(command));
  const copied = make("span", { class: "muted", role: "status" });
  const copyText = async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(command);
      copied.textContent = "Copied.";
    } catch {
      copied.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  const copy = make("button", { type: "button", class: "quiet small", onclick: copyText }, "Copy");
  const warning = make("p", { class: "caution" });
  find("relabelling").append(
    make("p", {}, command ? "Save the decisions, then relabel the log where the file lies. " : "", words),
    ...(command ? [make("p", { class: "command" }, code, copy, copied)] : []),
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
