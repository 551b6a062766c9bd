// The figures of a chart as a table.

import { make } from "./dom.js";

export function figureTable(caption, header, rows) {
  // The rows are made when the table is opened.
  const fold = make("details.as-table", make("summary", "As a table"));
  fold.addEventListener("toggle", () => {
    if (!fold.open || fold.children.length > 1) return;
    fold.append(
      make(
        "div.scroll",
        { tabindex: 0, role: "region", "aria-label": caption },
        make(
          "table",
          make("caption.unseen", caption),
          make(
            "thead",
            make(
              "tr",
              header.map((cell) => make("th", { scope: "col" }, cell)),
            ),
          ),
          make(
            "tbody",
            rows().map((row) =>
              make(
                "tr",
                row.map((cell) => make("td", cell)),
              ),
            ),
          ),
        ),
      ),
    );
  });
  return fold;
}
