// Reasons as lists: the few that carry a result, each with its sign, and all of them with the log-odds that sum to it.

import { make } from "../shared/dom.js";
import { percent } from "../shared/formats.js";
import { sentence } from "./labels.js";
import {
  likelyWords,
  mainReasons,
  NO_WITNESS,
  probabilityOf,
  reasonWords,
  signed,
  verdictWords,
  witnessWords,
} from "./reasons.js";
import { cautionWords } from "./words.js";

// The proposal that two activities are both in, if there is one.
export const groupOfBoth = ({ groups }, i, j) => groups.find(({ members }) => members.includes(i) && members.includes(j));

// What is said of two activities: how their group is related, or how likely they are one step.
export function pairVerdict({ data }, i, j) {
  const group = groupOfBoth(data, i, j);
  return group ? verdictWords(group.relation, data.probability(i, j)) : likelyWords(data.probability(i, j));
}

const line = (isFor, content) =>
  make(
    "li",
    { class: isFor ? "for" : "against" },
    make("span.sign", { "aria-label": isFor ? "for:" : "against:", role: "img" }, isFor ? "+" : "\u2212"),
    make("span", content),
  );

// The weightiest reasons, the witnesses and the cautions of a group, or the reasons of two activities.
export function reasonList(page, { relation, reasons, witnesses = [], cautions = [], members }) {
  const size = members?.length ?? 2;
  return make(
    "ul.reasons",
    mainReasons(reasons, witnesses).map((reason) => line(reason.logOdds > 0, reasonWords(reason, size))),
    witnesses.map((witness) => line(true, sentence(page, witnessWords(witness, size)))),
    relation === "alternatives" && !witnesses.length ? line(false, NO_WITNESS) : null,
    cautions.map((caution) => line(false, sentence(page, cautionWords(caution, page.data)))),
  );
}

// All reasons with their log-odds, folded.
export function reasonSum({ reasons, members }) {
  const size = members?.length ?? 2;
  const total = reasons.reduce((sum, { logOdds }) => sum + logOdds, 0);
  // the mean log-odds of a group's pairs are not those of their mean probability, so no probability is said of them
  const isPair = size === 2;
  return make(
    "details.fold.sum",
    make("summary", isPair ? "What the probability is made of" : "What the probability of two members is made of, on average"),
    make(
      "ul.shares",
      reasons.map((reason) => make("li", make("b", signed(reason.logOdds)), make("span", reasonWords(reason, size)))),
      make(
        "li.total",
        make("b", signed(total)),
        make("span", isPair ? `sum: a probability of ${percent(probabilityOf(reasons))}` : "sum"),
      ),
    ),
  );
}
