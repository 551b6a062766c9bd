// What the reader has chosen and decided, and what follows from it. Whoever shows something watches the kinds of change that it
// depends on.

import { DecidedChoices } from "../shared/decided_choices.js";
import { sentenceText, untyped } from "../shared/dom.js";
import { byCodePoint, csv } from "../shared/texts.js";
import { defaultName, hasEffect, proposalsOf, startState, stepName } from "./decisions.js";

const KINDS = ["arrows", "filter", "selection", "query"];
const PROPOSED = ["synonyms", "alternatives"];

export class Choices extends DecidedChoices {
  constructor(data, isDark, /** @type {Decided | undefined} */ decided = undefined) {
    const proposals = proposalsOf(data);
    super(KINDS, startState(proposals, sureness(data, decided), decided));
    this.data = data;
    this.isDark = isDark;
    this.proposals = proposals;
    this.indexOf = new Map(data.labels.map((label, i) => [label, i])); // of the labels that are drawn
    this.hidden = new Set(data.hidden); // labels of groups that are too rare to be drawn
    /** @type {(ShownGroup | null)[]} of each activity */
    this.groupOf = [];
    /** @type {(ShownGroup | null)[]} */
    this.otherOf = [];
    this.arrows = 0; // drawn in the flow
    this.change = untyped(null); // of the process, of which the flow shows both sides; "arrows" change with it
    this.selected = untyped(null); // an activity
    this.other = untyped(null); // the activity that it is compared with
    this.query = "";
    this.origin = untyped(null); // the element that had the focus when the panel was opened
    this.toPanel = false; // whether the focus moves into the panel
    this.derive();
  }

  // From which probability on actalike accepts, as it was decided; this page has no proposals that are less likely than its own.
  sureness(decided) {
    return sureness(this.data, decided);
  }

  // The groups of the state that have labels, with what the page knows of them: numbers and colours, the proposal's figures, the members that are
  // drawn as numbers, those that are hidden, and labels that the page does not know.
  // Those that are proposed, made by hand or accepted have colours everywhere; others have a section of their own. Rejected groups
  // stay where they are in the list, and have no colours elsewhere.
  derive() {
    const palette = this.data.palette[this.isDark() ? "dark" : "light"];
    const filled = this.state.groups.filter(({ members }) => members.length);
    this.groups = filled.map((group) => {
      const proposal = group.proposal === null ? null : this.data.groups[group.proposal];
      return {
        relation: group.proposed === null ? "made by hand" : "proposed before",
        ...proposal,
        proposal,
        decided: group,
        id: group.id,
        number: group.id + 1,
        colour: groupColour(palette, group.id, this.isDark()),
        members: group.members.filter((label) => this.indexOf.has(label)).map((label) => this.indexOf.get(label)),
        hidden: group.members.filter((label) => this.hidden.has(label)),
        unknown: group.members.filter((label) => !this.knows(label)),
      };
    });
    const isListed = ({ relation, proposal, decided }) =>
      PROPOSED.includes(relation) || proposal === null || decided.decision === "accepted";
    this.listed = this.groups
      .filter(isListed)
      .sort((a, b) => Number(isMade(b)) - Number(isMade(a)) || placeOf(a) - placeOf(b) || a.id - b.id);
    this.proposed = this.listed.filter(({ decided }) => decided.decision !== "rejected");
    this.others = this.groups.filter((group) => !isListed(group));
    const ofEach = (some) => {
      const groupOf = new Array(this.data.size).fill(null);
      const acceptedLast = [...some].sort((a, b) => Number(this.isAccepted(a)) - Number(this.isAccepted(b)));
      for (const group of acceptedLast) for (const member of group.members) groupOf[member] = group;
      return groupOf;
    };
    this.groupOf = ofEach(this.proposed);
    this.otherOf = ofEach(this.others);
  }

  group(id) {
    return this.groups.find((group) => group.id === id);
  }

  isAccepted(group) {
    return group.decided.decision === "accepted";
  }

  // Whether there is anything to decide about before somebody makes a group by hand.
  get hasProposals() {
    return this.data.groups.some(({ relation }) => PROPOSED.includes(relation));
  }

  // How many of the groups that are listed a person has decided about, and how many there are.
  get progress() {
    const decided = this.listed.filter((group) => group.decided.by === "person" && group.decided.decision !== "undecided");
    return { decided: decided.length, all: this.listed.length };
  }

  // Whether relabelling would change something.
  isMerged(group) {
    return hasEffect(group.decided, this.proposals, (label) => this.isHere(label));
  }

  // Whether the page knows that the log has a label, drawn or hidden.
  knows(label) {
    return this.indexOf.has(label) || this.hidden.has(label);
  }

  // Whether the log has a label, as far as the page knows: of a large log it does not know the rarest that are in no group.
  isHere(label) {
    return this.knows(label) || Boolean(this.data.left_out);
  }

  // The accepted groups that make one step of several labels, and those that give a single label another name.
  get effects() {
    const effective = this.groups.filter((group) => this.isMerged(group));
    const isRenaming = ({ decided }) => decided.members.filter((label) => this.isHere(label)).length === 1;
    return { merged: effective.filter((group) => !isRenaming(group)), renamed: effective.filter(isRenaming) };
  }

  defaultName(group) {
    return defaultName(group.decided, this.proposals);
  }

  stepName(group) {
    return stepName(group.decided, this.proposals);
  }

  // Of each activity that is drawn, the group that it is merged into, or null.
  mapping() {
    const mergedInto = new Array(this.data.size).fill(null);
    for (const group of this.groups) if (this.isMerged(group)) for (const member of group.members) mergedInto[member] = group;
    return mergedInto;
  }

  // How many activities the log has after merging.
  activitiesLeft() {
    const { labels, hidden, facts } = this.data;
    const names = new Set([...labels, ...hidden]);
    const known = names.size;
    const merged = this.groups.filter((group) => this.isMerged(group) && group.members.length + group.hidden.length > 0);
    for (const group of merged) for (const label of group.decided.members) names.delete(label);
    for (const group of merged) names.add(this.stepName(group));
    return names.size + facts.activities - known;
  }

  // What is wrong with the name of a merged group: "taken" by another step or activity, with which it would become one; "chain" if
  // that activity gets another name itself, which relabelling rejects; null if nothing is.
  nameProblem(group) {
    if (!this.isMerged(group)) return null;
    const name = this.stepName(group);
    const own = new Set(group.decided.members);
    const others = this.groups.filter((other) => other.id !== group.id && this.isMerged(other));
    const holder = others.find(({ decided }) => decided.members.includes(name));
    if (holder && !own.has(name) && this.stepName(holder) !== name) return "chain";
    const isTaken = (this.knows(name) && !own.has(name)) || others.some((other) => this.stepName(other) === name);
    return isTaken ? "taken" : null;
  }

  // The labels of accepted groups that this page does not know.
  get unknownLabels() {
    return this.groups.filter((group) => this.isAccepted(group)).flatMap(({ unknown }) => unknown);
  }

  // Select an activity. With the keyboard the focus moves into the panel, and back.
  select(i, other = null, /** @type {any} */ event = null) {
    const byKey = Boolean(event) && event.detail === 0;
    const fromPanel = byKey && event.currentTarget.closest("#panel") !== null;
    if (!fromPanel) this.origin = byKey ? event.currentTarget : null;
    Object.assign(this, { selected: i, other, toPanel: byKey });
    this.changed("selection");
  }

  // Select nothing; returns the element that had the focus before.
  unselect() {
    const { origin } = this;
    Object.assign(this, { selected: null, other: null, origin: null, toPanel: false });
    this.changed("selection");
    return origin;
  }
}

const sureness = (data, decided) => Math.max(data.at_least, decided?.atLeast ?? 0);

const ROUNDS = [0, 0.4, 0.65]; // how far the colours of the second and the third ten groups are from those of the first

// A colour of the palette, for later groups darker (in dark mode lighter, so that texts on it stay legible): groups 1 and 11 differ.
export function groupColour(palette, id, isDark) {
  const share = ROUNDS[Math.floor(id / palette.length) % ROUNDS.length];
  const parts = palette[id % palette.length].match(/[0-9a-f]{2}/gi).map((part) => Number.parseInt(part, 16));
  const mixed = parts.map((part) => Math.round(part * (1 - share) + (isDark ? 255 : 0) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

const placeOf = ({ decided }) => decided.proposal ?? Number.MAX_SAFE_INTEGER;
const isMade = ({ decided }) => decided.proposed === null;

// --- The mapping of labels to steps, as "actalike group -o mapping.csv" writes it.

const WHY = ["probability", "relation", "reason"];

// A row for each activity that the page knows: those that are merged first, by group; then all others, by label. Second names are a third column.
export function mappingText(data, choices) {
  const labels = [...data.labels, ...data.hidden];
  const second = new Map(labels.map((label, i) => [label, data.names?.[i] ?? ""]));
  const row = (label, step, why) => [label, step, ...(data.names ? [second.get(label) ?? ""] : []), ...why];
  const merged = choices.groups
    .filter((group) => choices.isMerged(group))
    .flatMap((group) => {
      const why = whyTogether(data, group);
      const here = group.decided.members.filter((label) => choices.isHere(label));
      return here.map((label) => row(label, choices.stepName(group), why(label)));
    });
  const done = new Set(merged.map(([label]) => label));
  const others = labels
    .filter((label) => !done.has(label))
    .sort(byCodePoint)
    .map((label) => row(label, label, ["", "", ""]));
  return csv([["activity", "group", ...(data.names ? ["name"] : []), ...WHY], ...merged, ...others]);
}

// Why a label is in a group: the probability, relation and strongest reason of the proposal, unless somebody has added the label.
function whyTogether(data, { proposal, decided, relation }) {
  if (!proposal) return () => ["", relation, ""];
  const [strongest] = proposal.shown;
  const reason = strongest ? sentenceText(data.sentences[strongest[1]], (i) => `'${data.label(i)}'`) : "";
  const why = [proposal.probability.toFixed(4), relation, reason];
  return (label) => (decided.proposed.includes(label) ? why : ["", "added by hand", ""]);
}
