// Where activities occur in a case: a box plot for each of the most frequent ones, and for the selected one.

const ROWS = 14;

function showPositions() {
  const chosen = new Set(Array.from({ length: Math.min(ROWS, size) }, (_, i) => i));
  for (const extra of [state.selected, state.other]) if (extra !== null) chosen.add(extra);
  const rows = [...chosen].sort(
    (a, b) => data.positions[a][2] - data.positions[b][2] || data.positions[a][5] - data.positions[b][5] || a - b,
  );
  const at = (value) => `${(value * 100).toFixed(2)}%`;
  const list = make(
    "ul",
    { class: "boxes" },
    rows.map((i) => {
      const [least, first, median, third, most] = data.positions[i];
      const group = proposed.of[i];
      const part = (name, from, to) => {
        const bar = make("span", { class: name });
        bar.style.left = at(from);
        if (to !== null) bar.style.width = at(to - from);
        return bar;
      };
      const said = `from ${least.toFixed(2)} to ${most.toFixed(2)}, half of them between ${first.toFixed(2)} and ${third.toFixed(2)}, median ${median.toFixed(2)}`;
      const track = make(
        "span",
        { class: "box-track", role: "img", "aria-label": said, title: said },
        part("box-whisker", least, most),
        part("box-box", first, third),
        part("box-median", median, null),
      );
      const row = make(
        "li",
        { class: i === state.selected || i === state.other ? "box-row chosen" : "box-row" },
        activityButton(i),
        track,
      );
      if (group) row.style.setProperty("--group", group.colour);
      return row;
    }),
  );
  const axis = make(
    "div",
    { class: "box-axis", "aria-hidden": "true" },
    make("span", {}, ""),
    make(
      "span",
      { class: "box-scale" },
      ["0 first event", "0.25", "0.5", "0.75", "1 end"].map((text, k) => {
        const tick = make("span", {}, text);
        tick.style.left = `${k * 25}%`;
        return tick;
      }),
    ),
  );
  const rest =
    size > ROWS ? make("p", { class: "muted" }, `The ${ROWS} most frequent activities, and the one that you choose. `) : null;
  const table = asTable(
    "Relative positions of all activities",
    ["Activity", "least", "1st quartile", "median", "3rd quartile", "most", "mean"],
    () => data.positions.map((row, i) => [labelled(i), ...row.map((value) => value.toFixed(2))]),
  );
  const open = find("positions-box").querySelector("details")?.open;
  find("positions-box").replaceChildren(list, axis, ...[rest, table].filter(Boolean));
  table.open = Boolean(open);
}
