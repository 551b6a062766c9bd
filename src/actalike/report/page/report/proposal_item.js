// A group in the list: its labels with what can be done with each, the decision, the name, the note, and why it was proposed.

import { make, say } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { isBlank, labelText, shownLabel } from "../shared/label_texts.js";
import { isTyped, noteField } from "../shared/note_field.js";
import { shareBar } from "../shared/share_bar.js";
import { theme } from "../shared/theme.js";
import { compareGroups } from "./compare_view.js";
import { decide, dissolve, leaveOut, putInto, rename, setNote } from "./decisions.js";
import { evidenceList } from "./evidence_list.js";
import { activityButton } from "./labels.js";
import { badge } from "./marks.js";
import { pickGroup, pickLabels } from "./pick_dialog.js";
import { reasonList, reasonSum } from "./reason_list.js";
import { likelyWords, verdictWords } from "./reasons.js";
import { HIDDEN, missingWords, togetherWords } from "./words.js";

const SHOWN_MEMBERS = 12; // of a group; the others are folded
const SHOWN_EXAMPLES = 3; // of labels with a pattern
const NAME_PROBLEMS = {
  taken: "Another activity already has this name: the two would become one step.",
  chain: "The activity of this name gets another name itself, and relabelling refuses such a chain: choose another name.",
};

// What is decided, in words.
function decisionWords({ decided: { decision, by } }) {
  if (decision === "undecided") return "undecided";
  return `${decision} by ${by === "person" ? "you" : "actalike"}`;
}

// What an element of the list depends on beside its name, its note and what they lead to.
export const itemKey = (page, group) =>
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
export function proposalItem(page, group) {
  const { choices } = page;
  const { id, number } = group;
  const act = (change, words) => () => {
    choices.apply(change(choices.state));
    if (words) say(words);
  };
  const toggle = (decision, words) => {
    const isOn = group.decided.decision === decision;
    return make(
      "button",
      {
        class: isOn ? "quiet small on" : "quiet small",
        "aria-pressed": String(isOn),
        "aria-label": `${words} group ${number}`,
        "data-focus": `${id} ${decision}`,
        onclick: act(
          (state) => decide(state, id, isOn ? "undecided" : decision),
          `Group ${number} is ${isOn ? "undecided" : decision}`,
        ),
      },
      words,
    );
  };
  const name = make("input", {
    type: "text",
    class: "step-name",
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
  const noteButton = make(
    "button.quiet.small",
    {
      "aria-label": `Note on group ${number}`,
      onclick: () => {
        note.element.hidden = false;
        note.input.focus();
      },
    },
    "Note",
  );
  const button = (words, label, onclick) =>
    make("button.quiet.small", { "aria-label": label, "data-focus": `${id} ${words}`, onclick }, words);
  const element = make(
    "li",
    { class: choices.isMerged(group) ? "proposal" : "proposal off", id: `proposal-${id}`, "data-card": JSON.stringify([id]) },
    make("div.proposal-head", badge(group), make("div.proposal-members", memberLists(page, group)), figure(group)),
    make(
      "div.decide",
      { role: "group", "aria-label": `Group ${number}: ${decisionWords(group)}` },
      toggle("accepted", "Accept"),
      toggle("rejected", "Reject"),
      make("span.decision", decisionWords(group)),
      button("Add labels", `Add labels to group ${number}`, () => pickLabels(page, id)),
      noteButton,
      group.members.length > 1
        ? button("Compare", `Compare labels of group ${number}`, () =>
            compareGroups(page, group.members.slice(0, 1), group.members.slice(1)),
          )
        : null,
      group.decided.proposed === null
        ? button(
            "Dissolve",
            `Dissolve group ${number}`,
            act((state) => dissolve(state, id), `Group ${number} is dissolved`),
          )
        : null,
    ),
    make(
      "div.proposal-body",
      make("div", reasonsOf(page, group), make("p.named", make("span.muted", "Step name"), name), caution, note.element),
      group.proposal ? make("div", evidenceList(page, group.proposal.evidence), reasonSum(group.proposal)) : null,
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

// The figure of a proposal: of synonyms the probability, of all others what can be checked.
function figure({ proposal, relation }) {
  if (!proposal) return make("span.proposal-value.muted", relation);
  const { probability, overlap } = proposal;
  const [share, words] =
    relation === "synonyms" ? [probability, likelyWords(probability)] : [overlap, `${percent(overlap)} of neighbours the same`];
  return make("span.proposal-value", shareBar(share), make("b", words));
}

// Why it was proposed. The reasons are those of the proposed labels, also if others are in the group now.
function reasonsOf(page, { proposal, decided }) {
  if (!proposal) return decided.proposed ? make("p.muted", "It comes from a proposal that this report does not make.") : null;
  const isSame = proposal.members.length === decided.members.length && !elsewhere(page, { decided }).length;
  return [
    isSame ? null : make("p.muted", `Why the ${counted(proposal.members.length, "label was", "labels were")} proposed:`),
    proposal.relation === "synonyms" ? null : make("p.verdict", verdictWords(proposal.relation, proposal.probability)),
    reasonList(page, proposal),
    proposal.together > 0 && proposal.members.length > 2 ? make("p.muted", togetherWords(proposal.together)) : null,
  ];
}

// The labels of the group, and those that were proposed and are not in it; a long list is folded, not cut: in print it is whole.
// What is folded is built when somebody unfolds it, and stays unfolded while its labels are changed.
function memberLists(page, group) {
  const { unfolded } = page.choices;
  const labels = [
    ...group.decided.members.map((label) => [label]),
    ...elsewhere(page, group).map(([label, number]) => [label, number ? `in group ${number}` : "left out"]),
  ];
  if (!labels.length) return make("p.muted", "No labels yet.");
  const items = (some) => some.map(([label, place]) => memberItem(page, group, label, place));
  const pattern = group.proposal?.pattern;
  const most = pattern ? SHOWN_EXAMPLES : SHOWN_MEMBERS;
  const list = [
    pattern ? make("p", labelText(pattern), ` · ${counted(labels.length, "label", "labels")}`) : null,
    make("ul.members", items(labels.slice(0, most))),
  ];
  if (labels.length <= most) return list;
  const rest = make("ul.members");
  const build = () => {
    if (!rest.children.length) rest.append(...items(labels.slice(most)));
  };
  const words = `and ${counted(labels.length - most, "more label", "more labels")}`;
  const fold = make("details.fold", { open: unfolded.has(group.id) }, make("summary", words), rest);
  if (fold.open || theme.printing) build();
  fold.addEventListener("toggle", () => {
    if (fold.open) build();
    if (!theme.printing) unfolded[fold.open ? "add" : "delete"](group.id);
  });
  return [...list, fold];
}

function memberItem(page, group, label, place = null) {
  const { data, choices } = page;
  const { id, number } = group;
  const i = choices.indexOf.get(label);
  const isIn = place === null;
  const isHidden = choices.hidden.has(label);
  const remark = isHidden ? HIDDEN : missingWords(data);
  const box = make("input", {
    type: "checkbox",
    checked: isIn,
    "aria-label": `${shownLabel(label)}: is part of step ${number}`,
    "data-focus": `${id} box ${label}`,
    onchange: () => {
      choices.apply(isIn ? leaveOut(choices.state, id, label) : putInto(choices.state, id, label));
      say(`${shownLabel(label)} is ${isIn ? "left out" : "in"} of group ${number}`.replace("in of", "in"));
    },
  });
  return make(
    "li",
    { class: `member${isIn ? "" : " out"}${i === undefined && !isHidden ? " missing" : ""}` },
    box,
    i === undefined ? labelText(shownLabel(label)) : activityButton(page, i),
    make("span.count", place ?? (i === undefined ? remark : thousands(data.counts[i]))),
    isIn
      ? make(
          "button.move",
          {
            "aria-label": `Move ${shownLabel(label)} to another group`,
            title: "Move to another group",
            "data-focus": `${id} move ${label}`,
            onclick: () => pickGroup(page, label, id),
          },
          "⇄",
        )
      : null,
  );
}
