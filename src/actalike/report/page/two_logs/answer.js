// The first screen: how many labels are matched, how surely, and how many are not; the two logs and how they were understood.

import { button, find, make, shareBar } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/texts.js";
import { theme } from "../shared/theme.js";
import { showUnderstood } from "../shared/understood.js";
import { LETTERS, OUTSIDE } from "./data.js";
import { cutWords, headline, labelElement, sureness } from "./labels.js";

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

// --- What changed: steps that have other neighbours in log B than in log A, with what came and what went.

const SHOWN = 10;
const DISTANCES = ["", "directly", "two steps"];

// A label; if it is another step there than in the other log, with its partner, or without one with its log.
function toldElement({ sides, drift }, side, i) {
  const label = labelElement(sides[side], i);
  const told = drift.told_apart[side].find(([one]) => one === i);
  if (!told) return label;
  const [, partner] = told;
  return make("span", label, partner < 0 ? ` of log ${LETTERS[side]}` : [" = ", labelElement(sides[1], partner)]);
}

function neighbourItem({ data }, [offset, side, i, before, after]) {
  const isBefore = offset < 0;
  const where = `${DISTANCES[Math.abs(offset)]} ${isBefore ? "after" : "before"} `;
  const what = i === OUTSIDE ? (isBefore ? "the beginning of the case" : "the end of the case") : toldElement(data, side, i);
  return make("li", where, what, make("span.muted", ` ${percent(before)} → ${percent(after)}`));
}

function changeItem(page, [i, change, casesA, casesB, came, went]) {
  const list = (title, some) =>
    some.length
      ? make(
          "div",
          make("h4", title),
          make(
            "ul.evidence",
            some.map((one) => neighbourItem(page, one)),
          ),
        )
      : null;
  return make(
    "li.change",
    make(
      "p.change-head",
      toldElement(page.data, 0, i),
      shareBar(change),
      make("span.count", `change ${change.toFixed(2)}, in ${thousands(casesA)} and ${thousands(casesB)} cases`),
    ),
    make("div.change-parts", list("More in log B", came), list("Less in log B", went)),
  );
}

export function startChanges(page) {
  const { drift } = page.data;
  const guide = find("changes-guide");
  if (!drift) {
    guide.textContent = "Without a pair that is accepted there is nothing to compare.";
    return;
  }
  guide.textContent = `Which steps have other neighbours in log B than in log A, beyond chance: from 0 (the same) to 1 (none in common). The figures are shares of the step’s events. Steps have the names of log A; where the logs have different steps of one name, the partner or the log stands behind it. They were computed when the page was written, with the ${counted(drift.pairs, "pair", "pairs")} that were accepted then; after other decisions, write the page again with --decisions.`;
  const list = make("ol.changes");
  const show = (most) => list.replaceChildren(...drift.changed.slice(0, most).map((one) => changeItem(page, one)));
  const cut =
    drift.number > drift.changed.length
      ? ` The ${thousands(drift.changed.length)} largest changes are listed here; actalike drift lists all.`
      : "";
  find("changes-list").append(
    make(
      "p",
      make(
        "b",
        drift.number
          ? `${thousands(drift.number)} of ${counted(drift.judged, "step", "steps")} changed.`
          : "Nothing changed beyond chance.",
      ),
      cut,
    ),
    list,
  );
  show(SHOWN);
  if (drift.changed.length > SHOWN) {
    let shown = SHOWN;
    const more = button(`Show ${thousands(drift.changed.length)}`, () => {
      shown = drift.changed.length;
      show(shown);
      more.remove();
    });
    find("changes-list").append(more);
    find("changes-list").append(make("p.paper-only.muted", cutWords(SHOWN, drift.changed.length, "changes")));
    page.choices.watch("print", () => show(theme.printing ? SHOWN : shown));
  }
}
