// The first screen: how many labels are matched, how surely, and how many are not; the two logs and how they were understood.

import { find, make } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { showUnderstood } from "../shared/understood.js";
import { headline, sureness } from "./match_words.js";

// The share of the events of a log whose labels are in accepted steps.
function covered(log, steps) {
  const events = steps.flatMap((step) => step[log.side ? "b" : "a"]).reduce((sum, i) => sum + log.counts[i], 0);
  return log.facts.events ? events / log.facts.events : 0;
}

function lead({ data, choices }) {
  const undecided = choices.steps.length - choices.accepted.length;
  const { own, likely, doubtful, mean } = sureness(choices.steps, data.sure);
  const [alone, aloneB] = choices.unmatched.map(({ length }) => length);
  const [a, b] = data.sides;
  const splits = choices.accepted.filter((step) => step.a.length > 1 || step.b.length > 1).length;
  return [
    doubtful > likely ? "The logs may not record the same process: most of the pairs are doubtful." : "",
    own ? `You accepted ${counted(own, "step", "steps")}.` : "",
    mean === null
      ? ""
      : `${own ? "The others" : undecided ? "The accepted ones" : "They"} are ${percent(mean)} likely on average.`,
    choices.accepted.length
      ? `The steps in both logs have ${percent(covered(a, choices.accepted))} of the events of log A, ${percent(covered(b, choices.accepted))} of log B.`
      : "",
    doubtful ? `A step is doubtful if it is less than ${percent(data.sure)} likely.` : "",
    splits ? `${counted(splits, "step has", "steps have")} several labels in one of the logs.` : "",
    undecided ? `${counted(undecided, "pair is", "pairs are")} undecided.` : "",
    `Without a partner: ${counted(alone, "label", "labels")} of log A, ${counted(aloneB, "label", "labels")} of log B.`,
    data.use_labels ? "The texts of the labels were looked at." : "The labels themselves were not looked at, only what they do.",
  ]
    .filter(Boolean)
    .join(" ");
}

function logCard(log) {
  const { facts } = log;
  const period = facts.first_day === null ? "no timestamps" : `${facts.first_day} to ${facts.last_day}`;
  const rows = [
    ["Cases", thousands(facts.cases)],
    ["Events", thousands(facts.events)],
    ["Activities", thousands(facts.activities)],
    ["Events per case", `median ${thousands(facts.median_length)}`],
    ["Period", period],
  ];
  const card = make(
    "div",
    { class: `card log-card log-${log.letter.toLowerCase()}` },
    make("p.card-head", make("b", `Log ${log.letter}`), " ", make("bdi.label", log.title)),
    make(
      "dl.log-facts",
      rows.map(([name, value]) => make("div", make("dt", name), make("dd", value))),
    ),
  );
  showUnderstood(card, log.reading);
  if (log.left_out)
    card.append(
      make(
        "p.caution",
        `The page shows the ${thousands(log.size)} most frequent labels of this log; ${counted(log.left_out.activities, "rarer label", "rarer labels")} with ${counted(log.left_out.events, "event", "events")} are not on it. All of them were matched.`,
      ),
    );
  return card;
}

export function startAnswer(page) {
  const { data, choices } = page;
  find("bar-title").textContent = data.title;
  find("answer-log").textContent = "Two logs";
  find("log-cards").append(...data.sides.map(logCard));
  find("made").textContent = "Written by actalike. This page holds the labels and figures of both logs, no cases and no people.";
  choices.watch("decisions", () => {
    const undecided = choices.steps.length - choices.accepted.length;
    find("answer-title").textContent = headline({ ...sureness(choices.steps, data.sure), undecided });
    find("answer-lead").textContent = lead(page);
  });
}
