// The page of two logs, put together: the data is unpacked here and handed to every section, with what the reader has chosen.

import { FrequencyFilter } from "../shared/controls.js";
import { readContent } from "../shared/decision_file.js";
import { find, pageData, slashLeadsTo } from "../shared/dom.js";
import { startPageLife, startReviewKeys, undoByKeyboard } from "../shared/page_life.js";
import { startAnswer, startChanges } from "./answer.js";
import { TwoLogChoices } from "./choices.js";
import { TwoLogs } from "./data.js";
import { startFlows } from "./flows.js";
import { startVocabularies } from "./rows.js";
import { startToolbar, twoLogSession } from "./toolbar.js";

const data = new TwoLogs(pageData());
const choices = new TwoLogChoices(data, data.decisions ? readContent(data.decisions, 2) : undefined);
const cases = data.sides.flatMap((log) => log.cases);
const filter = new FrequencyFilter({ cases, size: cases.length, thin_cases: data.thin_cases }, choices);
const page = { data, choices, filter };
const session = twoLogSession(page);
session.open();

startAnswer(page);
startToolbar(page, session);
startVocabularies(page);
startFlows(page);
startChanges(page);
undoByKeyboard(choices);
startReviewKeys(choices, "step-list");
slashLeadsTo(find("search"));
choices.showAll();
choices.watch("decisions", () => session.keep()); // from the first change on
addEventListener("storage", (event) => session.follow(event));
startPageLife(choices);
