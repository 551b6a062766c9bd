// Which labels the pictures show: those in at least so many cases. One choice for map, matrix, flow and time view.

import { find, make } from "./dom.js";
import { counted, thousands } from "./formats.js";
import { slide } from "./slide.js";

// 1, 2, 3, 5, 7, 10, 15, 20, 30, ... as long as two labels are in as many cases.
export function caseSteps(cases) {
  const largest = [...cases].sort((a, b) => b - a)[1] ?? 1;
  const steps = [1];
  for (let power = 1; power <= largest; power *= 10)
    for (const factor of [1, 1.5, 2, 3, 5, 7]) {
      const step = factor * power;
      if (Number.isInteger(step) && step > steps.at(-1) && step <= largest) steps.push(step);
    }
  return steps;
}

export class FrequencyFilter {
  constructor(data, choices) {
    Object.assign(this, { data, choices, leastCases: 1, sliders: [] });
    this.steps = caseSteps(data.cases);
  }

  isShown(i) {
    return this.data.cases[i] >= this.leastCases;
  }

  // Whether an activity is in so few cases that the log says little about it.
  isRare(i) {
    return this.data.cases[i] < this.data.thin_cases;
  }

  get size() {
    return this.data.cases.filter((_, i) => this.isShown(i)).length;
  }

  // Adds a slider to the controls of a section. All sliders move together.
  addTo(section) {
    if (this.steps.length < 2) return;
    const id = `${section}-least-cases`;
    const output = make("output", { id: `${id}-said`, for: id });
    const slider = make("input", {
      type: "range",
      id,
      class: "least-cases",
      min: 0,
      max: this.steps.length - 1,
      step: 1,
      "aria-describedby": `${id}-said`,
      oninput: () => {
        this.leastCases = this.steps[Number(slider.value)];
        this.choices.changed("filter");
      },
    });
    find(`${section}-controls`).append(slide("Leave out rare labels?", ["all", "frequent"], slider, output));
    this.choices.watch("filter", () => {
      slider.value = this.steps.indexOf(this.leastCases);
      slider.closest(".slide").classList.toggle("all-labels", this.leastCases === 1); // nothing to be told on paper
      slider.setAttribute("aria-valuetext", `in at least ${counted(this.leastCases, "case", "cases")}`);
      output.textContent = `In at least ${counted(this.leastCases, "case", "cases")}: ${thousands(this.size)} of ${counted(this.data.size, "label", "labels")}.`;
    });
  }
}
