// In the panel of an activity: which group it is in, and a way into another one.

import { find, make } from "../shared/dom.js";
import { compareGroups } from "./compare_view.js";
import { badge } from "./marks.js";
import { pickGroup } from "./pick_dialog.js";
import { revealProposal } from "./proposals.js";

export function showPanelGroup(page) {
  const { data, choices } = page;
  const i = choices.selected;
  if (i === null) return;
  const group = choices.groupOf[i] ?? choices.otherOf[i];
  const isIn = group && choices.isAccepted(group);
  find("panel-group").replaceChildren(
    ...(group
      ? [
          badge(group),
          make(
            "a",
            { href: `#proposal-${group.id}`, onclick: () => revealProposal(page, group) },
            `In a group of ${group.decided.members.length}: ${group.relation}`,
          ),
          group.members.length > 2 ? compareWithOthers(page, i, group) : null,
        ].filter(Boolean)
      : []),
    make(
      "button.quiet.small",
      { onclick: () => pickGroup(page, data.labels[i], isIn ? group.id : null) },
      isIn ? "Move to another group …" : "Put into a group …",
    ),
  );
}

const compareWithOthers = (page, i, { members }) => {
  const others = members.filter((j) => j !== i);
  return make("button.quiet.small", { onclick: () => compareGroups(page, [i], others) }, "Compare with the others");
};
