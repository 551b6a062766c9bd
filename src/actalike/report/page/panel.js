// The panel: what the selected activity is like, how sure that is, and why.

function showPanel() {
  const panel = find("panel");
  const i = state.selected;
  document.body.classList.toggle("with-panel", i !== null);
  panel.hidden = i === null;
  if (i === null) return;
  const group = proposed.of[i];
  const others = data.neighbours[i].map(([j]) => j);
  const asked = state.other !== null && !others.includes(state.other) ? [state.other] : [];
  const open = state.other ?? others[0];
  const title = make("h2", { id: "panel-title", tabindex: -1 }, labelled(i));
  panel.replaceChildren(
    make(
      "div",
      { class: "panel-head" },
      make("p", { class: "eyebrow" }, "Activity"),
      make("button", { type: "button", class: "close", "aria-label": "Close the panel", onclick: closePanel }, "×"),
    ),
    title,
    make(
      "p",
      { class: "panel-facts" },
      `${some(data.counts[i], "event", "events")} (${percent(data.counts[i] / data.facts.events)}) in ${some(data.cases[i], "case", "cases")} (${percent(data.cases[i] / data.facts.cases)}); median position ${data.positions[i][2].toFixed(2)}`,
    ),
    ...(group
      ? [
          make(
            "p",
            { class: "panel-group" },
            badge(group),
            make(
              "a",
              { href: `#proposal-${group.id}`, onclick: () => revealProposal(group) },
              `In a proposed group of ${group.members.length}`,
            ),
          ),
        ]
      : []),
    ...(others.length
      ? [
          make("h3", {}, asked.length ? "Compared with, and most alike" : "Most alike"),
          make(
            "ol",
            { class: "neighbours" },
            [...asked, ...others].map((j) => neighbourItem(i, j, j === open)),
          ),
        ]
      : [make("p", {}, "There is no other activity to compare it with.")]),
    make("p", { class: "muted note" }, remark()),
  );
}

function openPanel() {
  showPanel();
  find("panel").scrollTop = 0;
  if (state.selected === null) return;
  if (state.toPanel) find("panel-title").focus({ preventScroll: true });
  else say(`${nameOf(state.selected)} is shown in the panel`);
}

function remark() {
  const bounds = data.draws
    ? `Bounds: where 95 % of the similarities lie when the cases are drawn anew, ${data.draws} times${data.method.startsWith("kin-") ? "" : " (they may be too narrow: only those of kin have been checked)"}. `
    : "";
  return `${bounds}Shares of events: how often the two stand there, the rarer and the more frequent.`;
}

function neighbourItem(i, j, open) {
  const bounds = boundsOf(i, j);
  const why = explanation(i, j);
  const item = make("li", { class: j === state.other ? "neighbour asked" : "neighbour" });
  const body = make("div", { class: "why", hidden: !open });
  const fill = () => body.childElementCount || body.append(...whyContent(i, j, why));
  const button = make(
    "button",
    {
      type: "button",
      class: "neighbour-head",
      "aria-expanded": String(open),
      onclick: () => {
        body.hidden = !body.hidden;
        button.setAttribute("aria-expanded", String(!body.hidden));
        fill();
      },
    },
    make("span", { class: "neighbour-name" }, labelled(j)),
    make("b", {}, alike(data.neighbours[i].find(([k]) => k === j)?.[1] ?? similarity(i, j))),
    similarityBar(similarity(i, j), bounds),
    make("span", { class: "muted bounds" }, boundsWords(bounds)),
  );
  if (open) fill();
  item.append(button, body);
  return item;
}

function whyContent(i, j, why) {
  const onwards = make(
    "p",
    { class: "onwards" },
    make("button", { type: "button", class: "quiet small", onclick: (event) => select(j, i, event) }, "Go to ", labelled(j)),
  );
  if (!why)
    return [
      make("p", { class: "muted" }, "The page has explanations for the most alike pairs only. For this one: "),
      make("code", {}, "actalike explain LOG A B"),
      onwards,
    ];
  const content = [];
  if (why.contexts.length) {
    content.push(
      make("h4", {}, "What they share"),
      make(
        "ul",
        { class: "evidence" },
        why.contexts.map((context) =>
          make("li", {}, ...contextWords(context), " ", make("span", { class: "muted" }, contextShare(context))),
        ),
      ),
    );
  } else content.push(make("p", { class: "muted" }, "They have no neighbour in common."));
  if (why.reasons.length) {
    const whole = Math.abs(similarity(i, j)) || 1;
    const rest = 1 - why.reasons.reduce((sum, reason) => sum + reason[1] / whole, 0);
    content.push(
      make(
        "details",
        { class: "exactly" },
        make("summary", {}, `What the ${alike(similarity(i, j))} is made of, exactly`),
        make(
          "ul",
          { class: "shares" },
          why.reasons.map((reason) =>
            make("li", {}, make("b", {}, percentOf(reason[1] / whole)), make("span", {}, ...reasonWords(reason))),
          ),
          make("li", { class: "muted" }, make("b", {}, percentOf(rest)), make("span", {}, "all other shares together")),
        ),
      ),
    );
  }
  return [...content, onwards];
}

const percentOf = (share) => `${(share * 100).toFixed(Math.abs(share) < 0.0995 ? 1 : 0)} %`;

function revealProposal(group) {
  if (!find(`proposal-${group.id}`)) {
    allShown = true;
    showProposals();
  }
}

function closePanel() {
  const back = state.origin;
  Object.assign(state, { selected: null, other: null, origin: null, toPanel: false });
  changed("selection");
  if (back?.isConnected) back.focus({ preventScroll: true });
}

function startPanel() {
  watch("selection", openPanel);
  watch("boldness theme", showPanel);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && state.selected !== null && document.activeElement !== find("search")) closePanel();
  });
}
