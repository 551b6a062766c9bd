// The panel: which activities are most likely the same step as the selected one, and why.

import { button, find, foreignText, say, shareBar, slashLeadsTo } from "../shared/dom.js";
import { labelElement, secondName } from "../shared/labels.js";
import { counted, matches, percent, similarityText, thousands } from "../shared/texts.js";
import { html, render } from "../vendor/preact.js";
import { compareGroups, isComparing } from "./compare_view.js";
import {
  argumentList,
  badge,
  evidenceList,
  groupOfBoth,
  INTERVAL_TITLE,
  intervalWords,
  pairVerdict,
  reasonList,
  reasonSum,
  shareList,
} from "./labels.js";
import { pickGroup, revealProposal } from "./proposals.js";

const FOUND = 6; // activities to compare with

export function startPanel(/** @type {ReportPage} */ page) {
  const { choices } = page;
  const show = () => {
    document.body.classList.toggle("with-panel", choices.selected !== null);
    find("panel").hidden = choices.selected === null;
    render(choices.selected === null ? null : panel(page), find("panel"));
  };
  choices.watch("theme decisions open", show);
  choices.watch("selection", () => {
    page.wanted = ""; // what was typed to find an activity to compare with
    show();
    if (choices.selected === null) return;
    find("panel").scrollTop = 0;
    if (choices.toPanel) find("panel-title").focus({ preventScroll: true });
    else say(`${page.data.name(choices.selected)} is shown in the panel`);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (isComparing() || key !== "Escape" || choices.selected === null) return; // the key closes the comparison
    if (!document.querySelector("dialog[open]") && document.activeElement !== find("search")) closePanel(choices);
  });
}

function closePanel(choices) {
  const origin = choices.unselect();
  if (origin?.isConnected) origin.focus({ preventScroll: true });
}

function panel(/** @type {ReportPage} */ page) {
  const { data, choices } = page;
  const i = choices.selected;
  const others = data.neighbours[i].map(([j]) => j);
  const compared = choices.other !== null && !others.includes(choices.other) ? [choices.other] : [];
  const second = data.secondName(i);
  const [events, cases] = [data.counts[i], data.cases[i]];
  const found = () => html`
    ${compareWith(page, i)}
    <h3>${compared.length ? "Compared with, and likeliest" : "Most likely the same step"}</h3>
    <ol class="neighbours">${[...compared, ...others].map((j) => neighbourItem(page, i, j, j === (choices.other ?? others[0])))}</ol>
  `;
  return html`
    <div class="panel-head">
      <p class="eyebrow">Activity</p>
      ${button("×", () => closePanel(choices), { class: "close", "aria-label": "Close the panel" })}
    </div>
    <h2 id="panel-title" tabindex="-1">${foreignText(data.name(i))}${second !== null && secondName(second)}</h2>
    <p class="panel-facts">
      ${counted(events, "event", "events")} (${percent(events / data.facts.events)}) in ${counted(cases, "case", "cases")}${" "}
      (${percent(cases / data.facts.cases)}); median position ${data.positions[i][0].toFixed(2)}
    </p>
    <p class="panel-group" id="panel-group">${ownGroup(page, i)}</p>
    ${others.length ? found() : html`<p>There is no other activity to compare it with.</p>`}
    <p class="muted note">${remark(data)}</p>
  `;
}

// Which group the activity is in, and a way into another one.
function ownGroup(/** @type {ReportPage} */ page, i) {
  const { data, choices } = page;
  const group = choices.groupOf[i] ?? choices.otherOf[i];
  const isIn = group && choices.isAccepted(group);
  const others = group?.members.filter((j) => j !== i) ?? [];
  const move = () => pickGroup(page, data.labels[i], isIn ? group.id : null);
  const link = (/** @type {ShownGroup} */ own) => html`
    ${badge(own)}
    <a href=${`#proposal-${own.id}`} onclick=${() => revealProposal(page, own)}>In a group of ${own.decided.members.length}: ${own.relation}</a>
    ${others.length > 1 && button("Compare with the others", () => compareGroups(page, [i], others))}
  `;
  return [group && link(group), button(isIn ? "Move to another group …" : "Put into a group …", move)];
}

const remark = (data) =>
  `The percentage at the right is the probability that the two are one step. Whether two labels that are only interchangeable in the flow are one step, behaviour cannot tell. Similarities are those of ${data.method}. ${data.words.intervals} Shares of events: in how many of its events each of the two has these neighbours, the smaller share first.`;

// A field to find any other activity, and to compare the selected one with it.
function compareWith(/** @type {ReportPage} */ page, i) {
  const { data, choices } = page;
  const found = matches(data.labels, page.wanted).filter((j) => j !== i);
  const compare = (j) => compareGroups(page, [i], [j]);
  const type = ({ target }) => {
    page.wanted = target.value;
    choices.changed("open");
  };
  const rest =
    found.length > FOUND
      ? `and ${thousands(found.length - FOUND)} more`
      : !found.length && page.wanted.trim() && "No other activity has this in its label.";
  return html`
    <div class="compare-with">
      <input type="text" placeholder="Compare with …" aria-label="Compare with another activity: a part of its label" autocomplete="off"
        spellcheck=${false} value=${page.wanted} oninput=${type} onkeydown=${({ key }) => key === "Enter" && found.length && compare(found[0])} />
      <ul>
        ${found.slice(0, FOUND).map((j) => html`<li>${button(labelElement(data, j), () => compare(j), { class: "" })}</li>`)}
        ${rest && html`<li class="muted">${rest}</li>`}
      </ul>
    </div>
  `;
}

function neighbourItem(/** @type {ReportPage} */ page, i, j, isFirst) {
  const { data, choices } = page;
  const interval = data.interval(i, j);
  const relation = groupOfBoth(data, i, j)?.relation ?? null;
  const key = `neighbour ${i} ${j}`;
  const isOpen = isFirst !== choices.open.has(key); // the first one is open until somebody closes it
  const similarity = data.similarity(i, j);
  const words = () => `similarity ${similarityText(similarity)}${interval ? ` (${intervalWords(interval)})` : ""}`;
  return html`
    <li class=${j === choices.other ? "neighbour compared" : "neighbour"} key=${key}>
      <button type="button" class="neighbour-head" aria-expanded=${String(isOpen)} onclick=${() => choices.unfold(key, !choices.open.has(key))}>
        <span class="neighbour-name">${labelElement(data, j)}</span>
        <b title="the probability that the two are one step">${data.shortVerdict(relation, data.probability(i, j))}</b>
        ${shareBar(data.overlap(i, j))}
        <span class="overlap">${data.verdicts.overlap.replace("{}", percent(data.overlap(i, j)))}</span>
        ${similarity !== undefined && html`<span class="muted interval" title=${interval && INTERVAL_TITLE}>${words()}</span>`}
      </button>
      ${isOpen && html`<div class="why">${whyContent(page, i, j)}</div>`}
    </li>
  `;
}

function whyContent(/** @type {ReportPage} */ page, i, j) {
  const { data, choices } = page;
  const why = data.explanation(i, j);
  const compare = html`<p class="compare-open">${button("Compare side by side", () => compareGroups(page, [i], [j]))}</p>`;
  const onwards = html`
    <p class="onwards">${button(["Go to ", labelElement(data, j)], (event) => choices.select(j, i, event))}</p>
  `;
  if (!why)
    return html`
      ${compare}
      <p class="muted">The page has the reasons of the likeliest pairs only. For this one: </p>
      <code>actalike explain LOG A B</code>
      ${onwards}
    `;
  const group = groupOfBoth(data, i, j);
  const isAll = group?.members.length === 2; // its witnesses and cautions are those of the two
  const shared = () => html`<h4>What they share</h4>${evidenceList(page, why.contexts)}`;
  return html`
    <h4>${pairVerdict(page, i, j)}</h4>
    ${compare}
    ${isAll ? argumentList(page, group.shown) : reasonList(page, why.reasons)}
    ${reasonSum(page, why)}
    ${why.contexts.length ? shared() : html`<p class="muted">They have no neighbour in common.</p>`}
    ${why.shares.length > 0 && exactShares(page, why.similarity, why.shares)}
    ${onwards}
  `;
}

function exactShares(/** @type {ReportPage} */ page, similarity, shares) {
  const whole = Math.abs(similarity) || 1;
  const exactly = (share) => `${(share * 100).toFixed(Math.abs(share) < 0.0995 ? 1 : 0)} %`;
  const rows = shares.map(([share, sentence]) => [exactly(share / whole), sentence]);
  const rest = 1 - shares.reduce((sum, [share]) => sum + share / whole, 0);
  return html`
    <details class="exactly">
      <summary>What the similarity of ${similarityText(similarity)} is made of, exactly</summary>
      ${shareList(page, rows, [exactly(rest), "all other shares together"], "muted")}
    </details>
  `;
}

// --- Finding an activity by a part of its label.

const SHOWN = 12;

export function startSearch(/** @type {ReportPage} */ { data, choices }) {
  const input = find("search");
  const list = find("search-found");
  let results = [];
  let active = -1;

  const show = () => {
    const option = (i, k) => {
      const pick = (event) => {
        event.preventDefault();
        choose(k, null);
      };
      return html`
        <li role="option" id=${`found-${k}`} aria-selected=${String(k === active)} onpointerdown=${pick}>
          ${labelElement(data, i)}<span class="count">${thousands(data.counts[i])}</span>
        </li>
      `;
    };
    const rest =
      results.length > SHOWN
        ? `and ${thousands(results.length - SHOWN)} more`
        : !results.length && `No activity${data.left_out ? " that this page draws" : ""} has this in its label or second name.`;
    const last = rest && html`<li class="muted" role="presentation">${rest}</li>`;
    render([...results.slice(0, SHOWN).map(option), last], list);
    list.hidden = !input.value.trim() || document.activeElement !== input;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (active >= 0) input.setAttribute("aria-activedescendant", `found-${active}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const search = () => {
    results = matches(data.labels, input.value, data.names);
    active = results.length ? 0 : -1;
    choices.query = input.value;
    show();
    choices.changed("query");
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const clear = () => {
    input.value = "";
    search();
    close();
  };
  const choose = (k, event) => {
    const i = results[k];
    clear();
    choices.select(i, null, event);
  };
  input.addEventListener("input", search);
  input.addEventListener("focus", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const shown = Math.min(results.length, SHOWN);
    if (event.key === "ArrowDown" && shown) active = (active + 1) % shown;
    else if (event.key === "ArrowUp" && shown) active = (active + shown - 1) % shown;
    else if (event.key === "Enter" && active >= 0) choose(active, event);
    else if (event.key === "Escape" && input.value) clear();
    else return;
    event.preventDefault();
    if (event.key.startsWith("Arrow")) show();
  });
  slashLeadsTo(input);
}
