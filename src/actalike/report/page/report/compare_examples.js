// Example cases as rows of chips: the labels around an event, those that are compared in the colours of their sides.

import { foreignText, make } from "../shared/dom.js";
import { counted } from "../shared/formats.js";
import { NOT_SHOWN } from "./data.js";
import { labelElement } from "./labels.js";

const dots = (title) => make("li.chip-gap", { title }, "…");

export function exampleList({ data }, examples, sides, title) {
  return make(
    "div.examples",
    make("h4", title),
    make(
      "ul.example-list",
      examples.map(([id, moment, before, after, labels]) =>
        make(
          "li",
          make("p.muted", "Case ", foreignText(id), moment ? `, ${moment.replace("T", " ")}` : ""),
          make(
            "ol.chips",
            before ? dots(`${counted(before, "event", "events")} before`) : null,
            labels.map((i) => (i === null ? dots("events left out") : chip(data, i, sides))),
            after ? dots(`${counted(after, "event", "events")} after`) : null,
          ),
        ),
      ),
    ),
  );
}

function chip(data, i, sides) {
  const side = sides.findIndex((members) => members.includes(i));
  const name = i === NOT_SHOWN ? make("em", "not on this page") : labelElement(data, i);
  return make("li", { class: side < 0 ? "chip" : `chip side-${side}` }, name);
}
