// What the reader has chosen, and what follows from it. Whoever shows something watches the kinds of change it depends on:
// "boldness", "ticks", "arrows", "selection", "query", "theme", "print".

export class Choices {
  constructor(data, isDark) {
    this.data = data;
    this.isDark = isDark;
    this.watchers = [];
    this.boldness = data.boldness;
    this.arrows = 0; // drawn in the flow
    this.large = new Map(); // flow: whether it has the full width
    this.ticks = new Map(); // group: whether it is ticked; a group that nobody has touched is ticked if it is sure
    this.leftOut = new Map(); // group: the members that are left out
    this.names = new Map(); // group: the name that the reader gave it
    this.allProposals = false; // whether all are listed
    this.selected = null; // an activity
    this.other = null; // the activity that it is compared with
    this.query = "";
    this.origin = null; // the element that had the focus when the panel was opened
    this.toPanel = false; // whether the focus moves into the panel
    this.propose();
  }

  watch(kinds, act) {
    this.watchers.push({ kinds: kinds.split(" "), act });
  }

  changed(kind) {
    if (kind === "boldness" || kind === "theme") this.propose();
    for (const { kinds, act } of this.watchers) if (kinds.includes(kind)) act();
  }

  showAll() {
    for (const { act } of this.watchers) act();
  }

  // The groups at this boldness: those without a warning first, then by similarity, as the data has them.
  propose() {
    const groups = this.data.groups
      .map((group, id) => ({ id, ...group }))
      .filter((group) => group.boldness <= this.boldness + 1e-9)
      .sort((a, b) => Number(b.sure) - Number(a.sure) || a.id - b.id);
    const palette = this.data.palette[this.isDark() ? "dark" : "light"];
    groups.forEach((group, place) => {
      group.number = place + 1;
      group.colour = palette[place % palette.length];
    });
    this.groups = groups;
    this.groupOf = new Array(this.data.size).fill(null);
    for (const group of groups) for (const member of group.members) this.groupOf[member] = group;
  }

  isTicked(group) {
    return this.ticks.get(group.id) ?? group.sure;
  }

  // The members that are not left out.
  kept(group) {
    return group.members.filter((member) => !this.leftOut.get(group.id)?.has(member));
  }

  isMerged(group) {
    return this.isTicked(group) && this.kept(group).length > 1;
  }

  defaultName(group) {
    return this.data.labels[this.kept(group)[0] ?? group.members[0]];
  }

  stepName(group) {
    return (this.names.get(group.id) ?? "").trim() || this.defaultName(group);
  }

  // Of each activity, the group that it is merged into, or null.
  mapping() {
    const mergedInto = new Array(this.data.size).fill(null);
    for (const group of this.groups) if (this.isMerged(group)) for (const member of this.kept(group)) mergedInto[member] = group;
    return mergedInto;
  }

  // How many activities the log has after merging.
  activitiesLeft() {
    const { labels, facts, size } = this.data;
    const mergedInto = this.mapping();
    const names = labels.map((label, i) => (mergedInto[i] ? this.stepName(mergedInto[i]) : label));
    return new Set(names).size + facts.activities - size;
  }

  // Whether a merged group has the name of another step or activity.
  nameIsTaken(group) {
    if (!this.isMerged(group)) return false;
    const name = this.stepName(group);
    const mergedInto = this.mapping();
    return this.data.labels.some(
      (label, i) =>
        mergedInto[i]?.id !== group.id && (label === name || (mergedInto[i] && this.stepName(mergedInto[i]) === name)),
    );
  }

  // Select an activity. Whoever selects with the keyboard goes on in the panel, and comes back from it.
  select(i, other = null, event = null) {
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
