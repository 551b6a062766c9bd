// Proposals: groups of labels with evidence and cautions, how bold to be, what to tick, and the mapping to download.

const SHOWN = 20; // proposals, until all are asked for
let allShown = false;

function startBoldness() {
  const output = make("output", { id: "boldness-said", for: "boldness-slider" });
  const slider = make("input", {
    type: "range",
    id: "boldness-slider",
    min: 0,
    max: 1,
    step: 0.005,
    value: state.boldness,
    "aria-describedby": "boldness-said",
    oninput: () => {
      state.boldness = Number(slider.value);
      changed("boldness");
    },
  });
  slider.value = state.boldness;
  const tickAll = (ticked) => () => {
    for (const group of proposed.groups) state.ticks.set(group.id, ticked);
    changed("ticks");
    showProposals();
  };
  find("boldness").append(
    make(
      "div",
      { class: "slide" },
      make("label", { for: "boldness-slider" }, "How bold?"),
      make("span", { class: "slide-end" }, "cautious"),
      make("div", { class: "slide-track" }, slider, stops()),
      make("span", { class: "slide-end" }, "bold"),
      output,
    ),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", class: "quiet", onclick: tickAll(true) }, "Tick all"),
      make("button", { type: "button", class: "quiet", onclick: tickAll(false) }, "Untick all"),
      make("button", { type: "button", class: "button download", id: "download", onclick: saveMapping }, "Download mapping.csv"),
    ),
  );
  watch("boldness ticks", () => {
    const groups = proposed.groups.length;
    const ticked = proposed.groups.filter(isMerged).length;
    output.textContent = `Boldness ${Number(state.boldness.toFixed(3))}: ${some(groups, "group", "groups")}, ${many(ticked)} ticked; ${some(activitiesLeft(), "activity", "activities")} left of ${many(data.facts.activities)}`;
  });
}

function stops() {
  // a mark for each group, where it comes in
  const marks = draw("svg", { class: "stops", viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const group of data.groups)
    marks.append(draw("line", { x1: group.boldness * 1000, x2: group.boldness * 1000, y1: 0, y2: 8 }));
  return marks;
}

function showProposals() {
  const { groups } = proposed;
  const shown = allShown || printing ? groups : groups.slice(0, SHOWN);
  find("proposal-list").replaceChildren(...shown.map(proposalItem));
  const more = find("proposals-more");
  more.hidden = shown.length === groups.length;
  more.textContent = `Show all ${many(groups.length)} proposals`;
  const none = find("proposals-none");
  none.hidden = groups.length > 0;
  none.textContent = data.groups.length
    ? "Nothing is proposed at this boldness: move the slider to the right."
    : size < 2
      ? "There is one activity, so there is nothing to merge."
      : `${data.method} proposes no groups, as its scores have no scale; kin-w5 does.`;
}

function proposalItem(group) {
  const update = () => {
    item.classList.toggle("off", !isMerged(group));
    name.placeholder = data.labels[keptOf(group)[0] ?? group.members[0]];
    clash.hidden = !clashes(group);
    changed("ticks");
  };
  const tick = make("input", {
    type: "checkbox",
    class: "tick",
    "aria-label": `Merge group ${group.number}: ${group.members.slice(0, 3).map(nameOf).join(", ")}${group.members.length > 3 ? " and more" : ""}`,
    checked: isTicked(group),
    onchange: () => {
      state.ticks.set(group.id, tick.checked);
      update();
    },
  });
  const name = make("input", {
    type: "text",
    class: "step-name",
    "aria-label": `Name of step ${group.number}`,
    spellcheck: "false",
    oninput: () => {
      state.names.set(group.id, name.value);
      update();
    },
  });
  name.value = state.names.get(group.id) ?? "";
  const clash = make("p", { class: "caution" }, mark("!"), "Another activity has this name already: the two would become one.");
  const members = group.members.map((member) => memberItem(group, member, update));
  const item = make(
    "li",
    { class: "proposal", id: `proposal-${group.id}` },
    make(
      "div",
      { class: "proposal-head" },
      tick,
      badge(group),
      make("div", { class: "proposal-members" }, foldedMembers(members)),
      make(
        "span",
        { class: "proposal-value" },
        similarityBar(group.similarity, group.bounds),
        make("b", {}, alike(group.similarity)),
        make("span", { class: "muted" }, boundsWords(group.bounds)),
      ),
    ),
    make(
      "div",
      { class: "proposal-body" },
      make(
        "div",
        {},
        make(
          "p",
          { class: "named" },
          make("span", { class: "muted" }, "Merge as"),
          name,
          make(
            "button",
            { type: "button", class: "quiet small", onclick: (event) => select(group.members[0], group.members[1], event) },
            "Compare",
          ),
        ),
        clash,
        group.relation === "mixed"
          ? make(
              "p",
              { class: "caution mild" },
              mark("i"),
              `In ${percent(group.together)} of their cases there are two or more of them.`,
            )
          : null,
        group.cautions.map((caution) =>
          make(
            "p",
            { class: isWarning(caution) ? "caution" : "caution mild" },
            mark(isWarning(caution) ? "!" : "i"),
            ...cautionWords(caution),
          ),
        ),
      ),
      make(
        "ul",
        { class: "evidence" },
        group.evidence.map((context) =>
          make("li", {}, ...contextWords(context), " ", make("span", { class: "muted" }, contextShare(context))),
        ),
      ),
    ),
  );
  item.style.setProperty("--group", group.colour);
  item.classList.toggle("off", !isMerged(group));
  name.placeholder = data.labels[keptOf(group)[0] ?? group.members[0]];
  clash.hidden = !clashes(group);
  return item;
}

const isWarning = ([kind]) => kind !== "never together"; // as in labels/evidence.py

const mark = (sign) => make("span", { class: "mark", "aria-hidden": "true" }, sign);

function memberItem(group, member, update) {
  const out = () => state.leftOut.get(group.id) ?? new Set();
  const box = make("input", {
    type: "checkbox",
    checked: !out().has(member),
    "aria-label": `${nameOf(member)}: is part of step ${group.number}`,
    onchange: () => {
      const left = new Set(out());
      if (box.checked) left.delete(member);
      else left.add(member);
      state.leftOut.set(group.id, left);
      update();
    },
  });
  return make(
    "li",
    { class: "member" },
    box,
    activityButton(member),
    make("span", { class: "count" }, `${many(data.counts[member])}`),
  );
}

function foldedMembers(members) {
  // a long list is folded, not cut: in print it is whole
  const list = make("ul", { class: "members" }, members.slice(0, 12));
  if (members.length <= 12) return list;
  const rest = make(
    "details",
    { class: "fold" },
    make("summary", {}, `${members.length - 12} more`),
    make("ul", { class: "members" }, members.slice(12)),
  );
  return [list, rest];
}

function clashes(group) {
  const name = stepName(group);
  const to = mapping();
  if (to[keptOf(group)[0]]?.id !== group.id) return false;
  return data.labels.some((label, i) => to[i]?.id !== group.id && (label === name || (to[i] && stepName(to[i]) === name)));
}

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const byCharacters = (a, b) => {
  // as Python sorts: by whole characters
  const [one, other] = [Array.from(a), Array.from(b)];
  const k = one.findIndex((character, i) => character !== other[i]);
  return k < 0 ? one.length - other.length : one[k].codePointAt() - (other[k]?.codePointAt() ?? -1);
};

function mappingText() {
  // as "actalike group" writes it: a row for each activity, those that are merged first
  const to = mapping();
  const merged = proposed.groups
    .toSorted((a, b) => a.id - b.id)
    .flatMap((group) => (isMerged(group) ? keptOf(group).map((member) => [data.labels[member], stepName(group)]) : []));
  const others = data.labels
    .filter((_, i) => !to[i])
    .sort(byCharacters)
    .map((label) => [label, label]);
  return [["activity", "group"], ...merged, ...others].map((row) => `${row.map(quoted).join(",")}\n`).join("");
}

function saveMapping() {
  download("mapping.csv", mappingText());
  say("mapping.csv was downloaded");
}

function startProposals() {
  find("relabel-command").textContent =
    `actalike relabel ${/^[\w.\-/]+$/.test(data.title) ? data.title : "LOG"} mapping.csv -o simpler.xes`;
  if (data.groups.length) startBoldness();
  find("proposals-more").addEventListener("click", () => {
    allShown = true;
    showProposals();
    find("proposal-list").children[SHOWN]?.querySelector("input").focus();
  });
  watch("boldness theme print", showProposals);
}
