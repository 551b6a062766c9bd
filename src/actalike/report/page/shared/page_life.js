// What the reader works on stays where it is on the screen and keeps the focus, whatever a change adds or removes around it.
//
// A card is an element of a list with `data-card`, its key: a JSON list. A control of a card may have a key too, `data-focus`. By
// their keys they are found again when they are made anew.

import { html, render } from "../vendor/preact.js";
import { button, find, make, onThemeChange, theme, untyped } from "./dom.js";

const OVER_THE_PAGE = "dialog, #panel, .bar"; // whoever works there still has before them what they touched last
const CONTROLS = "a, button, input, select, summary, textarea";

const ancestors = new Map(); // the key of the card that a card continues, by its key
/** @type {any} */
let touched = null; // what the reader has touched last: a card, or a control outside of all cards

const box = (element) => element.getBoundingClientRect();
const isInSight = (element) => box(element).bottom > 0 && box(element).top < innerHeight;
const cardsIn = (part) => [...part.querySelectorAll("[data-card]")];
const controlsIn = (part) => [...part.querySelectorAll(CONTROLS)].filter((control) => control.offsetParent);
const keyOf = (card) => card.dataset.card;

function startKeepingPlace(choices) {
  const touch = ({ target }) => {
    if (target.closest(OVER_THE_PAGE)) return;
    touched = target.closest("[data-card]") ?? target.closest(CONTROLS) ?? touched;
  };
  document.addEventListener("pointerdown", touch, true);
  document.addEventListener("focusin", touch, true);
  choices.around = keepPlace;
}

// Acts, and scrolls so that what was touched last, or else the first card in sight, is where it was.
function keepPlace(act) {
  const kept = touched?.isConnected && isInSight(touched) ? touched : cardsIn(document).find(isInSight);
  if (!kept) return act();
  const before = placeOf(kept);
  const focused = untyped(document.activeElement);
  const wasInside = kept.contains(focused);
  const number = controlsIn(kept).indexOf(focused);
  act();
  const { card, isSame, moved } = placeAfter(untyped(before));
  scrollBy({ top: moved, behavior: "instant" });
  if (kept === touched) touched = card;
  if (!focused || focused === document.body || document.activeElement !== document.body) return; // the focus is not lost
  const key = focused.dataset.focus;
  const controls = !wasInside ? controlsIn(document) : isSame ? controlsIn(card) : [];
  const again = key && controls.find((control) => control.dataset.focus === key);
  if (!wasInside) again?.focus({ preventScroll: true });
  else focusOn(again || controls[Math.min(number, controls.length - 1)] || card || headOf(before.list));
}

const headOf = (list) => list.closest("section").querySelector("h2");

// Gives the focus to a control, a card or a head; one that is out of sight, because its card has become shorter, comes into sight.
function focusOn(element) {
  if (!element.matches(CONTROLS)) element.tabIndex = -1; // so that it can have the focus
  element.focus({ preventScroll: isInSight(element) });
}

// Where a card or control is: its top, and of a card its list, and the lower ends of the cards above it, the nearest first.
function placeOf(kept) {
  const [key, { top }] = [keyOf(kept), box(kept)];
  if (!key) return { kept, top };
  const list = kept.parentElement.closest("[id]");
  const cards = cardsIn(list);
  const index = cards.indexOf(kept);
  const above = cards.slice(0, index).map((card) => [keyOf(card), box(card).bottom]);
  return { kept, top, key, list, index, above: above.reverse(), keys: new Set(cards.map(keyOf)), listTop: box(list).top };
}

// What is at that place now, and how far the place has `moved`. A card that was made anew is where it is, wherever that is. One that
// nothing was done to, or that is gone, leaves its place to what comes after the cards above it: there an undone card reappears.
function placeAfter({ kept, top, key, list, index, above, keys, listTop }) {
  if (!key) return { card: kept, moved: kept.isConnected ? box(kept).top - top : 0 };
  const cards = cardsIn(list);
  const card = cardsIn(document).find((one) => keyOf(one) === key) ?? heirOf(key, keys, cards);
  if (card && card !== kept) return { card, isSame: true, moved: box(card).top - top };
  const place = { card: card ?? cards[Math.min(index, cards.length - 1)], isSame: Boolean(card) };
  for (const [other, bottom] of above) {
    const now = cards.find((one) => keyOf(one) === other);
    if (now) return { ...place, moved: box(now).bottom - bottom };
  }
  return { ...place, moved: list.offsetParent ? box(list).top - listTop : 0 };
}

// The new card of a list that continues what a card was about: a label of it has got another partner. Undone, it is that which
// was there before.
function heirOf(key, keys, cards) {
  const parts = JSON.parse(key);
  const isHeir = (card) => JSON.parse(keyOf(card)).some((part, k) => part !== null && part === parts[k]);
  const heirs = cards.filter((card) => !keys.has(keyOf(card)) && isHeir(card));
  const heir = heirs.find((card) => keyOf(card) === ancestors.get(key)) ?? heirs[0];
  if (heir) ancestors.set(keyOf(heir), key);
  return heir;
}

// Undo and redo by keyboard, unless somebody is typing or a dialog is open.
export function undoByKeyboard(choices) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
    const focused = untyped(document.activeElement);
    if (focused?.tagName === "TEXTAREA" || (focused?.tagName === "INPUT" && focused.type === "text")) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) choices.undo();
    else if (key === "y" || key === "z") choices.redo();
    else return;
    event.preventDefault();
  });
}

// --- A review by keyboard: j and k go from card to card, a and r decide about the one at hand, u takes back.

// Keys, what they do, and what has to be on the page for that.
const KEYS = [
  ["j", "next proposal"],
  ["k", "proposal before"],
  ["a", "accept it"],
  ["r", "reject it"],
  ["n", "name the step; Enter goes back", ".step-name[data-focus]"],
  ["u", "undo"],
  ["s", "save the decisions"],
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
    n: () => current()?.querySelector(".step-name")?.select(),
    u: () => choices.undo(),
    s: () => find("save").click(),
    "?": showKeys,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (document.activeElement?.matches(TYPED)) return leaveField(event, current());
    if (!Object.hasOwn(acts, event.key)) return;
    event.preventDefault();
    acts[event.key]();
  });
}

// Escape, and in a field of one line Enter, go from what is typed back to the card: the next letter is a key again.
function leaveField(event, card) {
  const isLeft = event.key === "Escape" || (event.key === "Enter" && !document.activeElement?.matches("textarea"));
  if (!card || !isLeft || event.isComposing) return;
  event.preventDefault();
  card.focus({ preventScroll: true });
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
  const dialog = make("dialog.picker", { "aria-labelledby": "keys-title", onclose: () => dialog.remove() });
  const keys = KEYS.filter(([, , needs]) => !needs || document.querySelector(needs));
  const view = html`
    <h3 id="keys-title">Keys</h3>
    <dl class="key-list">${keys.map(([key, words]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${words}</dd></div>`)}</dl>
    <p class="buttons">${button("Close", () => dialog.close(), { class: "quiet" })}</p>
  `;
  render(view, dialog);
  find("page").append(dialog);
  dialog.showModal();
}

// --- What happens to a whole page: another theme, paper, that it is drawn, and that it stays in its place.

export function startPageLife(choices) {
  startKeepingPlace(choices);
  onThemeChange(() => choices.changed("theme"));

  // on paper: light, and everything unfolded
  let folded = [];
  addEventListener("beforeprint", () => {
    theme.printing = true;
    choices.changed("theme");
    choices.changed("print");
    folded = [...document.querySelectorAll("details.fold:not([open])")];
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    theme.printing = false;
    for (const fold of folded) fold.open = false;
    choices.changed("theme");
    choices.changed("print");
  });

  // after two frames everything is drawn
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      document.documentElement.dataset.ready = "";
      performance.mark("actalike-ready");
    }),
  );
}
