// Finding an activity by a part of its label.

import { find, make, slashLeadsTo } from "../shared/dom.js";
import { thousands } from "../shared/formats.js";
import { matches } from "../shared/matches.js";
import { labelElement } from "./labels.js";

const SHOWN = 12;

export function startSearch({ data, choices }) {
  const input = find("search");
  const list = find("search-found");
  let results = [];
  let active = -1;

  const show = () => {
    list.replaceChildren(
      ...results.slice(0, SHOWN).map((i, k) =>
        make(
          "li",
          {
            role: "option",
            id: `found-${k}`,
            "aria-selected": String(k === active),
            onpointerdown: (event) => {
              event.preventDefault();
              choose(k, null);
            },
          },
          labelElement(data, i),
          make("span.count", thousands(data.counts[i])),
        ),
      ),
    );
    if (results.length > SHOWN)
      list.append(make("li.muted", { role: "presentation" }, `and ${thousands(results.length - SHOWN)} more`));
    if (!results.length && input.value.trim())
      list.append(
        make(
          "li.muted",
          { role: "presentation" },
          `No activity${data.left_out ? " that this page draws" : ""} has this in its label or second name.`,
        ),
      );
    list.hidden = !input.value.trim() || document.activeElement !== input;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (active >= 0) input.setAttribute("aria-activedescendant", `found-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const search = () => {
    results = matches(data.labels, input.value, data.names);
    active = results.length ? 0 : -1;
    choices.query = input.value;
    show();
    choices.changed("query");
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const choose = (k, event) => {
    const i = results[k];
    input.value = "";
    search();
    close();
    choices.select(i, null, event);
  };
  input.addEventListener("input", search);
  input.addEventListener("focus", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const shown = Math.min(results.length, SHOWN);
    if (event.key === "ArrowDown" && shown) active = (active + 1) % shown;
    else if (event.key === "ArrowUp" && shown) active = (active + shown - 1) % shown;
    else if (event.key === "Enter" && active >= 0) choose(active, event);
    else if (event.key === "Escape" && input.value) {
      input.value = "";
      search();
      close();
    } else return;
    event.preventDefault();
    if (event.key.startsWith("Arrow")) show();
  });
  slashLeadsTo(input);
}
