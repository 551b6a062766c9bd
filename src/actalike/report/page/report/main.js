// The report, put together: the data is unpacked here and handed to every section, with what the reader has chosen.

import { find, pageData } from "../shared/dom.js";
import { FrequencyFilter } from "../shared/frequency_filter.js";
import { startPageLife } from "../shared/page_life.js";
import { startReviewKeys } from "../shared/review_keys.js";
import { theme } from "../shared/theme.js";
import { showUnderstood } from "../shared/understood.js";
import { undoByKeyboard } from "../shared/undo_keys.js";
import { startAnswer } from "./answer.js";
import { Choices } from "./choices.js";
import { ReportData } from "./data.js";
import { readContent } from "./decision_file.js";
import { startFlow } from "./flow.js";
import { ActivityMap } from "./map.js";
import { Matrix } from "./matrix.js";
import { startOddCases } from "./odd_cases.js";
import { startPanel } from "./panel.js";
import { startPositions } from "./positions.js";
import { startProposals } from "./proposals.js";
import { ReportSession } from "./report_session.js";
import { startSearch } from "./search.js";
import { TimeView } from "./time_view.js";
import { startRelabelling, startToolbar } from "./toolbar.js";

const data = new ReportData(pageData());
const choices = new Choices(data, () => theme.isDark, data.decisions ? readContent(data.decisions) : undefined);
const page = { data, choices, filter: new FrequencyFilter(data, choices) };
const session = new ReportSession(page);
session.open();

startAnswer(page);
showUnderstood(find("understood"), data.reading);
startProposals(page);
startToolbar(page, session);
startRelabelling(page);
undoByKeyboard(choices);
startReviewKeys(choices, "proposal-list");
startFlow(page);
new TimeView(page).start();
startOddCases(page);
startPanel(page);
startSearch(page);
choices.showAll();
find("views").addEventListener("toggle", () => choices.showLater(() => startViews(page)), { once: true });
choices.watch("decisions", () => session.keep()); // from the first change on
addEventListener("storage", (event) => session.follow(event));
startPageLife(choices);

// What few readers open is built when they do.
function startViews(page) {
  new ActivityMap(page).start();
  new Matrix(page).start();
  startPositions(page);
}
