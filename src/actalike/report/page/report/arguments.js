// Why a group or a pair has its verdict: lines with their signs, the contexts in common, and the log-odds that sum to the probability.

import { make } from "../shared/dom.js";
import { percent } from "../shared/formats.js";
import { activityButton, said } from "./labels.js";

const SHOWN = 5; // reasons of a pair
const WEIGHTY = 0.5; // log-odds: what weighs less is told only where all reasons are

// The proposal that two activities are both in, if there is one.
export const groupOfBoth = ({ groups }, i, j) => groups.find(({ members }) => members.includes(i) && members.includes(j));

// What is said of two activities: how their group is related, or how likely they are one step.
export const pairVerdict = ({ data }, i, j) => data.verdict(groupOfBoth(data, i, j)?.relation ?? null, data.probability(i, j));

const line = (page, sign, sentence) =>
  make(
    sign === "+" ? "li.for" : "li.against",
    make("span.sign", { "aria-label": sign === "+" ? "for:" : "against:", role: "img" }, sign === "+" ? "+" : "\u2212"),
    make("span", said(page, sentence)),
  );

// Lines of a group, as Python has chosen them.
export const argumentList = (page, lines) =>
  make(
    "ul.reasons",
    lines.map(([sign, sentence]) => line(page, sign, sentence)),
  );

// The weightiest reasons of two activities.
export function reasonList(page, reasons) {
  const told = reasons.filter(({ logOdds, sentence }) => Math.abs(logOdds) >= WEIGHTY && !page.data.isUntold.has(sentence));
  return argumentList(
    page,
    told.slice(0, SHOWN).map(({ logOdds, sentence }) => [logOdds > 0 ? "+" : "-", sentence]),
  );
}

export const evidenceList = (page, contexts) =>
  make(
    "ul.evidence",
    contexts.map(([sentence, shares]) =>
      make(
        "li",
        said(page, sentence, (i) => activityButton(page, i)),
        " ",
        make("span.muted", shares),
      ),
    ),
  );

// Log-odds with their sign.
const signed = (logOdds) => `${logOdds < 0 ? "\u2212" : "+"}${Math.abs(logOdds).toFixed(1)}`;

// All reasons with their log-odds, folded.
export function reasonSum(page, { reasons, members }) {
  const total = reasons.reduce((sum, { logOdds }) => sum + logOdds, 0);
  const isPair = (members?.length ?? 2) === 2; // the mean log-odds of more pairs are not those of their mean probability
  return make(
    "details.fold.sum",
    make("summary", isPair ? "What the probability is made of" : "What the probability of two members is made of, on average"),
    make(
      "ul.shares",
      reasons.map(({ logOdds, sentence }) => make("li", make("b", signed(logOdds)), make("span", said(page, sentence)))),
      make(
        "li.total",
        make("b", signed(total)),
        make("span", isPair ? `sum: a probability of ${percent(1 / (1 + Math.exp(-total)))}` : "sum"),
      ),
    ),
  );
}
