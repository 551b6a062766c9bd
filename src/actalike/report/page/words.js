// Sentences: why activities are alike, and what a group shares.

const listed = (parts) => parts.flatMap((part, i) => (i === 0 ? [part] : [i === parts.length - 1 ? " and " : ", ", part]));

// "both follow X and precede Y"
function contextWords([having, members, before, after]) {
  const who = having < members ? `${having} of them` : members === 2 ? "Both" : "All";
  const parts = [];
  if (before !== null) parts.push(before === OUTSIDE ? ["begin the case"] : ["follow ", activityButton(before)]);
  if (after !== null) parts.push(after === OUTSIDE ? ["end the case"] : ["precede ", activityButton(after)]);
  return [`${who} `, ...listed(parts).flat()];
}

function contextShare([, , , , least, most]) {
  const [low, high] = [percent(least), percent(most)];
  return `${low === high ? low : `${low.replace("\u00a0%", "")} to ${high}`} of events`;
}

const PLACES = ["", "directly", "two steps", "three steps", "four steps"];
const away = (offset) => PLACES[Math.abs(offset)] ?? `${Math.abs(offset)} steps`;

function besideWords(offset, x, y) {
  const distance = Math.abs(offset);
  if (x === OUTSIDE) {
    if (distance === 1) return [offset < 0 ? "both begin the case" : "both end the case"];
    return [
      `both are ${offset < 0 ? "near the beginning" : "near the end"} (at most ${distance - 1} before ${offset < 0 ? "" : "the end"})`.replace(
        " before )",
        " before)",
      ),
    ];
  }
  const verb = offset < 0 ? "after" : "before";
  if (x === y) return [`both come ${away(offset)} ${verb} `, activityButton(x)];
  return [
    `one comes ${away(offset)} ${verb} `,
    activityButton(x),
    ", the other ",
    verb,
    " ",
    activityButton(y),
    ", which are alike",
  ];
}

// a share of a similarity: its kind, how much it is, its activities, and their place: the offset, or how many come before
function reasonWords([kind, , codes, place]) {
  if (kind === "beside") return besideWords(place, codes[0], codes.at(-1));
  if (kind === "between") {
    const parts = [];
    const sides = [codes.slice(0, place), codes.slice(place)];
    const [before, after] = sides.map((side) => side.filter((code) => code !== OUTSIDE));
    const [begins, ends] = sides.map((side) => side.includes(OUTSIDE));
    const steps = (codes) => codes.flatMap((code, i) => (i ? [" → ", activityButton(code)] : [activityButton(code)]));
    if (before.length) parts.push(["follow ", ...steps(before), begins ? " at the beginning" : ""]);
    else if (begins) parts.push(["begin the case"]);
    if (after.length) parts.push(["precede ", ...steps(after), ends ? " at the end" : ""]);
    else if (ends) parts.push(["end the case"]);
    return ["both ", ...listed(parts).flat()];
  }
  if (kind === "among")
    return [
      "both have around them ",
      ...listed(codes.map((code) => (code === OUTSIDE ? "the outside of the case" : activityButton(code)))),
    ];
  return ["both are like ", activityButton(codes[0])];
}

// why a group may be wrong: the kinds of labels/evidence.py
const NAMED = 3;
function cautionWords([kind, members, times]) {
  const rest = members.length > NAMED ? [` and ${members.length - NAMED} more`] : [];
  const named = [...members.slice(0, NAMED).flatMap((member, i) => (i ? [", ", labelled(member)] : [labelled(member)])), ...rest];
  return {
    "too rare": () => [`In fewer than ${data.enough_cases} cases, too rare to judge: `, ...named, "."],
    "few cases": () => [`In fewer than ${data.thin_cases} cases, so the evidence is thin: `, ...named, "."],
    "never together": () => ["Never in the same case: two names of one step, or different outcomes of one decision."],
    "always together": () => ["Always in the same cases: steps that belong together rather than names of one step."],
    "often together": () => [
      `In the same cases ${times.toFixed(1)} times as often as names of one step would be: perhaps steps of one case.`,
    ],
  }[kind]();
}

function boundsWords(bounds) {
  if (!bounds) return "";
  return bounds[0] === null ? "too rare to judge" : `${alike(bounds[0])} to ${alike(bounds[1])}`;
}

// a bar for a similarity, with its bounds: empty where half of all pairs are more alike, full where nothing can be
function similarityBar(value, bounds) {
  const [least, most] = [middleSimilarity, data.scores ? data.similarity.most : 1];
  const at = (number) => `${(Math.max(0, Math.min(1, (number - least) / (most - least || 1))) * 100).toFixed(2)}%`;
  const bar = make("span", { class: "meter", "aria-hidden": "true" }, make("span", { class: "meter-fill" }));
  bar.firstChild.style.width = at(value);
  if (bounds && bounds[0] !== null) {
    const mark = make("span", { class: "meter-bounds" });
    mark.style.left = at(bounds[0]);
    mark.style.width = `calc(${at(bounds[1])} - ${at(bounds[0])})`;
    bar.append(mark);
  }
  return bar;
}

function badge(group) {
  const mark = make("span", { class: "badge", "aria-hidden": "true" }, String(group.number));
  mark.style.setProperty("--group", group.colour);
  return mark;
}
