// The first screen: which labels are really the same step, in a sentence and a few cards; the log at a glance.

import { find, make } from "../shared/dom.js";
import { counted, percent, similarityText, thousands } from "../shared/formats.js";
import { activityButton, labelElement, sentence } from "./labels.js";
import { badge } from "./marks.js";
import { saveMapping } from "./proposals.js";
import { contextWords, labelsShown, leftOutWords } from "./words.js";

const CARDS = 6;
const NEXT_CARDS = 3; // groups that a bolder reader would be shown, where nothing is proposed
const CARD_LABELS = 4;

function headline({ data, choices }) {
  const { groups } = choices;
  if (data.size < 2) return "A single activity: there is nothing to compare";
  if (data.scores) return "The most alike activities";
  const labels = labelsShown(data);
  if (!groups.length) return data.left_out ? `None of ${labels} look like the same step` : "No labels look like the same step";
  const anySure = groups.some((group) => group.sure);
  if (groups.length === 1) return `One group of ${labels} ${anySure ? "looks like" : "might be"} a single step`;
  return `${thousands(groups.length)} groups of ${labels} ${anySure ? "each look like" : "might each be"} a single step`;
}

function lead(page) {
  const { data, choices } = page;
  const { groups } = choices;
  if (data.size < 2) return ["Every event is called ", labelElement(data, 0), "."];
  if (data.scores)
    return [
      `${data.method} scores pairs on a scale of its own, so it proposes no groups. See the map, or use ${data.grouping_method}.`,
    ];
  if (!groups.length) {
    const [i, j] = closestPair(data);
    return [
      `No group is this sure. The most alike ${data.left_out ? "of these labels" : "labels"} are `,
      activityButton(page, i),
      " and ",
      activityButton(page, j),
      `, with a similarity of ${similarityText(data.similarity(i, j))}.`,
    ];
  }
  const left = choices.activitiesLeft();
  const doubt = doubtWords(groups);
  if (left === data.facts.activities) return [`None of them is ticked yet.${doubt}`];
  return [
    "Merging the ticked groups turns ",
    make("strong", {}, `${thousands(data.facts.activities)} activities into ${thousands(left)}`),
    `.${doubt}`,
  ];
}

// How many groups have a warning and are not ticked for that reason.
function doubtWords(groups) {
  const unsure = groups.filter((group) => !group.sure).length;
  if (!unsure) return "";
  if (groups.length === 1) return " It has a warning, so it is not ticked.";
  if (unsure === groups.length) return " All of them have a warning, so they are not ticked.";
  if (unsure === 1) return " One group has a warning and is not ticked.";
  return ` ${thousands(unsure)} groups have a warning and are not ticked.`;
}

function closestPair(data) {
  let closest = [0, Math.min(1, data.size - 1)];
  for (let i = 0; i < data.size; i++) {
    const nearest = data.neighbours[i][0];
    if (nearest && nearest[1] > data.similarity(...closest) + 1e-4) closest = [i, nearest[0]];
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
      make("div", {}, make("dt", {}, name), make("dd", {}, value, remark ? [" ", make("small", {}, remark)] : null)),
    ),
  );
}

function cardRemark(group) {
  if (!group.number) return `similarity; proposed from --boldness ${group.boldness.toFixed(2)} on`;
  return group.sure ? "similarity" : "similarity, but see the warning";
}

function card(page, group) {
  const { data } = page;
  const names = group.members
    .slice(0, CARD_LABELS)
    .map((member) =>
      make("li", {}, activityButton(page, member), make("span", { class: "count" }, thousands(data.counts[member]))),
    );
  if (group.members.length > CARD_LABELS)
    names.push(make("li", { class: "muted" }, `and ${group.members.length - CARD_LABELS} more`));
  const element = make(
    "article",
    { class: "card" },
    make(
      "p",
      { class: "card-head" },
      group.number ? badge(group) : null,
      make("span", { class: "card-value" }, similarityText(group.similarity)),
      make("span", { class: "muted" }, cardRemark(group)),
    ),
    make("ul", { class: "card-names" }, names),
    group.evidence.length ? make("p", { class: "card-why" }, ...sentence(page, contextWords(group.evidence[0])), ".") : null,
  );
  element.style.setProperty("--group", group.colour ?? "var(--line)");
  return element;
}

function showCards(page) {
  const { data, choices } = page;
  const { groups } = choices;
  const next = groups.length ? [] : data.groups.filter((group) => group.boldness > choices.boldness).slice(0, NEXT_CARDS);
  const cards = [...groups.slice(0, CARDS), ...next].map((group) => card(page, group));
  const rest = groups.length - cards.length;
  if (rest > 0)
    cards.push(
      make("p", { class: "card-rest" }, make("a", { href: "#proposals" }, `and ${counted(rest, "more group", "more groups")}`)),
    );
  find("answer-cards").replaceChildren(...cards);
}

function showAnswer(page) {
  find("answer-title").textContent = headline(page);
  find("answer-lead").replaceChildren(...lead(page), leftOutWords(page.data));
  for (const button of document.querySelectorAll(".download")) button.disabled = !page.choices.mapping().some(Boolean);
}

export function startAnswer(page) {
  const { data, choices } = page;
  find("bar-title").textContent = data.title;
  find("answer-log").replaceChildren(
    make("bdi", {}, data.title),
    data.size > 1 ? " · which labels are really the same step?" : "",
  );
  if (data.groups.length) {
    find("answer-buttons").append(
      make("a", { class: "button", href: "#proposals" }, "Review the proposals"),
      make("button", { type: "button", class: "quiet download", onclick: () => saveMapping(page) }, "Download mapping.csv"),
    );
  }
  showFacts(data);
  choices.watch("boldness theme", () => showCards(page));
  choices.watch("boldness ticks theme", () => showAnswer(page));
  const part =
    data.size < data.facts.activities
      ? ` This page shows the ${thousands(data.size)} most frequent of ${thousands(data.facts.activities)} activities.`
      : "";
  find("made").textContent =
    `Made by actalike, method ${data.method}.${part} The file needs no network. It holds labels and figures of the log, but none of its cases.`;
}
