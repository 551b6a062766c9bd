// What the small charts share: scales, axes, and the same figures as a table.

const logScale = (low, high, from, to) => (value) =>
  from + ((Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low) || 1)) * (to - from);

function decades(low, high) {
  const found = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); power <= Math.floor(Math.log10(high) + 1e-9); power++)
    found.push(10 ** power);
  return found;
}

function asTable(caption, header, rows) {
  // made when it is opened
  const fold = make("details", { class: "as-table" }, make("summary", {}, "As a table"));
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.children.length > 1) return;
    fold.append(
      make(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
        make(
          "table",
          {},
          make("caption", { class: "unseen" }, caption),
          make(
            "thead",
            {},
            make(
              "tr",
              {},
              header.map((cell) => make("th", { scope: "col" }, cell)),
            ),
          ),
          make(
            "tbody",
            {},
            rows().map((row) =>
              make(
                "tr",
                {},
                row.map((cell) => make("td", {}, cell)),
              ),
            ),
          ),
        ),
      ),
    );
  });
  return fold;
}
