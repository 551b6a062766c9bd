// The unseen input that opens a decisions file; a button clicks it.

import { make } from "./dom.js";

export function decisionsInput(session) {
  const input = make("input", {
    type: "file",
    id: "load-file",
    class: "unseen",
    tabindex: -1,
    accept: ".json,application/json",
    "aria-label": "A decisions file",
    onchange: async () => {
      const [file] = input.files;
      if (file) await session.load(file);
      input.value = "";
    },
  });
  return input;
}
