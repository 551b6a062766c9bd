// Picking the partner of a label: from its candidates, or found by typing.

import { make, say } from "../shared/dom.js";
import { percent, thousands } from "../shared/formats.js";
import { matches } from "../shared/matches.js";
import { openDialog } from "../shared/pick_dialog.js";
import { labelElement } from "./label_parts.js";
import { noPartner } from "./links.js";

// Pick the partner of an activity, which is handed to `choose`; `more`: one beside those that it has.
export function pickPartner(page, side, i, choose, more = false) {
  const { data, choices } = page;
  const [own, other] = [data.sides[side], data.sides[1 - side]];
  const label = own.labels[i];
  const stepOf = choices.stepsOf(1 - side);
  const isOwn = (j) => stepOf[j]?.[side ? "b" : "a"].includes(i);
  const option = (j) => {
    const probability = side === 0 ? data.probability(i, j) : data.probability(j, i);
    const remarks = [
      probability === null ? "" : `${percent(probability)} likely`,
      stepOf[j] ? "has a partner now" : "",
      `${thousands(other.counts[j])} events`,
    ];
    return {
      words: [labelElement(other, j), " ", make("span.count", remarks.filter(Boolean).join(", "))],
      act: () => choose(j, more),
    };
  };
  const none = {
    words: `No partner: log ${other.letter} does not have this step`,
    act: () => {
      choices.apply(noPartner(choices.state, side, label));
      say(`${own.name(i)} has no partner`);
    },
  };
  const options = (query) => {
    const likely = data.candidates[side][i].map(([j]) => j);
    const listed = query ? matches(other.labels, query, other.names) : [...new Set([...likely, ...other.labels.keys()])];
    return [...(query || more ? [] : [none]), ...listed.filter((j) => !isOwn(j)).map(option)];
  };
  openDialog({
    title: [more ? "Another partner of " : "The partner of ", labelElement(own, i), ` in log ${other.letter}`],
    hint: `Find a label of log ${other.letter}`,
    options,
  });
}
