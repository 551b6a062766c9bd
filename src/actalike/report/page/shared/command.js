// A command to copy.

import { make } from "./dom.js";

// A command in which no line breaks after the hyphen of a short word such as -o.
const withWholeOptions = (command) =>
  command.split(/( )/).map((word) => (word.startsWith("-") && word.length < 20 ? make("span.whole", word) : word));

// A paragraph with a command and a button that copies it.
export function commandElement(command, id) {
  const code = make("code", { id, tabindex: 0 }, withWholeOptions(command));
  const copied = make("span.muted", { role: "status" });
  const copyText = async () => {
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(command);
      copied.textContent = "Copied.";
    } catch {
      copied.textContent = "Selected: copy it with Ctrl+C.";
    }
  };
  const copy = make("button.quiet.small", { onclick: copyText }, "Copy");
  return make("p.command", code, copy, copied);
}
