// The first screen: how many steps the activities are, what is still to be decided, and the log at a glance.

import { find, make } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/texts.js";
import { activityButton, groupOfBoth, labelElement, leftOutWords, otherGroupsWords, pairVerdict } from "./labels.js";

// "34 activities, 30 steps: 4 groups of synonymous labels"
function headline({ data, choices }) {
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

function lead(page) {
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
  if (choices.proposed.length) return [words];
  const [i, j] = closestPair(data);
  const which = `The likeliest ${data.left_out ? "of the labels drawn here" : "labels"} are `;
  const verdict = groupOfBoth(data, i, j) ? pairVerdict(page, i, j) : data.pairWords(i, j);
  return [which, activityButton(page, i), " and ", activityButton(page, j), `: ${verdict}. ${words}`];
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

function showFacts({ facts }) {
  const lengths = [...new Set([facts.min_length, facts.max_length])].map(thousands).join(" to ");
  const period =
    facts.first_day === null
      ? ["none", "no timestamps"]
      : facts.first_day === facts.last_day
        ? [facts.first_day, "one day"]
        : [facts.first_day, `to ${facts.last_day}`];
  const rows = [
    ["Cases", thousands(facts.cases), ""],
    ["Events", thousands(facts.events), ""],
    ["Variants", thousands(facts.variants), `${percent(facts.variants_per_case)} of cases`],
    ["Events per case", lengths, `median ${thousands(facts.median_length)}`],
    ["Period", ...period],
  ];
  find("facts").append(
    ...rows.map(([name, value, remark]) =>
      make("div", make("dt", name), make("dd", value, remark ? [" ", make("small", remark)] : null)),
    ),
  );
}

// What a page holds, so that whoever sends it knows.
function contents({ uses, method, size, facts, odd }) {
  const part =
    size < facts.activities ? ` It draws the ${thousands(size)} most frequent of ${thousands(facts.activities)} activities.` : "";
  const people = uses.people?.length ? ", and says who does which step" : "";
  const holds = uses.examples
    ? `It holds labels and figures of the log, case ids and example cases${people}.`
    : "It holds labels and figures of the log, no case ids and no names of people beside those in labels.";
  const variants = odd
    ? ""
    : " It was made of variants, without events, so it has no timeline and no odd cases: the command actalike odd finds these.";
  return `Made by actalike; similarities by ${method}.${part}${variants} The file needs no network. ${holds}`;
}

export function startAnswer(page) {
  const { data, choices } = page;
  find("bar-title").textContent = data.title;
  find("answer-log").append(make("bdi", data.title));
  find("made").textContent = contents(data);
  showFacts(data);
  choices.watch("decisions theme", () => {
    find("answer-title").textContent = headline(page);
    find("answer-lead").replaceChildren(...lead(page), leftOutWords(data));
  });
}
