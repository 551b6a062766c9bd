// What the reader has chosen, and what follows from it. Whoever shows something watches what it depends on.

const state = {
  boldness: data.boldness,
  arrows: 0, // drawn in the flow; chosen there
  large: new Map(), // flow: whether it has the full width
  ticks: new Map(), // group: whether ticked; those not touched are ticked if they are sure
  leftOut: new Map(), // group: the members that are left out
  names: new Map(), // group: the name that it was given
  selected: null,
  other: null, // compared with the selected one
  query: "",
  origin: null, // where the keyboard was when the panel was opened
  toPanel: false, // whether it moves into the panel
};

const watchers = [];
const watch = (kinds, act) => watchers.push({ kinds: kinds.split(" "), act });
function changed(kind) {
  if (kind === "boldness" || kind === "theme") proposed = propose();
  for (const { kinds, act } of watchers) if (kinds.includes(kind)) act();
}

// colours that differ for colour-blind eyes too; light ones on dark
const PALETTE = {
  light: ["#0072b2", "#c25400", "#00855f", "#b0457f", "#9a6a00", "#6b4fb3", "#b3202c", "#137f8f", "#64741c", "#7a5037"],
  dark: ["#5ab4e8", "#ff9a52", "#3fd0a4", "#f0a0cb", "#f0c14b", "#b79df2", "#ff8a8f", "#6fd6e3", "#c0d36a", "#d2a98a"],
};

function propose() {
  // the groups at this boldness; those without a caution first, else the most convincing
  const groups = data.groups.map((group, id) => ({ id, ...group })).filter((group) => group.boldness <= state.boldness + 1e-9);
  groups.sort((a, b) => Number(b.sure) - Number(a.sure) || a.id - b.id);
  const palette = PALETTE[isDark() ? "dark" : "light"];
  groups.forEach((group, place) => {
    group.number = place + 1;
    group.colour = palette[place % palette.length];
  });
  const of = new Array(size).fill(null);
  for (const group of groups) for (const member of group.members) of[member] = group;
  return { groups, of };
}

let proposed = propose();

const isTicked = (group) => state.ticks.get(group.id) ?? group.sure;
const keptOf = (group) => group.members.filter((member) => !state.leftOut.get(group.id)?.has(member));
const isMerged = (group) => isTicked(group) && keptOf(group).length > 1;
const stepName = (group) => (state.names.get(group.id) ?? "").trim() || data.labels[keptOf(group)[0] ?? group.members[0]];

function mapping() {
  // of each activity, the group that it becomes part of, or null
  const to = new Array(size).fill(null);
  for (const group of proposed.groups) if (isMerged(group)) for (const member of keptOf(group)) to[member] = group;
  return to;
}

function activitiesLeft() {
  const to = mapping();
  return new Set(data.labels.map((label, i) => (to[i] ? stepName(to[i]) : label))).size + data.facts.activities - size;
}

function select(i, other = null, event = null) {
  // who chooses with the keyboard goes on in the panel, and comes back from it
  const byKey = event && event.detail === 0;
  const within = byKey && find("panel").contains(event.currentTarget);
  if (!within) state.origin = byKey ? event.currentTarget : null;
  Object.assign(state, { selected: i, other, toPanel: byKey });
  changed("selection");
}
