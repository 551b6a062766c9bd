// What is picked in a dialog: labels for a group, a group for a label, or a side of a comparison.

import { openDialog } from "../shared/controls.js";
import { foreignText, make, say } from "../shared/dom.js";
import { counted, matches, thousands } from "../shared/texts.js";
import { leaveOut, newGroup, nextId, putInto } from "./decisions.js";
import { labelElement } from "./labels.js";

const has = (text, query) => text.toLowerCase().includes(query.toLowerCase());

// Pick labels and put them into a group; a new one begins with the first of them.
export function pickLabels(page, id) {
  const { data, choices } = page;
  const option = (i) => {
    const inGroup = choices.groupOf[i];
    const remark = inGroup && choices.isAccepted(inGroup) ? `in group ${inGroup.number} now` : thousands(data.counts[i]);
    return {
      words: [labelElement(data, i), " ", make("span.count", remark)],
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
  openDialog({
    title: `${choices.group(id) ? "Add labels to" : "Labels for a new"} group ${id + 1}`,
    hint: "Find a label",
    options,
    stays: true,
  });
}

// Pick the group that a label moves to; `from` is the group that it leaves, null if it is in none.
export function pickGroup(page, label, from = null) {
  const { choices } = page;
  const act = (state, words) => () => {
    choices.apply(state);
    say(`${page.data.shownLabel(label)} ${words}`);
  };
  const named = (group) => [choices.stepName(group), ...group.decided.members];
  const groups = () => [...choices.proposed, ...choices.others].filter((group) => group.id !== from);
  const into = (group) => ({
    words: [
      `Group ${group.number}: `,
      foreignText(choices.stepName(group)),
      make("span.count", ` ${counted(group.decided.members.length, "label", "labels")}, ${group.decided.decision}`),
    ],
    act: act(putInto(choices.state, group.id, label, from), `is in group ${group.number}`),
  });
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
  openDialog({
    title: [from === null ? "Put " : "Move ", foreignText(page.data.shownLabel(label)), " into"],
    hint: "Find a group",
    options,
  });
}

// Pick a group or a label for one side of a comparison; labels of the other side are left out. `picked` gets the activities.
export function pickSide({ data, choices }, letter, other, picked) {
  const isFree = (i) => !other.includes(i);
  const groups = [...choices.proposed, ...choices.others]
    .map((group) => ({ group, free: group.members.filter(isFree) }))
    .filter(({ free }) => free.length > 1);
  const groupOption = ({ group, free }) => ({
    words: [
      `Group ${group.number}: `,
      foreignText(choices.stepName(group)),
      make("span.count", ` ${counted(free.length, "label", "labels")}`),
    ],
    act: () => picked(free),
  });
  const labelOption = (i) => ({
    words: [labelElement(data, i), " ", make("span.count", thousands(data.counts[i]))],
    act: () => picked([i]),
  });
  const options = (query) => {
    const named = ({ group, free }) => [choices.stepName(group), ...free.map((i) => data.fullName(i))];
    const found = groups.filter((one) => !query || named(one).some((text) => has(text, query)));
    const labels = query ? matches(data.labels, query, data.names) : [...data.labels.keys()];
    return [...found.map(groupOption), ...labels.filter(isFree).map(labelOption)];
  };
  openDialog({ title: `What is compared as ${letter}?`, hint: "Find a group or a label", options });
}
