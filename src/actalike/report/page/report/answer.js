// The first screen: how many steps the activities are, what is still to be decided, and the log at a glance.

import { glance, understood } from "../shared/controls.js";
import { find } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { counted } from "../shared/texts.js";
import { html } from "../vendor/preact.js";
import { activityButton, groupOfBoth, otherGroupsWords, pairVerdict } from "./labels.js";

// "34 activities, 30 steps: 4 groups of synonymous labels"
function headline(/** @type {ReportPage} */ { data, choices }) {
  if (data.size < 2) return "A single activity: there is nothing to compare";
  const activities = counted(data.facts.activities, "activity", "activities");
  const { merged, renamed } = choices.effects;
  const parts = [
    merged.length ? counted(merged.length, "group of synonymous labels", "groups of synonymous labels") : "",
    renamed.length ? counted(renamed.length, "label renamed", "labels renamed") : "",
  ].filter(Boolean);
  if (parts.length) return `${activities}, ${counted(choices.activitiesLeft(), "step", "steps")}: ${parts.join(", ")}`;
  const open = undecided(choices, "synonyms") + undecided(choices, "alternatives");
  if (open) return `${activities}: ${counted(open, "group of labels", "groups of labels")} to decide about`;
  return `${activities}: no synonymous labels`;
}

const undecided = ({ proposed }, relation) =>
  proposed.filter((group) => group.relation === relation && group.decided.decision === "undecided").length;

function lead(/** @type {ReportPage} */ page) {
  const { data, choices } = page;
  if (data.size < 2) return ["Every event is called ", labelElement(data, 0), "."];
  const [unsure, alternatives] = [undecided(choices, "synonyms"), undecided(choices, "alternatives")];
  const others = otherGroupsWords(choices.others);
  const remarks = [
    unsure ? counted(unsure, "group of synonyms is undecided.", "groups of synonyms are undecided.") : "",
    alternatives
      ? `${counted(alternatives, "group is", "groups are")} interchangeable in the flow: same step or different outcomes? Your call.`
      : "",
    others ? `Not proposed: ${others}.` : "",
  ];
  const words = remarks.filter(Boolean).join(" ");
  if (choices.proposed.length) return words;
  const [i, j] = closestPair(data);
  const which = data.left_out ? "of the labels drawn here" : "labels";
  const verdict = groupOfBoth(data, i, j) ? pairVerdict(page, i, j) : data.pairWords(i, j);
  return html`The likeliest ${which} are ${activityButton(page, i)} and ${activityButton(page, j)}: ${verdict}. ${words}`;
}

// The two activities that are most likely one step.
function closestPair(data) {
  let closest = [0, Math.min(1, data.size - 1)];
  for (let i = 0; i < data.size; i++) {
    const nearest = data.neighbours[i][0];
    if (nearest && data.probability(i, nearest[0]) > data.probability(...closest)) closest = [i, nearest[0]];
  }
  return closest;
}

export function startAnswer(/** @type {ReportPage} */ page) {
  const { data, choices } = page;
  find("bar-title").textContent = data.title;
  find("made").textContent = data.words.holds;
  choices.shows(
    "decisions theme",
    find("answer"),
    () => html`
      <p class="eyebrow"><bdi>${data.title}</bdi></p>
      <h1 id="answer-title">${headline(page)}</h1>
      <p class="lead" id="answer-lead">${lead(page)}${data.words.left_out}</p>
      <dl class="facts" id="facts" aria-label="The log at a glance">${glance(data.facts)}</dl>
      <div id="understood">${understood(data.reading)}</div>
    `,
  );
}
