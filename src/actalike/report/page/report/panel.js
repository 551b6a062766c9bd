// The panel: which activities are most likely the same step as the selected one, and why.

import { find, foreignText, make, say, shareBar, slashLeadsTo } from "../shared/dom.js";
import { counted, matches, percent, similarityText, thousands } from "../shared/texts.js";
import { compareGroups, isComparing } from "./compare_view.js";
import {
  argumentList,
  badge,
  evidenceList,
  groupOfBoth,
  INTERVAL_TITLE,
  intervalNote,
  intervalWords,
  labelElement,
  pairVerdict,
  reasonList,
  reasonSum,
  secondNameElement,
  sentence,
  shareWords,
} from "./labels.js";
import { pickGroup } from "./pick_dialog.js";
import { revealProposal } from "./proposals.js";

const FOUND = 6; // activities to compare with

function showPanel(page) {
  const { data, choices } = page;
  const panel = find("panel");
  const i = choices.selected;
  document.body.classList.toggle("with-panel", i !== null);
  panel.hidden = i === null;
  if (i === null) return;
  const others = data.neighbours[i].map(([j]) => j);
  const compared = choices.other !== null && !others.includes(choices.other) ? [choices.other] : [];
  const open = choices.other ?? others[0];
  const title = make("h2", { id: "panel-title", tabindex: -1 }, foreignText(data.name(i)), secondNameElement(data, i));
  panel.replaceChildren(
    make(
      "div.panel-head",
      make("p.eyebrow", "Activity"),
      make("button.close", { "aria-label": "Close the panel", onclick: () => closePanel(choices) }, "×"),
    ),
    title,
    make(
      "p.panel-facts",
      `${counted(data.counts[i], "event", "events")} (${percent(data.counts[i] / data.facts.events)}) in ${counted(data.cases[i], "case", "cases")} (${percent(data.cases[i] / data.facts.cases)}); median position ${data.positions[i][2].toFixed(2)}`,
    ),
    make("p.panel-group", { id: "panel-group" }),
    ...(others.length
      ? [
          compareWith(page, i),
          make("h3", compared.length ? "Compared with, and likeliest" : "Most likely the same step"),
          make(
            "ol.neighbours",
            [...compared, ...others].map((j) => neighbourItem(page, i, j, j === open)),
          ),
        ]
      : [make("p", "There is no other activity to compare it with.")]),
    make("p.muted.note", remark(data)),
  );
  showPanelGroup(page);
}

// Which group the activity is in, and a way into another one.
function showPanelGroup(page) {
  const { data, choices } = page;
  const i = choices.selected;
  if (i === null) return;
  const group = choices.groupOf[i] ?? choices.otherOf[i];
  const isIn = group && choices.isAccepted(group);
  find("panel-group").replaceChildren(
    ...(group
      ? [
          badge(group),
          make(
            "a",
            { href: `#proposal-${group.id}`, onclick: () => revealProposal(page, group) },
            `In a group of ${group.decided.members.length}: ${group.relation}`,
          ),
          group.members.length > 2 ? compareWithOthers(page, i, group) : null,
        ].filter(Boolean)
      : []),
    make(
      "button.quiet.small",
      { onclick: () => pickGroup(page, data.labels[i], isIn ? group.id : null) },
      isIn ? "Move to another group …" : "Put into a group …",
    ),
  );
}

const compareWithOthers = (page, i, { members }) => {
  const others = members.filter((j) => j !== i);
  return make("button.quiet.small", { onclick: () => compareGroups(page, [i], others) }, "Compare with the others");
};

function openPanel(page) {
  const { data, choices } = page;
  showPanel(page);
  find("panel").scrollTop = 0;
  if (choices.selected === null) return;
  if (choices.toPanel) find("panel-title").focus({ preventScroll: true });
  else say(`${data.name(choices.selected)} is shown in the panel`);
}

const remark = (data) =>
  `The percentage at the right is the probability that the two are one step. Whether two labels that only take the same place are one step, behaviour cannot tell. Similarities are those of ${data.method}. ${intervalNote(data)} Shares of events: in how many of its events each of the two has these neighbours, the smaller share first.`.trim();

function neighbourItem(page, i, j, open) {
  const { data, choices } = page;
  const interval = data.interval(i, j);
  const relation = groupOfBoth(data, i, j)?.relation ?? null;
  const item = make("li", { class: j === choices.other ? "neighbour compared" : "neighbour" });
  const body = make("div.why", { hidden: !open });
  const fill = () => body.childElementCount || body.append(...whyContent(page, i, j));
  const button = make(
    "button.neighbour-head",
    {
      "aria-expanded": String(open),
      onclick: () => {
        body.hidden = !body.hidden;
        button.setAttribute("aria-expanded", String(!body.hidden));
        fill();
      },
    },
    make("span.neighbour-name", labelElement(data, j)),
    make("b", { title: "the probability that the two are one step" }, data.shortVerdict(relation, data.probability(i, j))),
    shareBar(data.overlap(i, j)),
    make("span.overlap", data.verdicts.overlap.replace("{}", percent(data.overlap(i, j)))),
    make(
      "span.muted.interval",
      { title: interval && INTERVAL_TITLE },
      `similarity ${similarityText(data.similarity(i, j))}${interval ? ` (${intervalWords(interval)})` : ""}`,
    ),
  );
  if (open) fill();
  item.append(button, body);
  return item;
}

// A field to find any other activity, and to compare the selected one with it.
function compareWith(page, i) {
  const list = make("ul");
  const show = (event) => {
    const found = matches(page.data.labels, event.target.value).filter((j) => j !== i);
    list.replaceChildren(
      ...found
        .slice(0, FOUND)
        .map((j) => make("li", make("button", { onclick: () => compareGroups(page, [i], [j]) }, labelElement(page.data, j)))),
      ...(found.length > FOUND ? [make("li.muted", `and ${thousands(found.length - FOUND)} more`)] : []),
      ...(!found.length && event.target.value.trim() ? [make("li.muted", "No other activity has this in its label.")] : []),
    );
  };
  const input = make("input", {
    type: "text",
    placeholder: "Compare with …",
    "aria-label": "Compare with another activity: a part of its label",
    autocomplete: "off",
    spellcheck: "false",
    oninput: show,
    onkeydown: (event) => {
      if (event.key === "Enter") list.querySelector("button")?.click();
    },
  });
  return make("div.compare-with", input, list);
}

function whyContent(page, i, j) {
  const { data, choices } = page;
  const why = data.explanation(i, j);
  const sideBySide = make(
    "p.compare-open",
    make("button.quiet.small", { onclick: () => compareGroups(page, [i], [j]) }, "Compare side by side"),
  );
  const onwards = make(
    "p.onwards",
    make("button.quiet.small", { onclick: (event) => choices.select(j, i, event) }, "Go to ", labelElement(data, j)),
  );
  if (!why)
    return [
      sideBySide,
      make("p.muted", "The page has the reasons of the likeliest pairs only. For this one: "),
      make("code", "actalike explain LOG A B"),
      onwards,
    ];
  const group = groupOfBoth(data, i, j);
  const isAll = group?.members.length === 2; // its witnesses and cautions are those of the two
  const content = [
    make("h4", pairVerdict(page, i, j)),
    sideBySide,
    isAll ? argumentList(page, group.shown) : reasonList(page, why.reasons),
    reasonSum(page, why),
  ];
  if (why.contexts.length) {
    content.push(make("h4", "What they share"), evidenceList(page, why.contexts));
  } else content.push(make("p.muted", "They have no neighbour in common."));
  if (why.shares.length) {
    const whole = Math.abs(data.similarity(i, j)) || 1;
    const rest = 1 - why.shares.reduce((sum, share) => sum + share[1] / whole, 0);
    content.push(
      make(
        "details.exactly",
        make("summary", `What the similarity of ${similarityText(data.similarity(i, j))} is made of, exactly`),
        make(
          "ul.shares",
          why.shares.map((share) =>
            make("li", make("b", exactPercent(share[1] / whole)), make("span", sentence(page, shareWords(share)))),
          ),
          make("li.muted", make("b", exactPercent(rest)), make("span", "all other shares together")),
        ),
      ),
    );
  }
  return [...content, onwards];
}

const exactPercent = (share) => `${(share * 100).toFixed(Math.abs(share) < 0.0995 ? 1 : 0)} %`;

function closePanel(choices) {
  const origin = choices.unselect();
  if (origin?.isConnected) origin.focus({ preventScroll: true });
}

export function startPanel(page) {
  const { choices } = page;
  choices.watch("selection", () => openPanel(page));
  choices.watch("theme", () => showPanel(page));
  choices.watch("decisions", () => showPanelGroup(page));
  document.addEventListener("keydown", (event) => {
    if (isComparing()) return; // the key closes the comparison
    if (
      event.key === "Escape" &&
      choices.selected !== null &&
      !document.querySelector("dialog[open]") &&
      document.activeElement !== find("search")
    )
      closePanel(choices);
  });
}

// --- Finding an activity by a part of its label.

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
