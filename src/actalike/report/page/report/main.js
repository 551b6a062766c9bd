// The report, put together: the data is unpacked here and handed to every section, with what the reader has chosen.

import { FrequencyFilter } from "../shared/controls.js";
import { readContent } from "../shared/decision_file.js";
import { find, pageData, theme } from "../shared/dom.js";
import { startPageLife, startReviewKeys, undoByKeyboard } from "../shared/page_life.js";
import { startAnswer } from "./answer.js";
import { Choices } from "./choices.js";
import { ReportData } from "./data.js";
import { startFlow } from "./flow.js";
import { ActivityMap } from "./map.js";
import { startOddCases } from "./odd.js";
import { startPanel, startSearch } from "./panel.js";
import { startProposals } from "./proposals.js";
import { TimeView } from "./time.js";
import { reportSession, startToolbar } from "./toolbar.js";

const data = new ReportData(pageData());
const choices = new Choices(data, () => theme.isDark, data.decisions ? readContent(data.decisions, 1) : undefined);
const page = { data, choices, filter: new FrequencyFilter(data, choices), wanted: "" };
const session = reportSession(page);
session.open();

startAnswer(page);
startProposals(page);
startToolbar(page, session);
undoByKeyboard(choices);
startReviewKeys(choices, "proposal-list");
startFlow(page);
if (data.odd) {
  new TimeView(page).start();
  startOddCases(page);
} else leaveOut("time", "odd");
startPanel(page);
startSearch(page);
choices.showAll();
// what few readers open is built when they do
find("views").addEventListener("toggle", () => choices.showLater(() => new ActivityMap(page).start()), { once: true });
choices.watch("decisions", () => session.keep()); // from the first change on
addEventListener("storage", (event) => session.follow(event));
startPageLife(choices);

// A page that was made of variants has no events, and no sections that need them.
function leaveOut(...sections) {
  for (const id of sections) {
    find(id).remove();
    document.querySelector(`a[href="#${id}"]`)?.remove();
  }
}
