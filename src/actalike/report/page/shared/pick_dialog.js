// A dialog in which one of many things is picked, found by typing.

import { find, make } from "./dom.js";
import { thousands } from "./formats.js";

const SHOWN = 30;

// `options(query)` returns [{ words, act }]: what to show, and what to do if it is picked. A dialog that `stays` can pick several.
export function openDialog({ title, hint, options, stays = false }) {
  const list = make("ul.pick-list");
  const input = make("input", { type: "text", class: "step-name", "aria-label": hint, placeholder: hint, spellcheck: "false" });
  const close = () => dialog.close();
  const show = () => {
    const found = options(input.value.trim());
    list.replaceChildren(
      ...found.slice(0, SHOWN).map(({ words, act }) =>
        make(
          "li",
          make(
            "button.pick",
            {
              onclick: () => {
                if (!stays) close();
                act();
                if (!stays) return;
                show();
                input.focus();
              },
            },
            words,
          ),
        ),
      ),
    );
    if (found.length > SHOWN) list.append(make("li.muted", `and ${thousands(found.length - SHOWN)} more: type a part`));
    if (!found.length) list.append(make("li.muted", "Nothing has this in its name."));
  };
  const dialog = make(
    "dialog.picker",
    { "aria-labelledby": "picker-title", onclose: () => dialog.remove() },
    make("h3", { id: "picker-title" }, title),
    input,
    list,
    make("p.buttons", make("button.quiet", { onclick: close }, stays ? "Done" : "Cancel")),
  );
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !input.value.trim()) return;
    event.preventDefault();
    list.querySelector("button")?.click();
    if (stays) {
      input.value = "";
      show();
    }
  });
  show();
  find("page").append(dialog);
  dialog.showModal();
}
