// A dialog in which one of many things is picked, found by typing: a label for a group, or a group for a label.

import { find, foreignText, make, say } from "../shared/dom.js";
import { counted, thousands } from "../shared/formats.js";
import { shownLabel } from "./choices.js";
import { leaveOut, newGroup, nextId, putInto } from "./decisions.js";
import { labelElement } from "./labels.js";
import { matches } from "./search.js";

const SHOWN = 30;

// `options(query)` returns [{ words, act }]: what to show, and what to do if it is picked. A dialog that `stays` can pick several.
function openDialog({ title, hint, options, stays = false }) {
  const list = make("ul", { class: "pick-list" });
  const input = make("input", { type: "text", class: "step-name", "aria-label": hint, placeholder: hint, spellcheck: "false" });
  const close = () => dialog.close();
  const show = () => {
    const found = options(input.value.trim());
    list.replaceChildren(
      ...found.slice(0, SHOWN).map(({ words, act }) =>
        make(
          "li",
          {},
          make(
            "button",
            {
              type: "button",
              class: "pick",
              onclick: () => {
                if (!stays) close();
                act();
                if (!stays) return;
                show();
                input.focus();
              },
            },
            words,
          ),
        ),
      ),
    );
    if (found.length > SHOWN)
      list.append(make("li", { class: "muted" }, `and ${thousands(found.length - SHOWN)} more: type a part`));
    if (!found.length) list.append(make("li", { class: "muted" }, "Nothing has this in its name."));
  };
  const dialog = make(
    "dialog",
    { class: "picker", "aria-labelledby": "picker-title", onclose: () => dialog.remove() },
    make("h3", { id: "picker-title" }, title),
    input,
    list,
    make(
      "p",
      { class: "buttons" },
      make("button", { type: "button", class: "quiet", onclick: close }, stays ? "Done" : "Cancel"),
    ),
  );
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !input.value.trim()) return;
    event.preventDefault();
    list.querySelector("button")?.click();
    if (stays) {
      input.value = "";
      show();
    }
  });
  show();
  find("page").append(dialog);
  dialog.showModal();
}

const has = (text, query) => text.toLowerCase().includes(query.toLowerCase());

// Pick labels and put them into a group.
export function pickLabels(page, id) {
  const { data, choices } = page;
  const option = (i) => {
    const inGroup = choices.groupOf[i];
    const remark = inGroup && choices.isAccepted(inGroup) ? `in group ${inGroup.number} now` : thousands(data.counts[i]);
    return {
      words: [labelElement(data, i), " ", make("span", { class: "count" }, remark)],
      act: () => {
        choices.apply(putInto(choices.state, id, data.labels[i]));
        say(`${data.name(i)} is in group ${id + 1}`);
      },
    };
  };
  const options = (query) => {
    const own = choices.group(id)?.members ?? [];
    const near = own.length ? data.neighbours[own[0]].map(([j]) => j) : [...data.labels.keys()];
    return (query ? matches(data.labels, query, data.names) : near).filter((i) => !own.includes(i)).map(option);
  };
  openDialog({ title: `Add labels to group ${id + 1}`, hint: "Find a label", options, stays: true });
}

// Pick the group that a label moves to; `from` is the group that it leaves, null if it is in none.
export function pickGroup(page, label, from = null) {
  const { choices } = page;
  const act = (state, words) => () => {
    choices.apply(state);
    say(`${shownLabel(label)} ${words}`);
  };
  const named = (group) => [choices.stepName(group), ...group.decided.members];
  const groups = () => [...choices.proposed, ...choices.others].filter((group) => group.id !== from);
  const into = (group) => ({
    words: [
      `Group ${group.number}: `,
      foreignText(choices.stepName(group)),
      make("span", { class: "count" }, ` ${counted(group.decided.members.length, "label", "labels")}, ${group.decided.decision}`),
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
    title: [from === null ? "Put " : "Move ", foreignText(shownLabel(label)), " into"],
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
      make("span", { class: "count" }, ` ${counted(free.length, "label", "labels")}`),
    ],
    act: () => picked(free),
  });
  const labelOption = (i) => ({
    words: [labelElement(data, i), " ", make("span", { class: "count" }, thousands(data.counts[i]))],
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
