// The page, put together.

startAnswer();
startProposals();
startFlow();
new ActivityMap();
new Matrix().look(null);
watch("selection boldness theme", showPositions);
find("zipf").append(...zipf());
find("known").append(...known());
startPanel();
startSearch();
for (const { act } of watchers) act();
dark.addEventListener("change", () => changed("theme"));

// on paper: light, and everything unfolded
let folded = [];
addEventListener("beforeprint", () => {
  printing = true;
  changed("theme");
  changed("print");
  folded = [...document.querySelectorAll("details.fold:not([open])")];
  for (const fold of folded) fold.open = true;
});
addEventListener("afterprint", () => {
  printing = false;
  for (const fold of folded) fold.open = false;
  changed("theme");
  changed("print");
});

requestAnimationFrame(() =>
  requestAnimationFrame(() => {
    // everything is drawn
    document.documentElement.dataset.ready = "yes";
    performance.mark("actalike-ready");
  }),
);
