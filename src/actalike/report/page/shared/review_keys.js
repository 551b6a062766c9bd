// A review by keyboard: j and k go from card to card, a and r decide about the one at hand, u takes back.

import { find, make } from "./dom.js";

const KEYS = [
  ["j", "next proposal"],
  ["k", "proposal before"],
  ["a", "accept it"],
  ["r", "reject it"],
  ["u", "undo"],
  ["/", "find a label"],
  ["?", "these keys"],
];
const TYPED = "textarea, select, input:not([type=checkbox]):not([type=range])";

// `list` is the id of the list whose cards are reviewed; a control that decides about its card says so in `data-decides`.
export function startReviewKeys(choices, list) {
  const cards = () => [...find(list).children];
  const current = () => cards().find((card) => card.contains(document.activeElement));
  const isInSight = (card) => card.getBoundingClientRect().bottom > innerHeight / 4;
  const acts = {
    j: () => goTo(current() ? current().nextElementSibling : cards().find(isInSight)),
    k: () => goTo(current() ? current().previousElementSibling : cards().findLast((card) => !isInSight(card))),
    a: () => current()?.querySelector("[data-decides=accepted]")?.click(),
    r: () => current()?.querySelector("[data-decides=rejected]")?.click(),
    u: () => choices.undo(),
    "?": showKeys,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (!Object.hasOwn(acts, event.key) || document.activeElement?.matches(TYPED)) return;
    event.preventDefault();
    acts[event.key]();
  });
}

// The card at hand has the focus, and as much of it as there is room for is in sight.
function goTo(card) {
  if (!card) return;
  card.focus({ preventScroll: true });
  const { top, height } = card.getBoundingClientRect();
  const room = innerHeight - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
  const isWhole = top >= innerHeight - room && top + height <= innerHeight;
  if (!isWhole) card.scrollIntoView({ block: height > room ? "start" : "center", behavior: "instant" });
}

export function showKeys() {
  const dialog = make(
    "dialog.picker",
    { "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    make("h3", { id: "keys-title" }, "Keys"),
    make(
      "dl.key-list",
      KEYS.map(([key, words]) => make("div", make("dt", make("kbd", key)), make("dd", words))),
    ),
    make("p.buttons", make("button.quiet", { onclick: () => dialog.close() }, "Close")),
  );
  find("page").append(dialog);
  dialog.showModal();
}
