// How the log was understood, below the title: from which columns, in which order, and what may be wrong with that.

import { foreignText, make } from "./dom.js";
import { counted, thousands } from "./texts.js";

const SHOWN_FILES = 5;

const named = (names) => names.flatMap((name, k) => (k ? [", ", foreignText(name)] : [foreignText(name)]));

const LIFECYCLES = {
  ignore: () => "ignored",
  complete: ({ left_out }) => `only complete, ${counted(left_out, "event", "events")} left out`,
  append: () => "appended to the activity",
};

const CASES = { joined: ", equal case ids are one case", separate: ", cases called by file and id" };

// The facts of a reading, each as a term and what was taken for it.
function readingFacts(reading) {
  const sorted = reading.order.length > 0;
  const facts = [
    ["Case", [foreignText(reading.case)]],
    ["Activity", [foreignText(reading.activity)]],
    [
      "Time",
      [reading.time === null ? "none" : foreignText(reading.time), sorted ? " (events sorted by it)" : " (events in file order)"],
    ],
  ];
  if (reading.transition !== null)
    facts.push(["Lifecycle", [foreignText(reading.transition), ` (${LIFECYCLES[reading.lifecycle](reading)})`]]);
  if (reading.name !== null)
    facts.push(["Second names", [foreignText(reading.name), ` (of ${counted(reading.named_labels, "label", "labels")})`]]);
  if (reading.attributes.length) facts.push(["Also read", named(reading.attributes)]);
  if (reading.files.length) {
    const more = reading.files.length > SHOWN_FILES ? `, and ${thousands(reading.files.length - SHOWN_FILES)} more` : "";
    facts.push(["Files", [...named(reading.files.slice(0, SHOWN_FILES)), more, CASES[reading.joined_cases] ?? ""]]);
  }
  if (reading.missing.length) facts.push(["Missing values", [reading.missing.join("; ")]]);
  if (reading.unnamed_cases)
    facts.push(["Cases without a name", [`${thousands(reading.unnamed_cases)}, called by their number`]]);
  return facts;
}

// Shows how a log was read in an element; nothing if nobody knows.
export function showUnderstood(place, reading) {
  if (!reading) return;
  const facts = readingFacts(reading).map(([term, value]) => make("div", make("dt", term), make("dd", value)));
  const list = make("dl.understood", { "aria-label": "How the log was read" }, facts);
  place.append(make("details.fold", make("summary", "How the log was read"), list));
  if (reading.remarks.length)
    place.append(
      make(
        "ul.doubts",
        { "aria-label": "What may be wrong with it" },
        reading.remarks.map((remark) => make("li", foreignText(remark))),
      ),
    );
}
