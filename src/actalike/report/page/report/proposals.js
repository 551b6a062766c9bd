// The list of proposals, and of groups made by hand: each with its verdict, what can be decided, and why it was proposed.

import { fold, noteButton, noteField, openDialog } from "../shared/controls.js";
import { button, find, foreignText, say, shareBar, theme } from "../shared/dom.js";
import { labelElement, labelText } from "../shared/labels.js";
import { counted, matches, percent, thousands } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { compareGroups, has } from "./compare_view.js";
import { decide, dissolve, leaveOut, newGroup, nextId, putInto, rename, setNote } from "./decisions.js";
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

const SHOWN = 20; // proposals, until the reader wants all
const SHOWN_MEMBERS = 12; // of a group; the others are folded
const SHOWN_EXAMPLES = 3; // of labels with a pattern
const [ALL, OTHERS] = ["all proposals", "other groups"]; // keys of what is unfolded
const NAME_PROBLEMS = {
  taken: "Another activity already has this name: the two would become one step.",
  chain: "The activity of this name gets another name itself, and relabelling rejects such a chain: choose another name.",
};

export function startProposals(/** @type {ReportPage} */ page) {
  const { data, choices } = page;
  choices.shows("decisions theme print open", find("proposals-view"), () => {
    const { listed, others } = choices;
    const shown = choices.open.has(ALL) || theme.printing ? listed : listed.slice(0, SHOWN);
    const none =
      data.size < 2
        ? "There is one activity, so there is nothing to merge."
        : choices.hasProposals
          ? "No group is left to decide about."
          : "No two labels are likely one step: nothing is proposed. You can make groups by hand.";
    const showAll = () => {
      choices.unfold(ALL);
      find("proposal-list").children[SHOWN]?.querySelector("input").focus();
    };
    const otherList = () => html`
      <p class="guide">They are interchangeable in the flow, and yet they are not proposed: steps of the same cases, or labels in too few cases. Nothing here is accepted by itself.</p>
      <ol class="proposals" id="other-list">${others.map((group) => proposalItem(page, group))}</ol>
    `;
    const title = html`<span id="others-title">${otherGroupsWords(others)}</span>`;
    return html`
      ${listed.length === 0 && html`<p class="none" id="proposals-none">${none}</p>`}
      <ol class="proposals" id="proposal-list">${shown.map((group) => proposalItem(page, group))}</ol>
      ${
        shown.length < listed.length &&
        button(`Show all ${thousands(listed.length)} groups`, showAll, { class: "quiet more", id: "proposals-more" })
      }
      ${others.length > 0 && fold(choices, OTHERS, title, otherList, { class: "fold others", id: "others" })}
    `;
  });
}

// Lists a group that is not among the first ones, or that is folded.
export function revealProposal(/** @type {ReportPage} */ { choices }, group) {
  if (find(`proposal-${group.id}`)) return;
  choices.unfold(choices.others.some(({ id }) => id === group.id) ? OTHERS : ALL);
}

function proposalItem(/** @type {ReportPage} */ page, group) {
  const { choices } = page;
  const { id, number, decided } = group;
  const problem = choices.nameProblem(group);
  const note = (text) => choices.apply(setNote(choices.state, id, text), `note ${id}`);
  return html`
    <li class=${choices.isMerged(group) ? "proposal" : "proposal off"} key=${id} id=${`proposal-${id}`} data-card=${JSON.stringify([id])}
      tabindex="-1" aria-label=${`Group ${number}`} style=${{ "--group": group.colour }}>
      <div class="proposal-head">
        ${badge(group)}
        <div class="proposal-members">${memberLists(page, group)}</div>
        <span class="proposal-value">${verdict(page, group)}</span>
      </div>
      <div class="proposal-body">
        ${whyProposed(page, group)}
        ${decisionRow(page, group)}
        ${problem && html`<p class="caution"><span class="mark" aria-hidden="true">!</span>${NAME_PROBLEMS[problem]}</p>`}
        ${noteField(choices, `Note on group ${number}`, `${id} note`, decided.note, note)}
        ${isWhyOpen(page, group) && otherReasons(page, group.proposal)}
      </div>
    </li>
  `;
}

// Of synonyms the probability; of all others the relation, and a figure that can be checked.
function verdict(/** @type {ReportPage} */ { data }, { proposal, relation }) {
  if (!proposal) return html`<span class="muted">${relation}</span>`;
  const { probability, overlap } = proposal;
  if (relation === "synonyms") return html`${shareBar(probability)}<b>${data.verdict(relation, probability)}</b>`;
  const share = data.verdicts.overlap.replace("{}", percent(overlap));
  return html`<b>${data.shortVerdict(relation, probability)}</b><span class="muted">${share}</span>`;
}

// What can be decided: accept, reject, a name, and what is done less often.
function decisionRow(/** @type {ReportPage} */ page, group) {
  const { choices } = page;
  const { id, number, decided, members, proposal } = group;
  const act = (change, words) => {
    choices.apply(change);
    say(words);
  };
  const toggle = (decision, words, title) => {
    const isOn = decided.decision === decision;
    const isOwn = isOn && decided.by === "person";
    const next = isOwn ? "undecided" : decision; // pressed once more, what actalike decided is confirmed, and one's own taken back
    return button(words, () => act(decide(choices.state, id, next), `Group ${number} is ${next}`), {
      class: isOn ? "quiet small on" : "quiet small",
      "aria-pressed": String(isOn),
      "aria-label": `${words} group ${number}`,
      "data-focus": `${id} ${decision}`,
      "data-decides": isOwn ? null : decision,
      title,
    });
  };
  const more = (words, label, onclick, attributes) =>
    button(words, onclick, { "aria-label": label, "data-focus": `${id} ${words}`, ...attributes });
  const isOpen = isWhyOpen(page, group);
  const compare = () => compareGroups(page, members.slice(0, 1), members.slice(1));
  const why = () => choices.unfold(`${id} why`, !isOpen);
  const named = ({ target }) => choices.apply(rename(choices.state, id, target.value), `name ${id}`);
  const dissolved = () => act(dissolve(choices.state, id), `Group ${number} is dissolved`);
  return html`
    <div class="decide" role="group" aria-label=${`Group ${number}: ${decisionWords(decided)}`}>
      ${toggle("accepted", "Accept", "One step: all these labels get one name.")}
      ${toggle("rejected", "Reject", "Not one step: no two of these labels are proposed together again, but spellings of one label are. If only some are wrong, take these out and accept the rest.")}
      <span class="decision">${decisionWords(decided)}</span>
      <label class="named">
        <span class="muted">Step name</span>
        <input type="text" class="step-name" aria-label=${`Name of step ${number}`} data-focus=${`${id} name`} spellcheck=${false}
          value=${decided.name ?? ""} placeholder=${choices.defaultName(group)} oninput=${named} />
      </label>
      ${more("Add labels", `Add labels to group ${number}`, () => pickLabels(page, id))}
      ${members.length > 1 && more("Compare", `Compare labels of group ${number}`, compare)}
      ${proposal && more("Why?", `Why? All reasons for group ${number}`, why, { "aria-expanded": String(isOpen) })}
      ${noteButton(choices, "Note", `Note on group ${number}`, `${id} note`, decided.note)}
      ${decided.proposed === null && more("Dissolve", `Dissolve group ${number}`, dissolved)}
    </div>
  `;
}

function decisionWords({ decision, by }) {
  if (decision === "undecided") return "undecided";
  return `${decision} by ${by === "person" ? "you" : "actalike"}`;
}

// The lines that a person needs first. They are those of the proposed labels, also if others are in the group now.
function whyProposed(/** @type {ReportPage} */ page, { proposal, decided }) {
  if (!proposal) return decided.proposed && html`<p class="muted">It comes from a proposal that this report does not make.</p>`;
  const isSame = proposal.members.length === decided.members.length && !elsewhere(page, { decided }).length;
  const words = `Why the ${counted(proposal.members.length, "label was", "labels were")} proposed:`;
  return [!isSame && html`<p class="muted">${words}</p>`, argumentList(page, proposal.shown)];
}

const isWhyOpen = ({ choices }, { id, proposal }) => Boolean(proposal) && (theme.printing || choices.open.has(`${id} why`));

const otherReasons = (/** @type {ReportPage} */ page, proposal) => html`
  <div class="proposal-why">
    <div>
      ${proposal.more.length > 0 && argumentList(page, proposal.more)}
      ${proposal.together && html`<p class="muted">${proposal.together}</p>`}
      ${reasonSum(page, proposal)}
    </div>
    <div><h4>What they share</h4>${evidenceList(page, proposal.evidence)}</div>
  </div>
`;

// The proposed labels that are not in the group (any more), each with the number of the accepted group that it is in, or null.
function elsewhere(/** @type {ReportPage} */ { choices }, { decided }) {
  const own = new Set(decided.members);
  return (decided.proposed ?? [])
    .filter((label) => !own.has(label))
    .map((label) => [
      label,
      choices.groups.find((other) => choices.isAccepted(other) && other.decided.members.includes(label))?.number,
    ]);
}

// The labels of the group, and those that were proposed and are not in it; a long list is folded, not cut: in print it is whole.
function memberLists(/** @type {ReportPage} */ page, group) {
  const labels = [
    ...group.decided.members.map((label) => [label]),
    ...elsewhere(page, group).map(([label, number]) => [label, number ? `in group ${number}` : "left out"]),
  ];
  const list = (some) => html`<ul class="members">${some.map(([label, place]) => memberItem(page, group, label, place))}</ul>`;
  const pattern = group.proposal?.pattern;
  const most = pattern ? SHOWN_EXAMPLES : SHOWN_MEMBERS;
  const rest = labels.slice(most);
  const more = `and ${counted(rest.length, "more label", "more labels")}`;
  return [
    pattern && html`<p>${labelText(pattern)} · ${counted(labels.length, "label", "labels")}</p>`,
    list(labels.slice(0, most)),
    rest.length > 0 && fold(page.choices, `${group.id} labels`, more, () => list(rest)),
  ];
}

function memberItem(/** @type {ReportPage} */ page, group, label, place = null) {
  const { data, choices } = page;
  const { id, number } = group;
  const i = choices.indexOf.get(label);
  const isIn = place === null;
  const isHidden = choices.hidden.has(label);
  const shown = data.shownLabel(label);
  const change = () => {
    choices.apply(isIn ? leaveOut(choices.state, id, label) : putInto(choices.state, id, label));
    say(isIn ? `${shown} is left out of group ${number}` : `${shown} is in group ${number}`);
  };
  const remark = i !== undefined ? thousands(data.counts[i]) : isHidden ? HIDDEN : missingWords(data);
  const move = {
    class: "move",
    "aria-label": `Move ${shown} to another group`,
    title: "Move to another group",
    "data-focus": `${id} move ${label}`,
  };
  return html`
    <li class=${`member${isIn ? "" : " out"}${i === undefined && !isHidden ? " missing" : ""}`} key=${label}>
      <input type="checkbox" checked=${isIn} aria-label=${`${shown}: is part of step ${number}`} data-focus=${`${id} box ${label}`} onchange=${change} />
      ${i === undefined ? labelText(shown) : activityButton(page, i)}
      <span class="count">${place ?? remark}</span>
      ${isIn && button("⇄", () => pickGroup(page, label, id), move)}
    </li>
  `;
}

// --- What is picked in a dialog: labels for a group, or a group for a label.

// Pick labels and put them into a group; a new one begins with the first of them.
export function pickLabels(/** @type {ReportPage} */ { data, choices }, id) {
  const option = (i) => {
    const inGroup = choices.groupOf[i];
    const remark = inGroup && choices.isAccepted(inGroup) ? `in group ${inGroup.number} now` : thousands(data.counts[i]);
    return {
      words: [labelElement(data, i), html` <span class="count">${remark}</span>`],
      act: () => {
        const label = data.labels[i];
        choices.apply(choices.group(id) ? putInto(choices.state, id, label) : newGroup(choices.state, id, [label]));
        say(`${data.name(i)} is in group ${id + 1}`);
      },
    };
  };
  const options = (query) => {
    const own = choices.group(id)?.members ?? [];
    const near = own.length ? data.neighbours[own[0]].map(([j]) => j) : [...data.labels.keys()];
    return (query ? matches(data.labels, query, data.names) : near).filter((i) => !own.includes(i)).map(option);
  };
  const title = `${choices.group(id) ? "Add labels to" : "Labels for a new"} group ${id + 1}`;
  openDialog({ title, hint: "Find a label", options, stays: true });
}

// Pick the group that a label moves to; `from` is the group that it leaves, null if it is in none.
export function pickGroup(/** @type {ReportPage} */ { data, choices }, label, /** @type {number | null} */ from = null) {
  const act = (state, words) => () => {
    choices.apply(state);
    say(`${data.shownLabel(label)} ${words}`);
  };
  const named = (group) => [choices.stepName(group), ...group.decided.members];
  const groups = () => [...choices.proposed, ...choices.others].filter((group) => group.id !== from);
  const into = (group) => {
    const remark = `${counted(group.decided.members.length, "label", "labels")}, ${group.decided.decision}`;
    return {
      words: html`Group ${group.number}: ${foreignText(choices.stepName(group))}<span class="count"> ${remark}</span>`,
      act: act(putInto(choices.state, group.id, label, from), `is in group ${group.number}`),
    };
  };
  const options = (query) => {
    const id = nextId(choices.state, choices.proposals);
    const first = [
      { words: "A new group", act: act(newGroup(choices.state, id, [label], from), `is in a new group, ${id + 1}`) },
    ];
    if (from !== null)
      first.push({ words: "No group: leave it out", act: act(leaveOut(choices.state, from, label), "is left out") });
    const found = groups().filter((group) => !query || named(group).some((text) => has(text, query)));
    return [...(query ? [] : first), ...found.map(into)];
  };
  const title = [from === null ? "Put " : "Move ", foreignText(data.shownLabel(label)), " into"];
  openDialog({ title, hint: "Find a group", options });
}
