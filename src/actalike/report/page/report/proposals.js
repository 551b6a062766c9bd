// The list of groups: proposals, and groups made by hand; how sure a proposal must be; the mapping to download.

import { download, draw, find, make, say } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { showItems } from "../shared/keep_place.js";
import { theme } from "../shared/theme.js";
import { setAtLeast } from "./decisions.js";
import { mappingText } from "./mapping.js";
import { itemKey, proposalItem } from "./proposal_item.js";
import { otherGroupsWords } from "./reasons.js";

const SHOWN = 20; // proposals, until the reader wants all
const SUREST = 0.99; // the right end of the slider

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
    oninput: () => choices.apply(setAtLeast(choices.state, choices.proposals, Number(slider.value)), "at least"),
  });
  find("sureness").append(
    make(
      "div.slide",
      make("label", { for: "sureness-slider" }, "How sure must a proposal be?"),
      make("span.slide-end", percent(data.at_least)),
      make("div.slide-track", slider, sliderMarks(synonyms, data.at_least, largest)),
      make("span.slide-end", percent(largest)),
      output,
    ),
  );
  choices.watch("decisions", () => {
    const { atLeast } = choices.state;
    if (Number(slider.value) !== atLeast) slider.value = atLeast;
    const { merged, renamed } = choices.effects;
    const renamings = renamed.length ? `, ${counted(renamed.length, "label", "labels")} renamed` : "";
    const left = counted(choices.activitiesLeft(), "activity", "activities");
    output.textContent = `actalike accepts synonyms that are ${percent(atLeast)} likely or more, unless you have decided. ${counted(merged.length, "group", "groups")} accepted${renamings}; ${left} left of ${thousands(data.facts.activities)}.`;
  });
}

// A mark for each group of synonyms at its probability.
function sliderMarks(groups, least, largest) {
  const marks = draw("svg.stops", { viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { probability } of groups) {
    const x = Math.min(1, (probability - least) / (largest - least || 1)) * 1000;
    marks.append(draw("line", { x1: x, x2: x, y1: 0, y2: 8 }));
  }
  return marks;
}

// The elements of the groups that are listed; one that has not changed stays, so that nobody is interrupted while typing.
const items = new Map();

function showList(page, id, groups) {
  const elements = groups.map((group) => {
    const key = itemKey(page, group);
    if (items.get(group.id)?.key === key) items.get(group.id).refresh();
    else items.set(group.id, { key, ...proposalItem(page, group) });
    return items.get(group.id).element;
  });
  showItems(find(id), elements);
}

function showProposals(page) {
  const { data, choices } = page;
  const { listed, others } = choices;
  const shown = choices.allProposals || theme.printing ? listed : listed.slice(0, SHOWN);
  for (const id of items.keys()) if (!choices.group(id)) items.delete(id);
  showList(page, "proposal-list", shown);
  // a long list costs time to build, and few readers unfold it
  showList(page, "other-list", choices.othersOpen || theme.printing ? others : []);
  const more = find("proposals-more");
  more.hidden = shown.length === listed.length;
  more.textContent = `Show all ${thousands(listed.length)} groups`;
  const none = find("proposals-none");
  none.hidden = listed.length > 0;
  none.textContent =
    data.size < 2
      ? "There is one activity, so there is nothing to merge."
      : choices.groups.length
        ? "No group is left to decide about."
        : "No two labels are likely one step: nothing is proposed. You can make groups by hand.";
  const count = (relation) => others.filter((group) => group.relation === relation).length;
  find("others").hidden = others.length === 0;
  find("others-title").textContent = otherGroupsWords(count("belong together"), count("too rare to judge"));
}

export function saveMapping({ data, choices }) {
  download("mapping.csv", mappingText(data, choices));
  say("mapping.csv was downloaded");
}

// Lists a group that is not among the first ones, or that is folded.
export function revealProposal(page, group) {
  const { choices } = page;
  if (find(`proposal-${group.id}`)) return;
  choices.allProposals = true;
  if (choices.others.some(({ id }) => id === group.id)) find("others").open = choices.othersOpen = true;
  showProposals(page);
}

export function startProposals(page) {
  const { data, choices } = page;
  if (data.groups.length) startSureness(page);
  find("proposals-more").addEventListener("click", () => {
    choices.allProposals = true;
    showProposals(page);
    find("proposal-list").children[SHOWN]?.querySelector("input").focus();
  });
  find("others").addEventListener("toggle", () => {
    if (theme.printing || choices.othersOpen === find("others").open) return;
    choices.othersOpen = find("others").open;
    showProposals(page);
  });
  choices.watch("decisions theme print", () => showProposals(page));
}
