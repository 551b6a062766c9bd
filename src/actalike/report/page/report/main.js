// The report, put together: the data is unpacked here and handed to every section, with what the reader has chosen.

import { find, pageData } from "../shared/dom.js";
import { onThemeChange, theme } from "../shared/theme.js";
import { startAnswer } from "./answer.js";
import { Choices } from "./choices.js";
import { ReportData } from "./data.js";
import { readContent } from "./decision_file.js";
import { startFlow } from "./flow.js";
import { knownLogsFigure, zipfFigure } from "./frequencies.js";
import { FrequencyFilter } from "./frequency_filter.js";
import { ActivityMap } from "./map.js";
import { Matrix } from "./matrix.js";
import { startPanel } from "./panel.js";
import { startPositions } from "./positions.js";
import { startProposals } from "./proposals.js";
import { startRelabelling } from "./relabelling.js";
import { startSearch } from "./search.js";
import { Session } from "./session.js";
import { TimeView } from "./time_view.js";
import { startLogNote, startToolbar, undoByKeyboard } from "./toolbar.js";
import { startUnderstood } from "./understood.js";

const data = new ReportData(pageData());
const choices = new Choices(data, () => theme.isDark, data.decisions ? readContent(data.decisions) : undefined);
const page = { data, choices, filter: new FrequencyFilter(data, choices) };
const session = new Session(page);
session.open();

startAnswer(page);
startUnderstood(page);
startProposals(page);
startToolbar(page, session);
startLogNote(page);
startRelabelling(page);
undoByKeyboard(page);
startFlow(page);
new ActivityMap(page).start();
new Matrix(page).start();
new TimeView(page).start();
startPositions(page);
find("zipf").append(...zipfFigure(page));
find("known").append(...knownLogsFigure(page));
startPanel(page);
startSearch(page);
choices.showAll();
choices.watch("decisions", () => session.keep()); // from the first change on
addEventListener("storage", (event) => session.follow(event));
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
