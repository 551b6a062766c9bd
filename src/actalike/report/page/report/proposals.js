// Proposals: groups of labels with evidence and cautions, how sure they must be, what to tick, and the mapping to download.

import { download, draw, find, make, say } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { theme } from "../shared/theme.js";
import { activityButton, sentence } from "./labels.js";
import { mappingText, relabelCommand } from "./mapping.js";
import { badge, shareBar } from "./marks.js";
import { reasonList, reasonSum } from "./reason_list.js";
import { likelyWords, otherGroupsWords, verdictWords } from "./reasons.js";
import { contextShareWords, contextWords, togetherWords } from "./words.js";

const SHOWN = 20; // proposals, until the reader wants all
const SUREST = 0.99; // the right end of the slider
const SHOWN_MEMBERS = 12; // of a group; the others are folded

function startSureness(page) {
  const { data, choices } = page;
  const synonyms = data.groups.filter(({ relation }) => relation === "synonyms");
  const output = make("output", { id: "sureness-said", for: "sureness-slider" });
  const largest = Math.max(SUREST, data.at_least);
  const slider = make("input", {
    type: "range",
    id: "sureness-slider",
    min: data.at_least,
    max: largest,
    step: 0.01,
    "aria-describedby": "sureness-said",
    oninput: () => {
      choices.atLeast = Number(slider.value);
      choices.changed("ticks");
      showProposals(page);
    },
  });
  slider.value = choices.atLeast;
  const tickAll = (groups, ticked) => () => {
    for (const group of groups()) choices.ticks.set(group.id, ticked);
    choices.changed("ticks");
    showProposals(page);
  };
  find("sureness").append(
    make(
      "div",
      { class: "slide" },
      make("label", { for: "sureness-slider" }, "How sure must a proposal be?"),
      make("span", { class: "slide-end" }, percent(data.at_least)),
      make("div", { class: "slide-track" }, slider, sliderMarks(synonyms, data.at_least, largest)),
      make("span", { class: "slide-end" }, percent(largest)),
      output,
    ),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", class: "quiet", onclick: tickAll(() => choices.proposed, true) }, "Tick all"),
      make("button", { type: "button", class: "quiet", onclick: tickAll(() => choices.groups, false) }, "Untick all"),
      make(
        "button",
        { type: "button", class: "button download", id: "download", onclick: () => saveMapping(page) },
        "Download mapping.csv",
      ),
    ),
  );
  choices.watch("ticks", () => {
    const ticked = choices.groups.filter((group) => choices.isMerged(group)).length;
    const left = counted(choices.activitiesLeft(), "activity", "activities");
    output.textContent = `Synonyms that are ${percent(choices.atLeast)} likely or more are ticked. ${counted(ticked, "group", "groups")} ticked; ${left} left of ${thousands(data.facts.activities)}.`;
  });
}

// A mark for each group of synonyms at its probability.
function sliderMarks(groups, least, largest) {
  const marks = draw("svg", { class: "stops", viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { probability } of groups) {
    const x = Math.min(1, (probability - least) / (largest - least || 1)) * 1000;
    marks.append(draw("line", { x1: x, x2: x, y1: 0, y2: 8 }));
  }
  return marks;
}

export function showProposals(page) {
  const { data, choices } = page;
  const { proposed, others } = choices;
  const shown = choices.allProposals || theme.printing ? proposed : proposed.slice(0, SHOWN);
  find("proposal-list").replaceChildren(...shown.map((group) => proposalItem(page, group)));
  const more = find("proposals-more");
  more.hidden = shown.length === proposed.length;
  more.textContent = `Show all ${thousands(proposed.length)} proposals`;
  const none = find("proposals-none");
  none.hidden = proposed.length > 0;
  none.textContent =
    data.size < 2
      ? "There is one activity, so there is nothing to merge."
      : "No two labels are likely one step: nothing is proposed.";
  find("others").hidden = others.length === 0;
  // a long list costs time to build, and few readers unfold it
  const listed = choices.othersOpen || theme.printing ? others : [];
  find("other-list").replaceChildren(...listed.map((group) => proposalItem(page, group)));
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
      proposalValue(group),
    ),
    make(
      "div",
      { class: "proposal-body" },
      make(
        "div",
        {},
        group.relation === "synonyms" ? null : make("p", { class: "verdict" }, verdictWords(group.relation, group.probability)),
        reasonList(page, group),
        group.together > 0 && group.members.length > 2 ? make("p", { class: "muted" }, togetherWords(group.together)) : null,
        make("p", { class: "named" }, make("span", { class: "muted" }, "Merge as"), name, compare),
        clash,
      ),
      make("div", {}, evidenceList(page, group.evidence), reasonSum(group)),
    ),
  );
  item.style.setProperty("--group", group.colour);
  refresh();
  return item;
}

// The figure of a group: of synonyms the probability, of all others what can be checked.
function proposalValue({ relation, probability, overlap }) {
  const [share, words] =
    relation === "synonyms" ? [probability, likelyWords(probability)] : [overlap, `${percent(overlap)} of neighbours the same`];
  return make("span", { class: "proposal-value" }, shareBar(share), make("b", {}, words));
}

const sign = (character) => make("span", { class: "mark", "aria-hidden": "true" }, character);

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

// Lists a proposal that is not among the first ones, or that is folded.
export function revealProposal(page, group) {
  if (find(`proposal-${group.id}`)) return;
  page.choices.allProposals = true;
  if (page.choices.others.some(({ id }) => id === group.id)) find("others").open = page.choices.othersOpen = true;
  showProposals(page);
}

export function startProposals(page) {
  const { data, choices } = page;
  find("relabel-command").textContent = relabelCommand(data.title);
  if (data.groups.length) startSureness(page);
  find("proposals-more").addEventListener("click", () => {
    choices.allProposals = true;
    showProposals(page);
    find("proposal-list").children[SHOWN]?.querySelector("input").focus();
  });
  const count = (relation) => choices.others.filter((group) => group.relation === relation).length;
  find("others-title").textContent = otherGroupsWords(count("belong together"), count("too rare to judge"));
  find("others").addEventListener("toggle", () => {
    if (theme.printing || choices.othersOpen === find("others").open) return;
    choices.othersOpen = find("others").open;
    showProposals(page);
  });
  choices.watch("theme print", () => showProposals(page));
}
