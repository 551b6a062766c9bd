// What the reader has chosen, and what follows from it. Whoever shows something watches the kinds of change it depends on:
// "ticks", "arrows", "selection", "query", "theme", "print".

export class Choices {
  constructor(data, isDark) {
    this.data = data;
    this.isDark = isDark;
    this.watchers = [];
    this.atLeast = data.at_least; // the probability from which on synonyms are ticked
    this.arrows = 0; // drawn in the flow
    this.large = new Map(); // flow: whether it has the full width
    this.ticks = new Map(); // group: whether it is ticked; one that nobody has touched is ticked if it is sure
    this.leftOut = new Map(); // group: the members that are left out
    this.names = new Map(); // group: the name that the reader gave it
    this.allProposals = false; // whether all are listed
    this.othersOpen = false; // whether the groups that are not proposed are unfolded
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
    if (kind === "theme") this.propose();
    for (const { kinds, act } of this.watchers) if (kinds.includes(kind)) act();
  }

  showAll() {
    for (const { act } of this.watchers) act();
  }

  // The groups as the data has them: synonyms, alternatives, those that belong together, those too rare to judge. The first two are
  // proposed, and have colours everywhere; the others are listed in a section of their own.
  propose() {
    const groups = this.data.groups.map((group, id) => ({ id, ...group }));
    const palette = this.data.palette[this.isDark() ? "dark" : "light"];
    groups.forEach((group, place) => {
      group.number = place + 1;
      group.colour = palette[place % palette.length];
    });
    this.groups = groups;
    this.proposed = groups.filter(({ relation }) => relation === "synonyms" || relation === "alternatives");
    this.others = groups.filter((group) => !this.proposed.includes(group));
    const ofEach = (some) => {
      const groupOf = new Array(this.data.size).fill(null);
      for (const group of some) for (const member of group.members) groupOf[member] = group;
      return groupOf;
    };
    this.groupOf = ofEach(this.proposed);
    this.otherOf = ofEach(this.others);
  }

  // Whether a group is ticked by itself: synonyms that are at least as likely as the reader wants.
  isSure(group) {
    return group.relation === "synonyms" && group.probability >= this.atLeast - 1e-9;
  }

  isTicked(group) {
    return this.ticks.get(group.id) ?? this.isSure(group);
  }

  // The members that are not left out.
  kept(group) {
    return group.members.filter((member) => !this.leftOut.get(group.id)?.has(member));
  }

  isMerged(group) {
    return this.isTicked(group) && this.kept(group).length > 1;
  }

  // The proposed name, unless it is that of a member that is left out.
  defaultName(group) {
    const { labels } = this.data;
    const kept = this.kept(group);
    const isLeftOut = group.members.some((member) => labels[member] === group.name && !kept.includes(member));
    return isLeftOut && kept.length ? labels[kept[0]] : group.name;
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
