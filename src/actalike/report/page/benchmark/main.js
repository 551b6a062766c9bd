// The benchmark page, put together: the headline, the filters, the table and the notes.

import { button, find, foreignText, onThemeChange, pageData, slashLeadsTo } from "../shared/dom.js";
import { counted } from "../shared/texts.js";
import { html, render } from "../vendor/preact.js";
import { BenchmarkData, Choices, columnName, figureText } from "./data.js";
import { showTable, swatch } from "./table.js";

const WIDE_PAGE = 720; // on a narrower page the lists start folded

const data = new BenchmarkData(pageData());
const choices = new Choices(data);
const page = { data, choices };

function answer() {
  const place = choices.sort.column ?? choices.defaultColumn;
  const column = data.columns[place];
  const best = choices.rows.filter((row) => choices.places[place].get(row.id) === 1);
  const size = `${data.title}: ${counted(data.methods.length, "method", "methods")}, ${counted(data.logs.length, "log", "logs")}`;
  if (!best.length) return html`<p class="eyebrow">${size}</p><h1 id="answer-title">Methods compared</h1>`;
  const others = best.length > 1 ? ` and ${counted(best.length - 1, "other", "others")} are` : " is";
  const { value, logs } = best[0].figures[place];
  return html`
    <p class="eyebrow">${size}</p>
    <h1 id="answer-title">${foreignText(best[0].method.name)}${others} best at ${columnName(column)}</h1>
    <p class="lead" id="answer-lead">${figureText(column, value)} over ${counted(logs, "log", "logs")}: ${column.about}.</p>
  `;
}

// --- Folded lists of logs, families and windows to choose from.

// A list of tick boxes. `chosen` is the set that they change, `show` makes what stands beside a box; `more` are further buttons: a
// text and the things that they choose.
function filter(name, things, chosen, show, kind, more = []) {
  const toggle = (thing) => (event) => {
    if (event.target.checked) chosen.add(thing);
    else chosen.delete(thing);
    choices.changed();
  };
  const buttons = [["All", things], ["None", []], ...more];
  const count = chosen.size === things.length ? `all ${things.length}` : `${chosen.size} of ${things.length}`;
  const box = (thing) => html`
    <label class=${kind === "chips" ? "chip" : null}>
      <input type="checkbox" checked=${chosen.has(thing)} onchange=${toggle(thing)} />${show(thing)}
    </label>
  `;
  return html`
    <summary><b>${name}</b> <span class="muted">${count}</span></summary>
    <div class="buttons">${buttons.map(([text, wanted]) => button(text, () => choices.choose(chosen, wanted)))}</div>
    <div class=${kind} role="group" aria-label=${name}>${things.map(box)}</div>
  `;
}

function filters() {
  const logs = [...data.logs.keys()];
  const complex = logs.filter((log) => data.logs[log].complex);
  const more = complex.length && complex.length < logs.length ? [["Complex ones", complex]] : [];
  const log = (place) => {
    const { name, activities } = data.logs[place];
    const count = activities ? html`<span class="count">${counted(activities, "activity", "activities")}</span>` : null;
    return [foreignText(name), count];
  };
  const family = (one) => [swatch(data, one), foreignText(one)];
  const window = (one) => (one === null ? "none" : String(one));
  const [families, windows] = [data.families, data.windows];
  return {
    family: families.length > 1 && filter("Family", families, choices.families, family, "chips"),
    window: windows.length > 1 && filter("Window", windows, choices.windows, window, "chips"),
    logs: filter("Logs", logs, choices.logs, log, "log-list", more),
  };
}

function showFilters() {
  for (const [name, content] of Object.entries(filters())) {
    find(`filter-${name}`).hidden = !content;
    render(content || null, find(`filter-${name}`));
  }
}

find("bar-title").textContent = data.title;
find("made").textContent = "Made by actalike benchmark report. Everything is in this file; nothing is sent anywhere.";
render(
  [...data.plans, ...data.gaps].map((text) => html`<li><bdi>${text}</bdi></li>`),
  find("note-list"),
);
if (innerWidth >= WIDE_PAGE) for (const name of ["family", "window"]) find(`filter-${name}`).open = true;
find("search").addEventListener("input", (event) => {
  choices.query = event.target.value;
  choices.changed();
});
slashLeadsTo(find("search"));
choices.watch(() => render(answer(), find("answer")));
choices.watch(() => showTable(page));
choices.watch(showFilters);
choices.changed();
onThemeChange(() => choices.changed());
document.documentElement.dataset.ready = "";
