// The slider for how many arrows of a flow are drawn. It begins with as many as make up a share of all steps, within limits.

import { find, make } from "./dom.js";
import { thousands } from "./formats.js";
import { edgesNeeded } from "./graph_parts.js";
import { slide } from "./slide.js";

const FEWEST_AT_FIRST = 12;
const MOST_AT_FIRST = 30;
const MOST = 80;

// `said` makes the sentence below the slider of the words for so many arrows.
export function addArrowsSlider(choices, whole, share, said) {
  const arrows = whole.edges.length;
  choices.arrows = Math.max(Math.min(edgesNeeded(whole, share), MOST_AT_FIRST), Math.min(FEWEST_AT_FIRST, arrows));
  const output = make("output", { id: "arrows-said", for: "arrows-slider" });
  const slider = make("input", {
    type: "range",
    id: "arrows-slider",
    min: 1,
    max: Math.max(1, Math.min(MOST, arrows)),
    step: 1,
    "aria-describedby": "arrows-said",
    oninput: () => {
      choices.arrows = Number(slider.value);
      choices.changed("arrows");
    },
  });
  slider.value = choices.arrows;
  find("flow-controls").append(slide("How many arrows?", ["few", "many"], slider, output));
  choices.watch("arrows", () => {
    output.textContent = said(choices.arrows === 1 ? "most frequent arrow" : `${thousands(choices.arrows)} most frequent arrows`);
  });
}
