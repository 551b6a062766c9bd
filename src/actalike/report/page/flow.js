// The directly-follows graph, as it is and with the ticked groups merged: the most frequent arrows, so that it stays readable.

const BOX = { width: 148, text: 11.5, line: 14 };

function sized(node) {
  if (node.end) return { ...node, width: 46, height: 22, lines: [node.label] };
  const lines = wrapped(node.label, BOX.width - 22, 2);
  return { ...node, lines, width: BOX.width, height: 12 + BOX.line * (lines.length + 1) };
}

function wrapped(text, room, most) {
  // a label in at most so many lines
  const words = text.slice(0, 200).replace(/\s+/g, " ").trim().split(" ");
  const lines = [];
  let line = words.shift() ?? "";
  for (const word of words) {
    if (widthOf(`${line} ${word}`, BOX.text, 600) <= room) line += ` ${word}`;
    else if (lines.length < most - 1) {
      lines.push(line);
      line = word;
    } else line += ` ${word}`;
  }
  return [...lines, line].map((each) => shortened(each, BOX.text, room, 600));
}

function curve(points) {
  let path = `M${points[0].map(round1).join(",")}`;
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    const half = (y0 + y1) / 2;
    path += `C${round1(x0)},${round1(half)} ${round1(x1)},${round1(half)} ${round1(x1)},${round1(y1)}`;
  }
  return path;
}

const round1 = (number) => Math.round(number * 10) / 10;

function drawFlow(name, whole, shown, large) {
  const { nodes, edges, share } = shown;
  const { items, paths, width, height } = layered(nodes, edges);
  const largest = Math.max(...edges.map((edge) => edge.count), 1);
  const activities = nodes.filter((node) => !node.end).length;
  const all = whole.nodes.length - 2;
  const picture = draw("svg", {
    viewBox: `-8 -4 ${Math.ceil(width + 40)} ${Math.ceil(height + 8)}`,
    width: Math.ceil(width + 48),
    height: Math.ceil(height + 8),
    role: "img",
    class: "flow-picture",
    "aria-label": `${name}: ${some(activities, "activity", "activities")} and the ${many(edges.length)} most frequent arrows, ${percent(share)} of all steps`,
  });
  const texts = draw("g", {});
  const taken = items
    .slice(0, nodes.length)
    .map((item) => [item.x - item.width / 2, item.y - item.height / 2, item.x + item.width / 2, item.y + item.height / 2]);
  edges.forEach((edge, e) => {
    const thick = 1 + 5 * Math.sqrt(edge.count / largest);
    const title = draw("title", {}, `${nodes[edge.from].label} → ${nodes[edge.to].label}: ${some(edge.count, "time", "times")}`);
    if (!paths[e]) {
      const item = items[edge.from];
      const [x, y] = [item.x + item.width / 2, item.y];
      picture.append(
        draw(
          "path",
          { class: "arrow", d: `M${round1(x)},${round1(y - 7)}c22,-8 22,22 3,15`, "stroke-width": round1(Math.min(thick, 3)) },
          title,
        ),
        head(x + 1, y + 8, Math.min(thick, 3), "left"),
      );
      return;
    }
    const line = paths[e];
    const down = line.at(-1)[1] > line[0][1];
    const reach = 4 + thick;
    line.at(-1)[1] += down ? -reach : reach;
    picture.append(
      draw("path", { class: down ? "arrow" : "arrow back", d: curve(line), "stroke-width": round1(thick) }, title),
      head(line.at(-1)[0], line.at(-1)[1] + (down ? reach : -reach), thick, down ? "down" : "up"),
    );
    const at = freeSpot(line, widthOf(many(edge.count), 10), taken);
    if (at) texts.append(draw("text", { class: "arrow-count", x: round1(at[0]), y: round1(at[1] + 3.5) }, many(edge.count)));
  });
  picture.append(...nodes.map((node, i) => box(node, items[i])), texts);
  const caption = make(
    "figcaption",
    {},
    make("b", {}, name),
    ` ${some(all, "activity", "activities")}, ${some(whole.edges.length, "arrow", "arrows")}. Drawn: ${some(edges.length, "arrow", "arrows")}, `,
    make("b", {}, percent(share)),
    " of all steps.",
  );
  picture.style.minWidth = `${Math.round(Math.min(width + 48, (width + 48) * 0.62))}px`; // smaller cannot be read: then it scrolls
  large = state.large.get(name) ?? (large || width > 860);
  const figure = make("figure", { class: large ? "flow large" : "flow" });
  const enlarge = make(
    "button",
    {
      type: "button",
      class: "quiet small",
      "aria-pressed": String(large),
      onclick: () => {
        state.large.set(name, figure.classList.toggle("large"));
        enlarge.setAttribute("aria-pressed", String(state.large.get(name)));
      },
    },
    "Full width",
  );
  caption.prepend(enlarge);
  return filled(figure, {}, [
    caption,
    make(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": `Flow ${name.toLowerCase()}, can be scrolled` },
      picture,
    ),
  ]);
}

function freeSpot(line, wide, taken) {
  // on an arrow, near its middle, where no box and no other count is; the arrow's title has the count anyway
  const spots = [];
  for (let i = 1; i < line.length; i++) {
    for (const t of [0.5, 0.35, 0.65, 0.2, 0.8]) {
      const bend = t * t * (3 - 2 * t); // how far aside the curve is
      spots.push([
        line[i - 1][0] + (line[i][0] - line[i - 1][0]) * bend,
        line[i - 1][1] + (line[i][1] - line[i - 1][1]) * t,
        Math.abs(i - line.length / 2) + Math.abs(t - 0.5),
      ]);
    }
  }
  spots.sort((a, b) => a[2] - b[2]);
  for (const [x, y] of spots) {
    const frame = [x - wide / 2 - 2, y - 6, x + wide / 2 + 2, y + 6];
    if (taken.some((other) => meets(frame, other))) continue;
    taken.push(frame);
    return [x, y];
  }
  return null;
}

function head(x, y, thick, way) {
  const wide = 3 + thick * 0.9;
  const long = 4 + thick;
  const tips = {
    down: [
      [-wide, -long],
      [wide, -long],
    ],
    up: [
      [-wide, long],
      [wide, long],
    ],
    left: [
      [long, -wide],
      [long, wide],
    ],
  }[way];
  return draw("path", {
    class: "arrow-head",
    d: `M${round1(x)},${round1(y)}${tips.map(([dx, dy]) => `L${round1(x + dx)},${round1(y + dy)}`).join("")}Z`,
  });
}

function box(node, item) {
  const [x, y] = [round1(item.x - item.width / 2), round1(item.y - item.height / 2)];
  if (node.end)
    return draw(
      "g",
      { class: "flow-end" },
      draw("rect", { x, y, width: item.width, height: item.height, rx: item.height / 2 }),
      draw("text", { x: round1(item.x), y: round1(item.y + 4) }, node.label),
    );
  const shape = draw(
    "g",
    { class: node.merged ? "flow-box merged" : "flow-box", onclick: () => select(node.activity) },
    draw("rect", { x, y, width: item.width, height: item.height, rx: 7 }),
    node.group && (node.merged || isMerged(node.group))
      ? draw("rect", { class: "flow-stripe", x, y, width: 5, height: item.height, rx: 2.5, fill: node.group.colour })
      : null,
    ...node.lines.map((line, k) =>
      draw("text", { class: "flow-label", x: round1(item.x), y: round1(y + 17 + k * BOX.line) }, line),
    ),
    draw(
      "text",
      { class: "flow-count", x: round1(item.x), y: round1(y + 17 + node.lines.length * BOX.line) },
      node.merged ? `${many(node.count)} · ${node.members.length} labels` : many(node.count),
    ),
    draw(
      "title",
      {},
      `${node.label}: ${some(node.count, "event", "events")}${node.merged ? ` of ${node.members.map(nameOf).slice(0, 12).join("; ")}` : ""}`,
    ),
  );
  return shape;
}

function showFlow() {
  const nobody = new Array(size).fill(null);
  const whole = graph(nobody);
  const shown = filtered(whole, state.arrows);
  const before = drawFlow("Before", whole, shown);
  const to = mapping();
  const merged = graph(to);
  const after = to.some(Boolean)
    ? drawFlow("After", merged, filtered(merged, needed(merged, shown.share)), before.classList.contains("large"))
    : make(
        "figure",
        { class: "flow" },
        make("figcaption", {}, make("b", {}, "After"), " Tick a group above to see the flow become simpler."),
      );
  find("flows").replaceChildren(...(data.groups.length ? [before, after] : [before]));
}

function startFlow() {
  const whole = graph(new Array(size).fill(null));
  state.arrows = Math.max(Math.min(needed(whole, 0.95), 30), Math.min(12, whole.edges.length));
  const output = make("output", { id: "arrows-said", for: "arrows-slider" });
  const slider = make("input", {
    type: "range",
    id: "arrows-slider",
    min: 1,
    max: Math.max(1, Math.min(80, whole.edges.length)),
    step: 1,
    "aria-describedby": "arrows-said",
    oninput: () => {
      state.arrows = Number(slider.value);
      changed("arrows");
    },
  });
  slider.value = state.arrows;
  find("flow-controls").append(
    make(
      "div",
      { class: "slide" },
      make("label", { for: "arrows-slider" }, "Arrows"),
      make("span", { class: "slide-end" }, "few"),
      make("div", { class: "slide-track" }, slider),
      make("span", { class: "slide-end" }, "many"),
      output,
    ),
  );
  watch("arrows", () => {
    output.textContent = `Before: the ${some(state.arrows, "most frequent one", "most frequent ones")}, and what keeps the picture connected. After: as many as it takes to show as much.`;
  });
  watch("boldness ticks arrows theme", soon(showFlow));
}

function soon(act) {
  // many changes in a row, one drawing; a printer does not wait
  let waiting = false;
  return () => {
    if (printing) act();
    if (waiting || printing) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      act();
    });
  };
}
