// The contexts that activities share, each with its share of events.

import { make } from "../shared/dom.js";
import { sentence } from "./labels.js";
import { contextShareWords, contextWords } from "./words.js";

export const evidenceList = (page, contexts) =>
  make(
    "ul.evidence",
    contexts.map((context) =>
      make("li", sentence(page, contextWords(context)), " ", make("span.muted", contextShareWords(context))),
    ),
  );
