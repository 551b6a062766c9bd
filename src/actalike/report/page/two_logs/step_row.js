// A row of the vocabularies: the labels of A, the links with their probabilities, the labels of B; what can be decided; and why.

import { draw, make, say } from "../shared/dom.js";
import { percent, thousands } from "../shared/formats.js";
import { labelText, shownLabel } from "../shared/label_texts.js";
import { noteField } from "../shared/note_field.js";
import { widthOf } from "../shared/text_width.js";
import { hideTip, showTip } from "../shared/tip.js";
import { button, labelElement, sentence } from "./label_parts.js";
import { accept, addPartner, confirm, nameLinks, reject, setNote, takeBack } from "./links.js";
import { linkWords, reasonWords } from "./match_words.js";
import { pickPartner } from "./pick_partner.js";

const TIP_REASONS = 3;
const DECIDED = { accepted: "Accepted", rejected: "Rejected" };
const ROOM = 44; // pixels of a label's line in the middle column

// What an element of the list depends on beside its notes.
export const rowKey = ({ choices }, { key, links }) =>
  JSON.stringify([key, choices.open.has(key), links.map(({ link: { a, b, decision, by } }) => [a, b, decision, by])]);

// The element of a step, and a function that brings its notes up to date.
export function stepRow(page, step) {
  const { data, choices } = page;
  const { key, links } = step;
  const isOpen = choices.open.has(key);
  const [first] = links;
  const names = `${data.sides[0].name(step.a[0])} and ${data.sides[1].name(step.b[0])}`;
  const toggle = (decision, words) => {
    const isOn = links.every(({ link }) => link.decision === decision);
    const isOwn = isOn && links.every(({ link }) => link.by === "person");
    const act = () => {
      const isOpen = decision === "accepted" && step.decision === "undecided";
      const decide = isOwn ? takeBack : isOn ? confirm : decision === "rejected" ? reject : accept;
      const each = () => links.reduce((state, { link }) => decide(state, link.a, link.b), choices.state);
      choices.apply(isOpen ? choices.accepting([step]) : each());
      say(`${names}: ${isOwn ? "undecided" : `${decision} by you`}`);
    };
    const mark = isOwn ? make("span", { "aria-hidden": "true" }, "✓ ") : null;
    return button([mark, words], act, {
      class: `quiet small${isOn ? " on" : ""}${isOwn ? " own" : ""}`,
      title: isOwn ? `${DECIDED[decision]} by you: press to take it back` : isOn ? "By actalike: press to confirm it" : null,
      "aria-pressed": String(isOn),
      "aria-label": `${words} ${names}`,
      "data-focus": `${key} ${decision}`,
    });
  };
  const why = button(
    "Why?",
    () => {
      if (isOpen) choices.open.delete(key);
      else choices.open.add(key);
      choices.changed("open");
    },
    { "aria-expanded": String(isOpen), "aria-label": `Why ${names}? And other partners`, "data-focus": `${key} why` },
  );
  const notes = links.map(({ link }) =>
    noteField(`Note on ${link.a} = ${link.b}`, `${key} note ${link.a} ${link.b}`, (text) =>
      choices.apply(setNote(choices.state, link.a, link.b, text), `note ${link.a} ${link.b}`),
    ),
  );
  const element = make(
    "li",
    {
      class: `step ${step.decision}`,
      "data-card": key,
      onpointermove: (event) => event.target.closest(".link-picture") && tip(page, first, event),
      onpointerleave: hideTip,
    },
    make(
      "div.step-side",
      step.a.map((i) => labelLine(data.sides[0], i)),
    ),
    linkPicture(page, step),
    make("p.paper-only.link-printed", { "aria-hidden": "true" }, printedLinks(page, step)),
    make(
      "div.step-side",
      step.b.map((j) => labelLine(data.sides[1], j)),
    ),
    make(
      "div.decide",
      { role: "group", "aria-label": `Decide about ${names}` },
      toggle("accepted", "Accept"),
      toggle("rejected", "Reject"),
      why,
    ),
    nameChoice(page, step),
    isOpen ? details(page, step) : null,
    notes.map((note) => note.element),
  );
  const refresh = () => {
    links.forEach(({ link }, k) => {
      const now = choices.state.links.find((one) => one.a === link.a && one.b === link.b);
      notes[k].set(now?.note ?? "");
      if (isOpen) notes[k].element.hidden = false;
    });
  };
  refresh();
  return { element, refresh };
}

// Of a label of B with several partners: which of their names it gets; buttons to choose one, if a person has accepted several.
function nameChoice({ data, choices }, step) {
  if (step.decision !== "accepted" || step.a.length < 2) return null;
  const [a, b] = data.sides;
  const [j] = step.b;
  const { named, unclear } = nameLinks(choices.state, 0);
  if (!unclear.has(b.labels[j])) {
    const name = labelText(shownLabel(named.get(b.labels[j]).a));
    return make("p.step-named.muted.small", labelElement(b, j), " becomes ", name, " in the words of A.");
  }
  const only = (i) =>
    button(["Only ", labelElement(a, i)], () => {
      choices.apply(accept(choices.state, a.labels[i], b.labels[j]));
      say(`${b.name(j)} is ${a.name(i)} only`);
    });
  const words = " of log B can get one name only, and you have accepted several partners. Choose one before you relabel log B:";
  const chosen = step.a.map((i) => [" ", only(i)]);
  return make("div.step-named.caution", make("span", labelElement(b, j), words, chosen.flat()));
}

function labelLine(log, i) {
  return make(
    "p.step-label",
    make("span.unseen", `Log ${log.letter}: `),
    labelElement(log, i),
    make("span.count", { title: "events, cases" }, `${thousands(log.counts[i])}`),
  );
}

// Lines between partners, as wide and dark as they are sure, with the probability on them.
function linkPicture({ data }, step) {
  const lines = Math.max(step.a.length, step.b.length);
  const height = lines * ROOM;
  const at = (some, i) => ((some.indexOf(i) + 0.5) / some.length) * height;
  const picture = draw("svg", { viewBox: `0 0 120 ${height}`, width: 120, height, class: "link-picture", role: "img" });
  const words = step.links.map(({ link, i, j, probability }) => {
    const [from, to] = [at(step.a, i), at(step.b, j)];
    const sure = probability ?? (link.decision === "accepted" ? 1 : 0.3);
    picture.append(
      draw("path", {
        class: `link ${link.decision}`,
        d: `M2,${from}C50,${from} 70,${to} 118,${to}`,
        "stroke-width": (1 + 5 * sure).toFixed(1),
        "stroke-opacity": (0.25 + 0.75 * sure).toFixed(2),
      }),
    );
    return [
      probability,
      step.a.length > 1 ? from * 0.7 + to * 0.3 : from * 0.3 + to * 0.7,
      linkWords(link, probability, data.known.has(data.key(i, j))),
    ];
  });
  for (const [probability, y] of words) {
    const text = probability === null ? "by hand" : percent(probability);
    const wide = widthOf(text, 11.5, 600) + 10;
    picture.append(
      draw("rect.link-back", { x: 60 - wide / 2, y: y - 9, width: wide, height: 18, rx: 5 }),
      draw("text.link-text", { x: 60, y: y + 4 }, text),
    );
  }
  picture.setAttribute("aria-label", words.map(([, , text]) => text).join("; "));
  return picture;
}

// How sure the links are, for paper: there a row is a line.
function printedLinks({ data }, { decision, links }) {
  const sure = links.map(({ link, i, j, probability }) => {
    if (decision === "accepted" && link.by === "person") return "yours";
    return probability === null ? "by hand" : data.known.has(data.key(i, j)) ? "known" : percent(probability);
  });
  return `${[...new Set(sure)].join(", ")}${decision === "undecided" ? "?" : ""}`;
}

const reasonElements = (page, term) => {
  const [a, b] = page.data.sides;
  return sentence(
    page,
    reasonWords(term, (x, y) => x >= 0 && y >= 0 && a.labels[x] === b.labels[y]),
  );
};

// The strongest reasons beside the pointer.
function tip(page, { i, j }, event) {
  const terms = page.data.reasons(i, j)?.slice(0, TIP_REASONS) ?? [];
  if (!terms.length) return hideTip();
  showTip(
    event.clientX,
    event.clientY,
    terms.map((term) => make("div", percent(term[0]), " ", reasonElements(page, term))),
  );
}

// Why the labels are taken for one step, and which other partners they might have.
function details(page, step) {
  return make(
    "div.step-details",
    step.links.map(({ link, i, j, probability }) => reasonBlock(page, { link, i, j, probability }, step.links.length > 1)),
    make(
      "div.step-others",
      [0, 1].map((side) => (side ? step.b : step.a).map((i) => otherPartners(page, side, i, side ? step.a : step.b))),
    ),
  );
}

function reasonBlock(page, { link, i, j, probability }, isNamed) {
  const { data } = page;
  const terms = data.reasons(i, j);
  const said = linkWords(link, probability, data.known.has(data.key(i, j)));
  return make(
    "div",
    make(
      "p.verdict",
      isNamed ? [labelElement(data.sides[0], i), " = ", labelElement(data.sides[1], j), ": "] : null,
      make("b", said),
    ),
    terms?.length
      ? make(
          "ul.shares",
          terms.map((term) => make("li", make("b", percent(term[0])), make("span", reasonElements(page, term)))),
        )
      : make(
          "p.muted",
          "The page has no reasons for this pair, because it is not among the likeliest, or the logs are too large: actalike match A B --explain says why.",
        ),
    terms?.length ? make("p.muted.small", "Shares of the score; the rest are smaller terms.") : null,
  );
}

// The other candidates of a label, each with a button, and what else can be decided about it.
export function otherPartners(page, side, i, present) {
  const { data, choices } = page;
  const [own, other] = [data.sides[side], data.sides[1 - side]];
  const candidates = data.candidates[side][i].filter(([j]) => !present.includes(j));
  const find = present.length ? "Another partner, or none…" : "Find a partner…";
  const focusKey = (what) => JSON.stringify([what, own.letter, own.labels[i]]);
  const choose = (j, more = false) => {
    const [label, partner] = [own.labels[i], other.labels[j]];
    const [a, b] = side === 0 ? [label, partner] : [partner, label];
    if (present.length) choices.open.add(JSON.stringify([a, b])); // the row was unfolded, and stays so
    choices.apply(more ? addPartner(choices.state, side, label, partner) : accept(choices.state, a, b));
    say(`${own.name(i)} and ${other.name(j)} are the same step now`);
  };
  return make(
    "div.step-candidates",
    make("h4", present.length ? "Other candidates for " : "Candidates for ", labelElement(own, i), ` of log ${own.letter}`),
    candidates.length
      ? make(
          "ul.shares",
          candidates.map(([j, probability]) =>
            make(
              "li",
              make("b", percent(probability)),
              make(
                "span",
                labelElement(other, j),
                " ",
                button("Choose", () => choose(j), {
                  "aria-label": `Choose ${other.name(j)} as the partner of ${own.name(i)}`,
                  "data-focus": focusKey(j),
                }),
              ),
            ),
          ),
        )
      : make("p.muted", "None that is likely."),
    make(
      "p.buttons",
      button(find, () => pickPartner(page, side, i, choose), {
        "aria-label": `${find} for ${own.name(i)}`,
        "data-focus": focusKey("find"),
      }),
      present.length
        ? button("One more partner…", () => pickPartner(page, side, i, choose, true), {
            "aria-label": `One more partner… for ${own.name(i)}`,
            "data-focus": focusKey("more"),
          })
        : null,
    ),
  );
}
