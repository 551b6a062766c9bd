// The first screen: which labels are really the same step, in a sentence and a few cards; the log at a glance.

const CARDS = 6;
const BOLDER = 3;

function headline() {
  const { groups } = proposed;
  if (size < 2) return "A single activity: there is nothing to compare";
  if (data.scores) return "The most alike activities";
  if (!groups.length) return "No labels look like the same step";
  const sure = groups.filter((group) => group.sure).length;
  const verb = sure ? "look" : "might be";
  if (groups.length === 1) return `One group of labels ${sure ? "looks like" : "might be"} a single step`;
  return `${many(groups.length)} groups of labels ${verb}${sure ? " like" : ""} one step each`;
}

function lead() {
  const { groups } = proposed;
  if (size < 2) return [`Every event is called `, labelled(0), "."];
  if (data.scores)
    return [`${data.method} scores pairs on a scale of its own, so it proposes no groups: see the map, or take kin-w5.`];
  if (!groups.length) {
    const [i, j] = closestPair();
    return [
      "Nothing is proposed at this boldness. Most alike are ",
      activityButton(i),
      " and ",
      activityButton(j),
      `: alike by ${alike(similarity(i, j))}.`,
    ];
  }
  const left = activitiesLeft();
  const unsure = groups.filter((group) => !group.sure).length;
  const doubt = unsure
    ? ` ${unsure === groups.length ? "All of them rest" : unsure === 1 ? "One of the groups rests" : `${many(unsure)} of the groups rest`} on thin evidence or belong together, and ${unsure === 1 ? "is" : "are"} not ticked.`
    : "";
  if (left === data.facts.activities) return [`None of them is ticked yet.${doubt}`];
  return [
    `Merging the ticked ones turns `,
    make("strong", {}, `${many(data.facts.activities)} activities into ${many(left)}`),
    `.${doubt}`,
  ];
}

function closestPair() {
  let best = [0, Math.min(1, size - 1)];
  for (let i = 0; i < size; i++) {
    const nearest = data.neighbours[i][0];
    if (nearest && nearest[1] > similarity(...best) + 1e-4) best = [i, nearest[0]];
  }
  return best;
}

function showFacts() {
  const { facts } = data;
  const length =
    facts.min_length === facts.max_length
      ? `${many(facts.max_length)}`
      : `${many(facts.min_length)} to ${many(facts.max_length)}`;
  const period =
    facts.first_day === null
      ? ["none", "no timestamps"]
      : facts.first_day === facts.last_day
        ? [facts.first_day, "one day"]
        : [facts.first_day, `to ${facts.last_day}`];
  const shown = [
    ["Cases", many(facts.cases), ""],
    ["Events", many(facts.events), ""],
    ["Activities", many(facts.activities), ""],
    ["Variants", many(facts.variants), `${percent(facts.variants_per_case)} of cases`],
    ["Events a case", length, `median ${many(facts.median_length)}, mean ${many(Math.round(facts.mean_length * 10) / 10)}`],
    ["Period", ...period],
  ];
  find("facts").append(
    ...shown.map(([what, value, remark]) =>
      make("div", {}, make("dt", {}, what), make("dd", {}, value, remark ? [" ", make("small", {}, remark)] : null)),
    ),
  );
}

function showCards() {
  const { groups } = proposed;
  const next = data.groups.filter((group) => group.boldness > state.boldness).slice(0, groups.length ? 0 : BOLDER); // where there are none yet
  const cards = [...groups.slice(0, CARDS), ...next].map((group) => {
    const names = group.members
      .slice(0, 4)
      .map((member) => make("li", {}, activityButton(member), make("span", { class: "count" }, many(data.counts[member]))));
    if (group.members.length > 4) names.push(make("li", { class: "muted" }, `and ${group.members.length - 4} more`));
    const card = make(
      "article",
      { class: "card" },
      make(
        "p",
        { class: "card-head" },
        group.number ? badge(group) : null,
        make("span", { class: "card-value" }, alike(group.similarity)),
        make(
          "span",
          { class: "muted" },
          group.number
            ? group.sure
              ? "alike"
              : "alike, but see the caution"
            : `alike; proposed from boldness ${group.boldness.toFixed(2)} on`,
        ),
      ),
      make("ul", { class: "card-names" }, names),
      group.evidence.length ? make("p", { class: "card-why" }, ...contextWords(group.evidence[0]), ".") : null,
    );
    card.style.setProperty("--group", group.colour ?? "var(--line)");
    return card;
  });
  const rest = groups.length - cards.length;
  if (rest > 0)
    cards.push(
      make("p", { class: "card-rest" }, make("a", { href: "#proposals" }, `and ${some(rest, "more group", "more groups")}`)),
    );
  find("answer-cards").replaceChildren(...cards);
}

function showAnswer() {
  find("answer-title").textContent = headline();
  find("answer-lead").replaceChildren(...lead());
  for (const button of document.querySelectorAll(".download")) button.disabled = !mapping().some(Boolean);
}

function startAnswer() {
  find("bar-title").textContent = data.title;
  find("answer-log").replaceChildren(make("bdi", {}, data.title), size > 1 ? " · which labels are really the same step?" : "");
  if (data.groups.length) {
    find("answer-buttons").append(
      make("a", { class: "button", href: "#proposals" }, "Review the proposals"),
      make("button", { type: "button", class: "quiet download", onclick: saveMapping }, "Download mapping.csv"),
    );
  }
  showFacts();
  watch("boldness theme", showCards);
  watch("boldness ticks theme", showAnswer);
  const shown =
    size < data.facts.activities
      ? ` This page shows the ${many(size)} most frequent of ${many(data.facts.activities)} activities.`
      : "";
  find("made").textContent =
    `Made by actalike, method ${data.method}.${shown} The file needs no network; it holds the labels and figures of the log, but none of its cases.`;
}
