// Sentences: why activities are alike, and what a group shares.

const listed = (parts) => parts.flatMap((part, i) => (i === 0 ? [part] : [i === parts.length - 1 ? " and " : ", ", part]));

// "both follow X and precede Y"
function contextWords([who, before, after]) {
  const parts = [];
  if (before !== null) parts.push(before === OUTSIDE ? ["begin the case"] : ["follow ", activityButton(before)]);
  if (after !== null) parts.push(after === OUTSIDE ? ["end the case"] : ["precede ", activityButton(after)]);
  return [`${who[0].toUpperCase()}${who.slice(1)} `, ...listed(parts).flat()];
}

function contextShare([, , , least, most]) {
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

function reasonWords([kind, , ...what]) {
  const symbols = (codes) => listed(codes.map((code) => (code === OUTSIDE ? "the outside of the case" : activityButton(code))));
  if (kind === "beside") return besideWords(...what);
  if (kind === "between") {
    const parts = [];
    const [before, after] = what.map((codes) => codes.filter((code) => code !== OUTSIDE));
    const begins = what[0].includes(OUTSIDE);
    const ends = what[1].includes(OUTSIDE);
    const steps = (codes) => codes.flatMap((code, i) => (i ? [" → ", activityButton(code)] : [activityButton(code)]));
    if (before.length) parts.push(["follow ", ...steps(before), begins ? " at the beginning" : ""]);
    else if (begins) parts.push(["begin the case"]);
    if (after.length) parts.push(["precede ", ...steps(after), ends ? " at the end" : ""]);
    else if (ends) parts.push(["end the case"]);
    return ["both ", ...listed(parts).flat()];
  }
  if (kind === "among") return ["both have around them ", ...symbols(what[0])];
  return ["both are like ", activityButton(what[0])];
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
