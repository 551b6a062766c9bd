// The directly-follows graph, as it is and with the accepted groups merged. Only the most frequent arrows are drawn.

import { addArrowsSlider } from "../shared/arrows_slider.js";
import { fill, find, make } from "../shared/dom.js";
import { counted, percent, thousands } from "../shared/formats.js";
import { frequentPart, partWithShare } from "../shared/graph_parts.js";
import { pictureButtons } from "../shared/picture_files.js";
import { soon } from "../shared/theme.js";
import { flowPicture } from "./flow_picture.js";
import { flowGraph } from "./graph.js";

const SHARE_AT_FIRST = 0.95; // of all steps that the arrows make up

function flowFigure(page, name, whole, shown, total, largeByDefault = false) {
  const { data, choices, filter } = page;
  const { edges, share, connecting } = shown;
  const hidden = data.size - filter.size;
  const all = whole.nodes.length - 2;
  const { picture, width } = flowPicture(page, name, shown);
  const caption = make(
    "figcaption",
    make("b", name),
    ` ${all < total ? `${thousands(all)} of ` : ""}${counted(total, "activity", "activities")}, ${counted(whole.edges.length, "arrow", "arrows")}. Drawn: ${counted(edges.length, "arrow", "arrows")}${connecting ? ` (${thousands(edges.length - connecting)} most frequent, ${thousands(connecting)} that connect them with start and end)` : ""}, `,
    make("b", percent(share)),
    " of all steps.",
    data.left_out ? ` Counts are those of the ${thousands(data.size)} most frequent labels only.` : "",
    hidden
      ? ` Left out: ${counted(hidden, "label", "labels")} in fewer than ${counted(filter.leastCases, "case", "cases")}, with the arrows from and to them.`
      : "",
  );
  const large = choices.large.get(name) ?? (largeByDefault || width > 860);
  const figure = make("figure", { class: large ? "flow large" : "flow" });
  const enlarge = make(
    "button.quiet.small",
    {
      "aria-pressed": String(large),
      onclick: () => {
        choices.large.set(name, figure.classList.toggle("large"));
        enlarge.setAttribute("aria-pressed", String(choices.large.get(name)));
      },
    },
    "Full width",
  );
  caption.prepend(
    make(
      "span.flow-buttons",
      enlarge,
      pictureButtons(data.title, `Flow ${name.toLowerCase()}`, () => picture),
    ),
  );
  return fill(figure, {}, [
    caption,
    make("div.scroll", { tabindex: 0, role: "region", "aria-label": `Flow ${name.toLowerCase()}, can be scrolled` }, picture),
  ]);
}

function showFlow(page) {
  const { data, choices, filter } = page;
  const isShown = (i) => filter.isShown(i);
  const whole = flowGraph(data, choices, new Array(data.size).fill(null), isShown);
  const shown = frequentPart(whole, choices.arrows);
  const before = flowFigure(page, "Before", whole, shown, data.facts.activities);
  if (data.size < 2) {
    putInPlace([before]);
    return;
  }
  const mergedInto = choices.mapping();
  const merged = flowGraph(data, choices, mergedInto, isShown);
  const isSmall = merged.edges.length <= choices.arrows; // then the same share may be a single arrow, of a picture with room for all
  const mergedPart = isSmall ? frequentPart(merged, merged.edges.length) : partWithShare(merged, shown.share);
  const after = mergedInto.some(Boolean)
    ? flowFigure(page, "After", merged, mergedPart, choices.activitiesLeft(), before.classList.contains("large"))
    : make("figure.flow", make("figcaption", make("b", "After"), " Accept a group above to see the flow become simpler."));
  putInPlace([before, after]);
}

// Shows figures. One that is wider than its frame begins at the start of the process, later where the reader has scrolled to.
function putInPlace(figures) {
  const places = [...find("flows").querySelectorAll(".scroll")].map((frame) => frame.scrollLeft);
  find("flows").replaceChildren(...figures);
  [...find("flows").querySelectorAll(".scroll")].forEach((frame, k) => {
    const room = frame.scrollWidth - frame.clientWidth;
    if (room < 2) return;
    frame.previousSibling.append(make("span.scrolls", " It is wider than this page: scroll sideways."));
    const start = frame.querySelector('[data-end="start"]').getBoundingClientRect();
    const middle = start.left + start.width / 2 - frame.getBoundingClientRect().left;
    frame.scrollLeft = places[k] || middle - frame.clientWidth / 2;
  });
}

export function startFlow(page) {
  const { data, choices } = page;
  const whole = flowGraph(data, choices, new Array(data.size).fill(null));
  addArrowsSlider(
    choices,
    whole,
    SHARE_AT_FIRST,
    (arrows) =>
      `Before: the ${arrows}, and those that connect them with start and end. After: as few as show at least the same share of steps, or all if they are no more.`,
  );
  page.filter.addTo("flow");
  choices.watch(
    "pictures arrows theme filter",
    soon(() => showFlow(page)),
  );
}
