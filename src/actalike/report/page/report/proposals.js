// Proposals: groups of labels with evidence and cautions, how sure they must be, what to tick, and the mapping to download.

import { download, draw, find, make, say } from "../shared/dom.js";
import { counted, similarityText, thousands } from "../shared/formats.js";
import { theme } from "../shared/theme.js";
import { activityButton, sentence } from "./labels.js";
import { mappingText, relabelCommand } from "./mapping.js";
import { badge, similarityBar } from "./marks.js";
import { cautionWords, contextShareWords, contextWords, INTERVAL_TITLE, intervalWords, togetherWords } from "./words.js";

const SHOWN = 20; // proposals, until the reader wants all
const SHOWN_MEMBERS = 12; // of a group; the others are folded

function startBoldness(page) {
  const { data, choices } = page;
  const output = make("output", { id: "boldness-said", for: "boldness-slider" });
  const slider = make("input", {
    type: "range",
    id: "boldness-slider",
    min: 0,
    max: 1,
    step: 0.005,
    "aria-describedby": "boldness-said",
    oninput: () => {
      choices.boldness = Number(slider.value);
      choices.changed("boldness");
    },
  });
  slider.value = choices.boldness;
  const tickAll = (ticked) => () => {
    for (const group of choices.groups) choices.ticks.set(group.id, ticked);
    choices.changed("ticks");
    showProposals(page);
  };
  find("boldness").append(
    make(
      "div",
      { class: "slide" },
      make("label", { for: "boldness-slider" }, "How sure must a proposal be?"),
      make("span", { class: "slide-end" }, "very sure"),
      make("div", { class: "slide-track" }, slider, sliderMarks(data.groups)),
      make("span", { class: "slide-end" }, "less sure"),
      output,
    ),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", class: "quiet", onclick: tickAll(true) }, "Tick all"),
      make("button", { type: "button", class: "quiet", onclick: tickAll(false) }, "Untick all"),
      make(
        "button",
        { type: "button", class: "button download", id: "download", onclick: () => saveMapping(page) },
        "Download mapping.csv",
      ),
    ),
  );
  choices.watch("boldness ticks", () => {
    const ticked = choices.groups.filter((group) => choices.isMerged(group)).length;
    const left = counted(choices.activitiesLeft(), "activity", "activities");
    output.textContent = `${counted(choices.groups.length, "group", "groups")}, ${thousands(ticked)} ticked; ${left} left of ${thousands(data.facts.activities)} (--boldness ${Number(choices.boldness.toFixed(3))})`;
  });
}

// A mark for each group where the slider brings it in.
function sliderMarks(groups) {
  const marks = draw("svg", { class: "stops", viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { boldness } of groups) marks.append(draw("line", { x1: boldness * 1000, x2: boldness * 1000, y1: 0, y2: 8 }));
  return marks;
}

export function showProposals(page) {
  const { data, choices } = page;
  const { groups } = choices;
  const shown = choices.allProposals || theme.printing ? groups : groups.slice(0, SHOWN);
  find("proposal-list").replaceChildren(...shown.map((group) => proposalItem(page, group)));
  const more = find("proposals-more");
  more.hidden = shown.length === groups.length;
  more.textContent = `Show all ${thousands(groups.length)} proposals`;
  const none = find("proposals-none");
  none.hidden = groups.length > 0;
  none.textContent = data.groups.length
    ? "No group is this sure: move the slider to the right to see less sure ones."
    : data.size < 2
      ? "There is one activity, so there is nothing to merge."
      : `${data.method} proposes no groups, because its scores have no fixed scale; ${data.grouping_method} does.`;
}

function proposalItem(page, group) {
  const { data, choices } = page;
  const clash = make(
    "p",
    { class: "caution" },
    sign("!"),
    "Another activity already has this name: the two would become one step.",
  );
  const firstNames = group.members.slice(0, 3).map((member) => data.name(member));
  const tick = make("input", {
    type: "checkbox",
    class: "tick",
    "aria-label": `Merge group ${group.number}: ${firstNames.join(", ")}${group.members.length > 3 ? " and more" : ""}`,
    checked: choices.isTicked(group),
    onchange: () => {
      choices.ticks.set(group.id, tick.checked);
      update();
    },
  });
  const name = make("input", {
    type: "text",
    class: "step-name",
    "aria-label": `Name of step ${group.number}`,
    spellcheck: "false",
    oninput: () => {
      choices.names.set(group.id, name.value);
      update();
    },
  });
  name.value = choices.names.get(group.id) ?? "";
  const compare = make(
    "button",
    { type: "button", class: "quiet small", onclick: (event) => choices.select(group.members[0], group.members[1], event) },
    "Compare",
  );
  const refresh = () => {
    item.classList.toggle("off", !choices.isMerged(group));
    name.placeholder = choices.defaultName(group);
    clash.hidden = !choices.nameIsTaken(group);
  };
  const update = () => {
    refresh();
    choices.changed("ticks");
  };
  const item = make(
    "li",
    { class: "proposal", id: `proposal-${group.id}` },
    make(
      "div",
      { class: "proposal-head" },
      tick,
      badge(group),
      make(
        "div",
        { class: "proposal-members" },
        foldedMembers(group.members.map((member) => memberItem(page, group, member, update))),
      ),
      make(
        "span",
        { class: "proposal-value" },
        similarityBar(data, group.similarity, group.interval),
        make("b", {}, similarityText(group.similarity)),
        make("span", { class: "muted", title: group.interval && INTERVAL_TITLE }, intervalWords(group.interval)),
      ),
    ),
    make(
      "div",
      { class: "proposal-body" },
      make(
        "div",
        {},
        make("p", { class: "named" }, make("span", { class: "muted" }, "Merge as"), name, compare),
        clash,
        cautions(page, group),
      ),
      evidenceList(page, group.evidence),
    ),
  );
  item.style.setProperty("--group", group.colour);
  refresh();
  return item;
}

const sign = (character) => make("span", { class: "mark", "aria-hidden": "true" }, character);

function cautions(page, group) {
  const remark = (isWarning, content) =>
    make("p", { class: isWarning ? "caution" : "caution mild" }, sign(isWarning ? "!" : "i"), content);
  return [
    group.relation === "mixed" ? remark(false, togetherWords(group.together)) : null,
    group.cautions.map((caution) => remark(caution.warning, sentence(page, cautionWords(caution, page.data)))),
  ];
}

// The contexts that activities share, each with its share of events.
export const evidenceList = (page, contexts) =>
  make(
    "ul",
    { class: "evidence" },
    contexts.map((context) =>
      make("li", {}, sentence(page, contextWords(context)), " ", make("span", { class: "muted" }, contextShareWords(context))),
    ),
  );

function memberItem(page, group, member, update) {
  const { data, choices } = page;
  const leftOut = () => choices.leftOut.get(group.id) ?? new Set();
  const box = make("input", {
    type: "checkbox",
    checked: !leftOut().has(member),
    "aria-label": `${data.name(member)}: is part of step ${group.number}`,
    onchange: () => {
      const members = new Set(leftOut());
      if (box.checked) members.delete(member);
      else members.add(member);
      choices.leftOut.set(group.id, members);
      update();
    },
  });
  return make(
    "li",
    { class: "member" },
    box,
    activityButton(page, member),
    make("span", { class: "count" }, thousands(data.counts[member])),
  );
}

// A long list is folded, not cut: in print it is whole.
function foldedMembers(members) {
  const list = make("ul", { class: "members" }, members.slice(0, SHOWN_MEMBERS));
  if (members.length <= SHOWN_MEMBERS) return list;
  const rest = make(
    "details",
    { class: "fold" },
    make("summary", {}, `${members.length - SHOWN_MEMBERS} more`),
    make("ul", { class: "members" }, members.slice(SHOWN_MEMBERS)),
  );
  return [list, rest];
}

export function saveMapping({ data, choices }) {
  download("mapping.csv", mappingText(data, choices));
  say("mapping.csv was downloaded");
}

// Lists a proposal that is not among the first ones.
export function revealProposal(page, group) {
  if (find(`proposal-${group.id}`)) return;
  page.choices.allProposals = true;
  showProposals(page);
}

export function startProposals(page) {
  const { data, choices } = page;
  find("relabel-command").textContent = relabelCommand(data.title);
  if (data.groups.length) startBoldness(page);
  find("proposals-more").addEventListener("click", () => {
    choices.allProposals = true;
    showProposals(page);
    find("proposal-list").children[SHOWN]?.querySelector("input").focus();
  });
  choices.watch("boldness theme print", () => showProposals(page));
}
