// The list of proposals, and of groups made by hand: each with its verdict, what can be decided, and why it was proposed.

import { isTyped, noteField } from "../shared/controls.js";
import { button, download, find, make, say, shareBar } from "../shared/dom.js";
import { showItems } from "../shared/page_life.js";
import { counted, isBlank, labelText, percent, thousands } from "../shared/texts.js";
import { theme } from "../shared/theme.js";
import { mappingText } from "./choices.js";
import { compareGroups } from "./compare_view.js";
import { decide, dissolve, leaveOut, putInto, rename, setNote } from "./decisions.js";
import {
  activityButton,
  argumentList,
  badge,
  evidenceList,
  HIDDEN,
  missingWords,
  otherGroupsWords,
  reasonSum,
} from "./labels.js";
import { pickGroup, pickLabels } from "./pick_dialog.js";

const SHOWN = 20; // proposals, until the reader wants all
const SHOWN_MEMBERS = 12; // of a group; the others are folded
const SHOWN_EXAMPLES = 3; // of labels with a pattern
const NAME_PROBLEMS = {
  taken: "Another activity already has this name: the two would become one step.",
  chain: "The activity of this name gets another name itself, and relabelling refuses such a chain: choose another name.",
};

// The elements of the groups that are listed; one that has not changed stays, so that nobody is interrupted while typing.
const items = new Map();

export function startProposals(page) {
  const { choices } = page;
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

// Lists a group that is not among the first ones, or that is folded.
export function revealProposal(page, group) {
  const { choices } = page;
  if (find(`proposal-${group.id}`)) return;
  choices.allProposals = true;
  if (choices.others.some(({ id }) => id === group.id)) find("others").open = choices.othersOpen = true;
  showProposals(page);
}

export function saveMapping({ data, choices }) {
  download("mapping.csv", mappingText(data, choices));
  say("mapping.csv was downloaded");
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
  find("others").hidden = others.length === 0;
  find("others-title").textContent = otherGroupsWords(others);
}

function showList(page, id, groups) {
  const elements = groups.map((group) => {
    const key = itemKey(page, group);
    if (items.get(group.id)?.key === key) items.get(group.id).refresh();
    else items.set(group.id, { key, ...proposalItem(page, group) });
    return items.get(group.id).element;
  });
  showItems(find(id), elements);
}

// What an element of the list depends on beside its name, its note and what they lead to.
const itemKey = (page, group) =>
  JSON.stringify([
    group.decided.members,
    group.decided.decision,
    group.decided.by,
    group.colour,
    theme.printing,
    elsewhere(page, group),
  ]);

// The proposed labels that are not in the group (any more), each with the number of the accepted group that it is in, or null.
function elsewhere({ choices }, { decided }) {
  const own = new Set(decided.members);
  return (decided.proposed ?? [])
    .filter((label) => !own.has(label))
    .map((label) => [
      label,
      choices.groups.find((other) => choices.isAccepted(other) && other.decided.members.includes(label))?.number,
    ]);
}

// The element of a group, and a function that brings name and note up to date.
function proposalItem(page, group) {
  const { choices } = page;
  const { id, number } = group;
  const name = make("input.step-name", {
    type: "text",
    "aria-label": `Name of step ${number}`,
    "data-focus": `${id} name`,
    spellcheck: "false",
    oninput: () => choices.apply(rename(choices.state, id, name.value), `name ${id}`),
  });
  const problem = make("span");
  const caution = make("p.caution", make("span.mark", { "aria-hidden": "true" }, "!"), problem);
  const note = noteField(`Note on group ${number}`, `${id} note`, (text) =>
    choices.apply(setNote(choices.state, id, text), `note ${id}`),
  );
  const { whyButton, why } = otherReasons(page, group);
  const noteButton = button("Note", () => note.show(), { "aria-label": `Note on group ${number}` });
  const element = make(
    choices.isMerged(group) ? "li.proposal" : "li.proposal.off",
    { id: `proposal-${id}`, "data-card": JSON.stringify([id]), tabindex: -1, "aria-label": `Group ${number}` },
    make(
      "div.proposal-head",
      badge(group),
      make("div.proposal-members", memberLists(page, group)),
      make("span.proposal-value", verdict(page, group)),
    ),
    make(
      "div.proposal-body",
      whyProposed(page, group),
      decisionRow(page, group, name, [whyButton, noteButton]),
      caution,
      note.element,
      why,
    ),
  );
  element.style.setProperty("--group", group.colour);
  const refresh = () => {
    const now = choices.group(id);
    const given = now.decided.name ?? "";
    const isEmptied = isTyped(name) && !given && isBlank(name.value); // somebody is typing, and has not come to the name yet
    if (name.value !== given && !isEmptied) name.value = given;
    name.placeholder = choices.defaultName(now);
    element.classList.toggle("off", !choices.isMerged(now));
    const found = choices.nameProblem(now);
    problem.textContent = NAME_PROBLEMS[found] ?? "";
    caution.hidden = found === null;
    note.set(now.decided.note);
    noteButton.hidden = !note.element.hidden;
  };
  refresh();
  return { element, refresh };
}

// Of synonyms the probability; of all others the relation, and a figure that can be checked.
function verdict({ data }, { proposal, relation }) {
  if (!proposal) return make("span.muted", relation);
  const { probability, overlap } = proposal;
  if (relation === "synonyms") return [shareBar(probability), make("b", data.verdict(relation, probability))];
  const share = data.verdicts.overlap.replace("{}", percent(overlap));
  return [make("b", data.shortVerdict(relation, probability)), make("span.muted", share)];
}

// What can be decided: accept, reject, a name, and what is done more seldom.
function decisionRow(page, group, name, buttons) {
  const { choices } = page;
  const { id, number, decided } = group;
  const act = (change, words) => {
    choices.apply(change);
    say(words);
  };
  const toggle = (decision, words) => {
    const isOn = decided.decision === decision;
    const isOwn = isOn && decided.by === "person";
    const next = isOwn ? "undecided" : decision; // pressed once more, what actalike decided is confirmed, and one's own taken back
    return button(words, () => act(decide(choices.state, id, next), `Group ${number} is ${next}`), {
      class: isOn ? "quiet small on" : "quiet small",
      "aria-pressed": String(isOn),
      "aria-label": `${words} group ${number}`,
      "data-focus": `${id} ${decision}`,
      "data-decides": isOwn ? null : decision,
    });
  };
  const more = (words, label, onclick) => button(words, onclick, { "aria-label": label, "data-focus": `${id} ${words}` });
  const isMade = decided.proposed === null;
  return make(
    "div.decide",
    { role: "group", "aria-label": `Group ${number}: ${decisionWords(decided)}` },
    toggle("accepted", "Accept"),
    toggle("rejected", "Reject"),
    make("span.decision", decisionWords(decided)),
    make("label.named", make("span.muted", "Step name"), name),
    more("Add labels", `Add labels to group ${number}`, () => pickLabels(page, id)),
    group.members.length > 1
      ? more("Compare", `Compare labels of group ${number}`, () =>
          compareGroups(page, group.members.slice(0, 1), group.members.slice(1)),
        )
      : null,
    buttons,
    isMade
      ? more("Dissolve", `Dissolve group ${number}`, () => act(dissolve(choices.state, id), `Group ${number} is dissolved`))
      : null,
  );
}

function decisionWords({ decision, by }) {
  if (decision === "undecided") return "undecided";
  return `${decision} by ${by === "person" ? "you" : "actalike"}`;
}

// The lines that a person needs first. They are those of the proposed labels, also if others are in the group now.
function whyProposed(page, { proposal, decided }) {
  if (!proposal) return decided.proposed ? make("p.muted", "It comes from a proposal that this report does not make.") : null;
  const isSame = proposal.members.length === decided.members.length && !elsewhere(page, { decided }).length;
  const words = `Why the ${counted(proposal.members.length, "label was", "labels were")} proposed:`;
  return [isSame ? null : make("p.muted", words), argumentList(page, proposal.shown)];
}

// All other reasons, hidden and built only when somebody asks for them, or prints; and the button that does.
function otherReasons(page, { id, number, proposal }) {
  if (!proposal) return { whyButton: null, why: null };
  const { unfolded } = page.choices;
  const key = `why ${id}`;
  const why = make("div.proposal-why");
  const show = (isOpen) => {
    why.hidden = !isOpen;
    whyButton.setAttribute("aria-expanded", String(isOpen));
    if (isOpen && !why.children.length) why.append(...whyContent(page, proposal));
  };
  const toggle = () => {
    unfolded[why.hidden ? "add" : "delete"](key);
    show(why.hidden);
  };
  const whyButton = button("Why?", toggle, { "aria-label": `Why? All reasons for group ${number}`, "data-focus": `${id} why` });
  show(unfolded.has(key) || theme.printing);
  return { whyButton, why };
}

const whyContent = (page, proposal) => [
  make(
    "div",
    proposal.more.length ? argumentList(page, proposal.more) : null,
    proposal.together ? make("p.muted", proposal.together) : null,
    reasonSum(page, proposal),
  ),
  make("div", make("h4", "What they share"), evidenceList(page, proposal.evidence)),
];

// A fold whose content is built when it is opened, or printed.
function lazyFold(words, summary, { isOpen, fill, toggled }) {
  const fold = make(words, { open: isOpen }, summary);
  if (isOpen || theme.printing) fill(fold);
  fold.addEventListener("toggle", () => {
    if (fold.open) fill(fold);
    if (!theme.printing) toggled(fold.open);
  });
  return fold;
}

// The labels of the group, and those that were proposed and are not in it; a long list is folded, not cut: in print it is whole.
function memberLists(page, group) {
  const { unfolded } = page.choices;
  const labels = [
    ...group.decided.members.map((label) => [label]),
    ...elsewhere(page, group).map(([label, number]) => [label, number ? `in group ${number}` : "left out"]),
  ];
  const list = (some) =>
    make(
      "ul.members",
      some.map(([label, place]) => memberItem(page, group, label, place)),
    );
  const pattern = group.proposal?.pattern;
  const most = pattern ? SHOWN_EXAMPLES : SHOWN_MEMBERS;
  const first = [
    pattern ? make("p", labelText(pattern), ` · ${counted(labels.length, "label", "labels")}`) : null,
    list(labels.slice(0, most)),
  ];
  if (labels.length <= most) return first;
  const words = `and ${counted(labels.length - most, "more label", "more labels")}`;
  const fold = lazyFold("details.fold", make("summary", words), {
    isOpen: unfolded.has(group.id),
    fill: (element) => element.children.length > 1 || element.append(list(labels.slice(most))),
    toggled: (isOpen) => unfolded[isOpen ? "add" : "delete"](group.id),
  });
  return [...first, fold];
}

function memberItem(page, group, label, place = null) {
  const { data, choices } = page;
  const { id, number } = group;
  const i = choices.indexOf.get(label);
  const isIn = place === null;
  const isHidden = choices.hidden.has(label);
  const shown = data.shownLabel(label);
  const box = make("input", {
    type: "checkbox",
    checked: isIn,
    "aria-label": `${shown}: is part of step ${number}`,
    "data-focus": `${id} box ${label}`,
    onchange: () => {
      choices.apply(isIn ? leaveOut(choices.state, id, label) : putInto(choices.state, id, label));
      say(isIn ? `${shown} is left out of group ${number}` : `${shown} is in group ${number}`);
    },
  });
  const move = () =>
    make(
      "button.move",
      {
        "aria-label": `Move ${shown} to another group`,
        title: "Move to another group",
        "data-focus": `${id} move ${label}`,
        onclick: () => pickGroup(page, label, id),
      },
      "⇄",
    );
  const remark = i !== undefined ? thousands(data.counts[i]) : isHidden ? HIDDEN : missingWords(data);
  return make(
    "li",
    { class: `member${isIn ? "" : " out"}${i === undefined && !isHidden ? " missing" : ""}` },
    box,
    i === undefined ? labelText(shown) : activityButton(page, i),
    make("span.count", place ?? remark),
    isIn ? move() : null,
  );
}
