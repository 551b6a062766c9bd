// What was decided about the labels, as a value that never changes: every function returns a new state, or the same one if nothing
// changes.
//
// A state is { atLeast, note, splits, groups }; a group is { id, members, name, decision, by, note, proposed, proposal }. Members are labels,
// so that labels that this page does not have are kept too. `name` is null until somebody gives one. `by` is who decided last: a
// proposal that nobody has touched is decided by actalike. `proposed` has the members of the proposal that a group came from, null
// if it was made by hand; `proposal` is its place among the proposals of this page, null if it is none of them. `id` is the number of
// a group less one. `splits` of labels come from files and are kept.

import { isBlank, wellFormed } from "../shared/texts.js";

// The proposals of the page: labels, name, and the probability of synonyms (0 of all others, which are never accepted by themselves).
export const proposalsOf = ({ groups, labels, hidden }) =>
  groups.map(({ members, name, relation, probability }) => ({
    members: members.map((member) => labels[member] ?? hidden[member - labels.length]),
    name,
    probability: relation === "synonyms" ? probability : 0,
  }));

// Whether actalike accepts a proposal by itself: synonyms that are at least as likely as the reader wants.
const isSure = ({ probability }, atLeast) => probability >= atLeast - 1e-9 && probability > 0;

const sameLabels = (some, others) => some.length === others.length && new Set([...some, ...others]).size === others.length;

// Whether a proposal is accepted by itself: it is sure, and no person has accepted one of its labels elsewhere, or decided about two
// of them.
function isAcceptedByItself(proposal, atLeast, byPerson) {
  if (!isSure(proposal, atLeast)) return false;
  const own = new Set(proposal.members);
  const shared = ({ members }) => members.filter((label) => own.has(label)).length;
  return !byPerson.some((group) => shared(group) >= (group.decision === "accepted" ? 1 : 2));
}

// A state with what a person decided before, which stays as it is with its number, and the proposals that nobody has decided about.
// `decided` is what a file says.
export function startState(
  proposals,
  atLeast,
  /** @type {Pick<Decided, "note" | "groups"> & Partial<Decided>} */ decided = { note: "", groups: [] },
) {
  const byPerson = decided.groups.filter(({ by }) => by === "person").map((group) => linkedTo(proposals, group));
  const places = new Set(byPerson.map(({ proposal }) => proposal));
  const taken = new Set(byPerson.map(({ id }) => id));
  let free = 0;
  const groups = [...byPerson];
  proposals.forEach((proposal, place) => {
    if (places.has(place)) return;
    while (taken.has(free)) free += 1;
    const { members } = proposal;
    const decision = isAcceptedByItself(proposal, atLeast, byPerson) ? "accepted" : "undecided";
    groups.push({ id: free, members, name: null, decision, by: "actalike", note: "", proposed: members, proposal: place });
    free += 1;
  });
  return { atLeast, note: decided.note, splits: decided.splits ?? [], groups: groups.sort((a, b) => a.id - b.id) };
}

// A group of a file with its proposal, if this page has it. A name that it would have anyway is none that somebody gave.
function linkedTo(proposals, group) {
  const place = group.proposed ? proposals.findIndex(({ members }) => sameLabels(members, group.proposed)) : -1;
  const linked = { ...group, proposal: place < 0 ? null : place };
  return { ...linked, name: group.name === defaultName(linked, proposals) ? null : group.name };
}

// How the proposals that actalike has decided about differ from those of decisions before: how many are `added`, and
// `accepted` of these, were accepted and are `gone`, and are decided otherwise now (`changed`).
export function differences(decided, state) {
  const key = ({ proposed, members }) => JSON.stringify([...(proposed ?? members)].sort());
  const byActalike = (groups) => groups.filter(({ by }) => by === "actalike");
  const before = new Map(byActalike(decided.groups).map((group) => [key(group), group.decision]));
  const now = byActalike(state.groups);
  const present = new Set(state.groups.map(key));
  const added = now.filter((group) => !before.has(key(group)));
  return {
    added: added.length,
    accepted: added.filter(({ decision }) => decision === "accepted").length,
    gone: [...before].filter(([labels, decision]) => decision === "accepted" && !present.has(labels)).length,
    changed: now.filter((group) => before.has(key(group)) && before.get(key(group)) !== group.decision).length,
  };
}

// Another probability from which on actalike accepts synonyms; what a person decided stays.
export function setAtLeast(state, proposals, atLeast) {
  const byPerson = state.groups.filter(({ by }) => by === "person");
  const groups = state.groups.map((group) => {
    if (group.by === "person") return group;
    const decision = isAcceptedByItself(proposals[group.proposal], atLeast, byPerson) ? "accepted" : "undecided";
    return decision === group.decision ? group : { ...group, decision };
  });
  return { ...state, atLeast, groups };
}

const changeGroup = (state, id, change) => ({
  ...state,
  groups: state.groups.map((group) => (group.id === id ? { ...group, ...change(group), by: "person" } : group)),
});

// Without groups made by hand that have no label left. An emptied proposal stays, so that nobody proposes it anew, and is not shown.
const withoutEmptied = (state) => ({
  ...state,
  groups: state.groups.filter(({ members, proposed }) => members.length || proposed !== null),
});

// A label is in at most one accepted group: the labels of an accepted one leave all others. One that has none left is undecided.
function onlyIn(state, id) {
  const own = state.groups.find((group) => group.id === id);
  if (own?.decision !== "accepted") return state;
  const labels = new Set(own.members);
  const groups = state.groups.map((group) => {
    if (group === own || group.decision !== "accepted" || !group.members.some((label) => labels.has(label))) return group;
    const members = group.members.filter((label) => !labels.has(label));
    return { ...group, members, decision: members.length ? "accepted" : "undecided", by: "person" };
  });
  return withoutEmptied({ ...state, groups });
}

// Decide about a group: "accepted", "rejected" or "undecided".
export const decide = (state, id, decision) =>
  onlyIn(
    changeGroup(state, id, () => ({ decision })),
    id,
  );

export const decideAll = (state, ids, decision) => ids.reduce((decided, id) => decide(decided, id, decision), state);

// Give a step a name; a blank one takes it back.
export const rename = (state, id, name) => changeGroup(state, id, () => ({ name: isBlank(name) ? null : wellFormed(name) }));

export const setNote = (state, id, note) => changeGroup(state, id, () => ({ note: wellFormed(note) }));

export const setLogNote = (state, note) => ({ ...state, note: wellFormed(note) });

// Take a label out of a group.
export const leaveOut = (state, id, label) =>
  withoutEmptied(changeGroup(state, id, ({ members }) => ({ members: members.filter((member) => member !== label) })));

// Put a label into a group, out of the one that it comes from, if any.
export function putInto(state, id, label, /** @type {number | null} */ from = null) {
  const without = from === null ? state : leaveOut(state, from, label);
  const added = changeGroup(without, id, ({ members }) => ({ members: members.includes(label) ? members : [...members, label] }));
  return onlyIn(added, id);
}

export const nextId = ({ groups }, proposals) => Math.max(proposals.length - 1, ...groups.map(({ id }) => id)) + 1;

// Make a group by hand: whoever makes one takes its labels for one step.
export function newGroup(state, id, labels, /** @type {number | null} */ from = null) {
  const group = { id, members: [], name: null, decision: "accepted", by: "person", note: "", proposed: null, proposal: null };
  const begun = { ...state, groups: [...state.groups, group] };
  return labels.reduce((grown, label) => putInto(grown, id, label, from), begun);
}

// Remove a group that was made by hand; its labels are free again.
export const dissolve = (state, id) => ({
  ...state,
  groups: state.groups.filter((group) => group.id !== id || group.proposed !== null),
});

// The name of a step if nobody gives it one: the proposed name, unless it is that of a label that has left the group.
export function defaultName({ members, proposed, proposal }, proposals) {
  const name = proposal === null ? undefined : proposals[proposal].name;
  const hasLeft = name === undefined || (proposed.includes(name) && !members.includes(name));
  const first = (hasLeft ? members.find((label) => !isBlank(label)) : name) ?? name ?? "";
  return isBlank(first) ? "(no name)" : first;
}

export const stepName = (group, proposals) =>
  group.name === null || isBlank(group.name) ? defaultName(group, proposals) : group.name.trim();

// Whether relabelling would change something: of labels that the log does not have, nothing.
export function hasEffect(group, proposals, isHere = (/** @type {string} */ _label) => true) {
  const labels = group.members.filter(isHere);
  return (
    group.decision === "accepted" && (labels.length > 1 || (labels.length === 1 && stepName(group, proposals) !== labels[0]))
  );
}

// The groups of a state as a file holds them.
export const storedGroups = ({ groups }, proposals) =>
  groups.map((group) => ({
    number: group.id + 1,
    decision: group.decision,
    by: group.by,
    name: stepName(group, proposals),
    activities: group.members,
    note: group.note,
    proposed: group.proposed,
  }));
