// What changed: steps that have other neighbours in log B than in log A, with what came and what went.

import { find, make } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { shareBar } from "../shared/share_bar.js";
import { theme } from "../shared/theme.js";
import { LETTERS, OUTSIDE } from "./data.js";
import { button, cutWords, labelElement } from "./label_parts.js";

const SHOWN = 10;
const DISTANCES = ["", "directly", "two steps"];

// A label; if it is another step there than in the other log, with its partner, or without one with its log.
function toldElement({ sides, drift }, side, i) {
  const label = labelElement(sides[side], i);
  const told = drift.told_apart[side].find(([one]) => one === i);
  if (!told) return label;
  const [, partner] = told;
  return make("span", label, partner < 0 ? ` of log ${LETTERS[side]}` : [" = ", labelElement(sides[1], partner)]);
}

function neighbourItem({ data }, [offset, side, i, before, after]) {
  const isBefore = offset < 0;
  const where = `${DISTANCES[Math.abs(offset)]} ${isBefore ? "after" : "before"} `;
  const what = i === OUTSIDE ? (isBefore ? "the beginning of the case" : "the end of the case") : toldElement(data, side, i);
  return make("li", where, what, make("span.muted", ` ${percent(before)} → ${percent(after)}`));
}

function changeItem(page, [i, change, casesA, casesB, came, went]) {
  const list = (title, some) =>
    some.length
      ? make(
          "div",
          make("h4", title),
          make(
            "ul.evidence",
            some.map((one) => neighbourItem(page, one)),
          ),
        )
      : null;
  return make(
    "li.change",
    make(
      "p.change-head",
      toldElement(page.data, 0, i),
      shareBar(change),
      make("span.count", `change ${change.toFixed(2)}, in ${thousands(casesA)} and ${thousands(casesB)} cases`),
    ),
    make("div.change-parts", list("More in log B", came), list("Less in log B", went)),
  );
}

export function startChanges(page) {
  const { drift } = page.data;
  const guide = find("changes-guide");
  if (!drift) {
    guide.textContent = "Without a pair that is accepted there is nothing to compare.";
    return;
  }
  guide.textContent = `Which steps have other neighbours in log B than in log A, beyond chance: from 0 (the same) to 1 (none in common). The figures are shares of the step’s events. Steps have the names of log A; where the logs have different steps of one name, the partner or the log stands behind it. They were computed when the page was written, with the ${counted(drift.pairs, "pair", "pairs")} that were accepted then; after other decisions, write the page again with --decisions.`;
  const list = make("ol.changes");
  const show = (most) => list.replaceChildren(...drift.changed.slice(0, most).map((one) => changeItem(page, one)));
  const cut =
    drift.number > drift.changed.length
      ? ` The ${thousands(drift.changed.length)} largest changes are listed here; actalike drift lists all.`
      : "";
  find("changes-list").append(
    make(
      "p",
      make(
        "b",
        drift.number
          ? `${thousands(drift.number)} of ${counted(drift.judged, "step", "steps")} changed.`
          : "Nothing changed beyond chance.",
      ),
      cut,
    ),
    list,
  );
  show(SHOWN);
  if (drift.changed.length > SHOWN) {
    let shown = SHOWN;
    const more = button(`Show ${thousands(drift.changed.length)}`, () => {
      shown = drift.changed.length;
      show(shown);
      more.remove();
    });
    find("changes-list").append(more);
    find("changes-list").append(make("p.paper-only.muted", cutWords(SHOWN, drift.changed.length, "changes")));
    page.choices.watch("print", () => show(theme.printing ? SHOWN : shown));
  }
}
