// What happens to a whole page: another theme, paper, that it is drawn, and that it stays in its place.

import { startKeepingPlace } from "./keep_place.js";
import { onThemeChange, theme } from "./theme.js";

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
