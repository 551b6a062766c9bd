// The odd cases of a log: filters, the list, and its download.

import { download, find, make, say } from "../shared/dom.js";
import { counted, thousands } from "../shared/formats.js";
import { oddCaseItem } from "./odd_case.js";
import { kindCounts, listedCases, oddTable } from "./odd_rows.js";

const SHOWN = 5; // cases, until the reader wants all

export function startOddCases(page) {
  find("odd-guide").textContent = page.data.odd.guide;
  if (page.data.odd.cases.length) new OddCases(page).start();
}

class OddCases {
  constructor(page) {
    this.page = page;
    this.choice = { kind: null, query: "", byNumber: false };
    this.isLong = false; // whether all cases are listed
    this.items = new Map(); // elements of cases that were shown: what the reader has opened in them stays open
  }

  start() {
    const input = make("input", {
      type: "search",
      "aria-label": "Find odd cases by a case id or a label",
      placeholder: "Case id or label",
      oninput: () => this.change({ query: input.value }),
    });
    const order = make(
      "select",
      { "aria-label": "Order of the odd cases", onchange: () => this.change({ byNumber: order.value === "number" }) },
      make("option", { value: "score" }, "Oddest first"),
      make("option", { value: "number" }, "Most equal cases first"),
    );
    const save = make("button.quiet", { onclick: () => this.save() }, "Download odd_cases.csv");
    find("odd-controls").append(this.kindButtons(), make("div.odd-find", input, order, save));
    find("odd-more").addEventListener("click", () => {
      this.isLong = true;
      this.show();
      find("odd-list").children[SHOWN]?.querySelector("button")?.focus();
    });
    this.show();
    this.page.choices.watch("selection", () => this.markSelected());
  }

  kindButtons() {
    const { odd } = this.page.data;
    const all = { kind: null, words: "all", number: odd.found.places };
    const kinds = [all, ...kindCounts(odd).filter(({ number }) => number > 0)];
    const buttons = kinds.map(({ kind, words, number }) =>
      make(
        "button.quiet.small",
        {
          "aria-pressed": String(kind === null),
          onclick: () => {
            buttons.forEach((button, k) => {
              button.setAttribute("aria-pressed", String(kinds[k].kind === kind));
            });
            this.change({ kind });
          },
        },
        `${words} (${thousands(number)})`,
      ),
    );
    return make(
      "div.buttons.odd-kinds",
      { role: "group", "aria-label": "Kind of odd place, with the number of places in the log" },
      buttons,
    );
  }

  change(choice) {
    Object.assign(this.choice, choice);
    say(`${counted(this.show(), "odd case", "odd cases")} listed`);
  }

  // Returns how many cases there are to list.
  show() {
    const cases = listedCases(this.page.data, this.choice);
    const shown = this.isLong ? cases : cases.slice(0, SHOWN);
    for (const one of shown) if (!this.items.has(one)) this.items.set(one, oddCaseItem(this.page, one));
    find("odd-list").replaceChildren(...shown.map((one) => this.items.get(one)));
    find("odd-more").hidden = shown.length === cases.length;
    find("odd-more").textContent = `Show all ${thousands(cases.length)}`;
    find("odd-none").hidden = cases.length > 0;
    this.markSelected();
    return cases.length;
  }

  // The selected label stands out in the strips.
  markSelected() {
    for (const button of find("odd-list").querySelectorAll(".strip [data-activity]"))
      if (Number(button.dataset.activity) === this.page.choices.selected) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
  }

  save() {
    download("odd_cases.csv", oddTable(this.page.data, listedCases(this.page.data, this.choice)));
    say("odd_cases.csv was downloaded");
  }
}
