// Folded lists of logs, families and windows to choose from, and the search for a method.

import { find, foreignText, make, slashLeadsTo } from "../shared/dom.js";
import { counted } from "../shared/texts.js";
import { swatch } from "./table.js";

const WIDE_PAGE = 720; // on a narrower page the lists start folded

// A list of tick boxes. `chosen` is the set that they change, `content` makes the list of buttons and boxes; `more` are
// further buttons: a text and the things that they choose.
function filter(choices, name, things, chosen, content, more = []) {
  const boxes = things.map((thing) =>
    make("input", {
      type: "checkbox",
      onchange: (event) => {
        if (event.target.checked) chosen.add(thing);
        else chosen.delete(thing);
        choices.changed();
      },
    }),
  );
  const button = (text, wanted) => make("button.quiet.small", { onclick: () => choices.choose(chosen, wanted) }, text);
  const buttons = [["All", things], ["None", []], ...more].map(([text, wanted]) => button(text, wanted));
  const count = make("span.muted");
  choices.watch(() => {
    count.textContent = chosen.size === things.length ? `all ${things.length}` : `${chosen.size} of ${things.length}`;
    things.forEach((thing, place) => {
      boxes[place].checked = chosen.has(thing);
    });
  });
  return make(
    "details.filter",
    { id: `filter-${name.toLowerCase()}` },
    make("summary", make("b", name), " ", count),
    content(make("div.buttons", buttons), boxes),
  );
}

function chips(choices, name, things, chosen, show) {
  return filter(choices, name, things, chosen, (buttons, boxes) =>
    make(
      "div.chips",
      { role: "group", "aria-label": name },
      buttons,
      things.map((thing, place) => make("label.chip", boxes[place], show(thing))),
    ),
  );
}

function logFilter({ data, choices }) {
  const logs = [...data.logs.keys()];
  const complex = logs.filter((log) => data.logs[log].complex);
  const content = (buttons, boxes) => [
    buttons,
    make(
      "div.log-list",
      { role: "group", "aria-label": "Logs" },
      data.logs.map(({ name, activities }, place) =>
        make(
          "label",
          boxes[place],
          foreignText(name),
          activities ? make("span.count", counted(activities, "activity", "activities")) : null,
        ),
      ),
    ),
  ];
  const more = complex.length && complex.length < logs.length ? [["Complex ones", complex]] : [];
  return filter(choices, "Logs", logs, choices.logs, content, more);
}

export function startFilters(page) {
  const { data, choices } = page;
  const parts = [];
  if (data.families.length > 1)
    parts.push(
      chips(choices, "Family", data.families, choices.families, (family) => [swatch(data, family), foreignText(family)]),
    );
  if (data.windows.length > 1)
    parts.push(chips(choices, "Window", data.windows, choices.windows, (window) => (window === null ? "none" : String(window))));
  if (innerWidth >= WIDE_PAGE) for (const part of parts) part.open = true;
  find("filters").replaceChildren(...parts, logFilter(page));
  find("search").addEventListener("input", (event) => {
    choices.query = event.target.value;
    choices.changed();
  });
  slashLeadsTo(find("search"));
}
