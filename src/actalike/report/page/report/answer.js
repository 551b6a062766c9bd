// The first screen: which labels are really the same step, in a sentence and a few cards; the log at a glance.

import { find, make } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { labelText, shownLabel } from "../shared/label_texts.js";
import { activityButton, labelElement } from "./labels.js";
import { badge } from "./marks.js";
import { saveMapping } from "./proposals.js";
import { groupOfBoth, pairVerdict, reasonList } from "./reason_list.js";
import { ALTERNATIVES, likelyWords, otherGroupsWords, pairWords, shortVerdict } from "./reasons.js";
import { HIDDEN, leftOutWords, missingWords } from "./words.js";

const CARDS = 6;
const CARD_LABELS = 4;

const numbers = ({ choices }) => ({
  sure: choices.proposed.filter((group) => choices.isSure(group)).length,
  accepted: choices.effects.merged.length,
  renamed: choices.effects.renamed.length,
  unsure: choices.proposed.filter((group) => group.relation === "synonyms" && isOpen(group)).length,
  alternatives: choices.proposed.filter((group) => group.relation === "alternatives" && isOpen(group)).length,
  together: choices.others.filter(({ relation }) => relation === "belong together").length,
  rare: choices.others.filter(({ relation }) => relation === "too rare to judge").length,
});

const isOpen = ({ decided }) => decided.decision === "undecided";

function headline(page) {
  const { data } = page;
  if (data.size < 2) return "A single activity: there is nothing to compare";
  const { sure, alternatives, accepted, renamed } = numbers(page);
  if (page.choices.isTouched)
    return `${accepted ? counted(accepted, "group", "groups") : "No group"} of labels ${accepted > 1 ? "are" : "is"} accepted as one step${accepted > 1 ? " each" : ""}${renamed ? `, ${counted(renamed, "label is", "labels are")} renamed` : ""}`;
  if (sure) return `${counted(sure, "group", "groups")} of labels ${sure === 1 ? "is" : "are each"} likely one step`;
  if (alternatives) return `${counted(alternatives, "group", "groups")} of labels might be one step: you decide`;
  return "No labels look like the same step";
}

function lead(page) {
  const { data, choices } = page;
  if (data.size < 2) return ["Every event is called ", labelElement(data, 0), "."];
  const { unsure, alternatives, together, rare, accepted, renamed } = numbers(page);
  const others = otherGroupsWords(together, rare);
  const remarks = [
    unsure ? counted(unsure, "group of synonyms is undecided.", "groups of synonyms are undecided.") : "",
    alternatives ? `${counted(alternatives, "group takes", "groups take")} the same place: ${ALTERNATIVES}.` : "",
    others ? `Not proposed: ${others}.` : "",
  ].filter(Boolean);
  const left = choices.activitiesLeft();
  if (!choices.proposed.length) {
    const [i, j] = closestPair(data);
    remarks.unshift(
      `The likeliest ${data.left_out ? "of the labels drawn here" : "labels"} are `,
      activityButton(page, i),
      " and ",
      activityButton(page, j),
      `: ${closestWords(page, i, j)}.`,
    );
    return spaced(remarks);
  }
  if (!accepted && !renamed) return spaced(["None of them is accepted yet.", ...remarks]);
  if (left === data.facts.activities) return spaced(remarks);
  const merged = make("strong", `${thousands(data.facts.activities)} activities into ${thousands(left)}`);
  return ["Merging the accepted groups turns ", merged, ". ", ...spaced(remarks)];
}

// Sentences with spaces between them, where one ends and another begins.
const spaced = (parts) =>
  parts.flatMap((part, k) => (typeof part === "string" && part.endsWith(".") && k < parts.length - 1 ? [part, " "] : [part]));

// The two activities that are most likely one step.
function closestPair(data) {
  let closest = [0, Math.min(1, data.size - 1)];
  for (let i = 0; i < data.size; i++) {
    const nearest = data.neighbours[i][0];
    if (nearest && data.probability(i, nearest[0]) > data.probability(...closest)) closest = [i, nearest[0]];
  }
  return closest;
}

// What is said of the likeliest pair where nothing is proposed.
const closestWords = (page, i, j) =>
  groupOfBoth(page.data, i, j) ? pairVerdict(page, i, j) : pairWords(page.data.probability(i, j), page.data.overlap(i, j));

function showFacts({ facts }) {
  const lengths = [...new Set([facts.min_length, facts.max_length])].map(thousands).join(" to ");
  const period =
    facts.first_day === null
      ? ["none", "no timestamps"]
      : facts.first_day === facts.last_day
        ? [facts.first_day, "one day"]
        : [facts.first_day, `to ${facts.last_day}`];
  const mean = thousands(Math.round(facts.mean_length * 10) / 10);
  const rows = [
    ["Cases", thousands(facts.cases), ""],
    ["Events", thousands(facts.events), ""],
    ["Activities", thousands(facts.activities), ""],
    ["Variants", thousands(facts.variants), `${percent(facts.variants_per_case)} of cases`],
    ["Events per case", lengths, `median ${thousands(facts.median_length)}, mean ${mean}`],
    ["Period", ...period],
  ];
  find("facts").append(
    ...rows.map(([name, value, remark]) =>
      make("div", make("dt", name), make("dd", value, remark ? [" ", make("small", remark)] : null)),
    ),
  );
}

function card(page, group) {
  const { data } = page;
  const textItem = (label, kind, words) => make("li", { class: kind }, labelText(shownLabel(label)), make("span.count", words));
  const few = (labels, item) => labels.slice(0, CARD_LABELS).map(item); // a card shows no more of them
  const names = [
    ...few(group.members, (member) =>
      make("li", activityButton(page, member), make("span.count", thousands(data.counts[member]))),
    ),
    ...few(group.hidden, (label) => textItem(label, "undrawn", HIDDEN)),
    ...few(group.unknown, (label) => textItem(label, "missing", missingWords(data))),
  ].slice(0, CARD_LABELS);
  const rest = group.decided.members.length - names.length;
  if (rest > 0) names.push(make("li.muted", `and ${counted(rest, "more label", "more labels")}`));
  const isSynonym = group.relation === "synonyms";
  const element = make(
    "article.card",
    make(
      "p.card-head",
      badge(group),
      make(
        "span.card-value",
        isSynonym
          ? likelyWords(group.probability)
          : group.proposal
            ? shortVerdict(group.relation, group.probability)
            : group.relation,
      ),
      make("span.muted", isOpen(group) && !isSynonym ? "you decide" : group.decided.decision),
    ),
    make("ul.card-names", names),
    group.proposal ? reasonList(page, group.proposal) : null,
  );
  element.style.setProperty("--group", group.colour);
  return element;
}

function showCards(page) {
  const { proposed } = page.choices;
  const cards = proposed.slice(0, CARDS).map((group) => card(page, group));
  const rest = proposed.length - cards.length;
  if (rest > 0)
    cards.push(make("p.card-rest", make("a", { href: "#proposals" }, `and ${counted(rest, "more group", "more groups")}`)));
  find("answer-cards").replaceChildren(...cards);
}

function showAnswer(page) {
  find("answer-title").textContent = headline(page);
  find("answer-lead").replaceChildren(...lead(page), leftOutWords(page.data));
  showCards(page);
  for (const button of document.querySelectorAll(".download"))
    button.disabled = !page.choices.groups.some((group) => page.choices.isMerged(group));
}

export function startAnswer(page) {
  const { data, choices } = page;
  find("bar-title").textContent = data.title;
  find("answer-log").replaceChildren(make("bdi", data.title), data.size > 1 ? " · which labels are really the same step?" : "");
  if (data.size > 1) {
    find("answer-buttons").append(
      make("a.button", { href: "#proposals" }, data.groups.length ? "Review the proposals" : "Make groups by hand"),
      make("button.quiet.download", { onclick: () => saveMapping(page) }, "Download mapping.csv"),
    );
  }
  showFacts(data);
  choices.watch("decisions theme", () => showAnswer(page));
  const part =
    data.size < data.facts.activities
      ? ` This page draws the ${thousands(data.size)} most frequent of ${thousands(data.facts.activities)} activities.`
      : "";
  const people = data.uses.people?.length ? ", and says who does which step" : "";
  const contents = data.uses.examples
    ? `It holds labels and figures of the log, and some of its cases as examples${people}.`
    : "It holds labels and figures of the log, but none of its cases and no names of people.";
  find("made").textContent = `Made by actalike; similarities by ${data.method}.${part} The file needs no network. ${contents}`;
}
