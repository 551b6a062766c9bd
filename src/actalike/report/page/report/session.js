// The working session: what was decided is kept in this browser, saved to a file and loaded from one.

import { download, say } from "../shared/dom.js";
import { fileContent, fileText, MOST_BYTES, readContent, readText } from "./decision_file.js";
import { DecisionStore, fingerprint } from "./decision_store.js";
import { restoredState, startState } from "./decisions.js";
import { notice, shortened, timeWords, unknownWords } from "./notices.js";

async function utf8Text(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error("it is not UTF-8");
  }
}

export class Session {
  constructor(page) {
    const { data } = page;
    this.page = page;
    this.choices = page.choices;
    this.log = { digest: data.digest, name: data.title, activities: data.facts.activities };
    this.base = data.decisions ? fingerprint(JSON.stringify(data.decisions)) : "";
    this.proposalsPrint = fingerprint(JSON.stringify(this.choices.proposals));
    this.store = new DecisionStore(() => localStorage, data.digest);
    this.isPaused = false; // while a question is open: nothing is stored before the answer
    this.hasFailed = false;
  }

  content() {
    return fileContent(this.choices.state, this.log, this.choices.proposals);
  }

  // What is stored in the browser.
  stored() {
    const ids = this.choices.state.groups.map(({ id }) => id);
    return { base: this.base, page: this.proposalsPrint, atLeast: this.choices.state.atLeast, ids, decisions: this.content() };
  }

  // The state that a stored session leads to; as it was if this very page has stored it.
  stateOf(session) {
    const { proposals } = this.choices;
    const decided = readContent(session.decisions);
    const { ids, page, atLeast } = session;
    const isOwn =
      page === this.proposalsPrint &&
      Array.isArray(ids) &&
      ids.length === decided.groups.length &&
      new Set(ids).size === ids.length &&
      ids.every((id) => Number.isInteger(id) && id >= 0) &&
      decided.groups.every(({ by, proposed }) => by === "person" || proposed !== null);
    const least = typeof atLeast === "number" ? atLeast : this.choices.state.atLeast;
    const state = isOwn ? restoredState(proposals, least, decided, ids) : startState(proposals, least, decided);
    const isLinked = state.groups.every(({ by, proposal }) => by === "person" || proposal !== null);
    return isLinked ? state : startState(proposals, least, decided);
  }

  // Begin with what this browser has kept, unless the page was written with other decisions: then the reader is asked.
  open() {
    if (this.page.data.decisions) this.remark(readContent(this.page.data.decisions), []);
    const kept = this.store.read();
    if (!kept) return;
    let state;
    try {
      state = this.stateOf(kept);
    } catch (error) {
      notice(`What this browser has kept for this log cannot be used: ${error.message}.`);
      return;
    }
    const isOther = JSON.stringify(kept.decisions) !== JSON.stringify(this.content());
    if (!isOther) return;
    if (!this.page.data.decisions || kept.base === this.base) {
      this.choices.history.reset(state);
      this.choices.derive();
      return;
    }
    this.ask(
      `This browser has decisions of ${timeWords(kept.saved)} for this log, and this page was written with others.`,
      "Use those of this browser",
      state,
      "Use those of this page",
    );
  }

  // Ask which of two decisions to use; the others are not overwritten before the answer.
  ask(words, useWords, state, keepWords) {
    this.isPaused = true;
    const answered = (act) => () => {
      this.isPaused = false;
      this.question.remove();
      act();
      this.keep(true);
    };
    this.question?.remove();
    this.question = notice(words, [
      [useWords, answered(() => this.choices.apply(state))],
      [keepWords, answered(() => {})],
    ]);
  }

  // Keep what was decided in this browser.
  keep(force = false) {
    if (this.isPaused || this.isFollowing) return;
    const result = this.store.write(this.stored(), force);
    if (result === "failed" && !this.hasFailed) {
      this.hasFailed = true;
      notice(
        "This browser does not keep what you decide here: its storage is missing, full or forbidden. Save the decisions as a file.",
      );
    }
    if (result === "changed") this.askAboutOtherTab();
  }

  // Another tab has written decisions that this one has not seen.
  askAboutOtherTab() {
    const kept = this.store.read();
    if (!kept) return this.keep(true);
    try {
      this.ask(
        `Another tab has changed the decisions for this log (${timeWords(kept.saved)}).`,
        "Use those of the other tab",
        this.stateOf(kept),
        "Keep those of this tab",
      );
    } catch {
      this.keep(true);
    }
  }

  // Show what another tab has just stored; this tab had nothing that was not stored.
  follow(event) {
    if (event.key !== this.store.key || this.isPaused || event.newValue === null) return;
    const kept = this.store.read();
    if (!kept || JSON.stringify(kept.decisions) === JSON.stringify(this.content())) return;
    try {
      this.isFollowing = true; // two pages with different proposals would answer each other for ever
      this.choices.apply(this.stateOf(kept));
      this.followed?.remove();
      this.followed = notice(
        "The decisions were changed in another tab, and are shown here now. Undo brings back what was here.",
      );
    } catch {
      // what cannot be read is not followed
    } finally {
      this.isFollowing = false;
    }
  }

  save() {
    download("decisions.json", fileText(this.content()), "application/json;charset=utf-8");
    say("decisions.json was downloaded");
  }

  async load(file) {
    try {
      if (file.size > MOST_BYTES) throw new Error("the file is too large for decisions");
      const decided = readText(await utf8Text(file));
      const { choices } = this;
      choices.apply(startState(choices.proposals, choices.state.atLeast, decided));
      this.remark(decided, [`${file.name} was loaded; Undo takes it back.`]);
    } catch (error) {
      notice(`${file.name} was not loaded: ${error.message}. Nothing was changed.`);
    }
  }

  // Say what is noteworthy about decisions from a file.
  remark({ log, groups }, words) {
    const labels = new Set(groups.filter(({ by }) => by === "person").flatMap(({ members }) => members));
    const unknown = [...labels].filter((label) => !this.choices.indexOf.has(label));
    if (log.digest !== this.log.digest)
      words.push(`The decisions were made for another log, or another state of it: ${shortened(log.name) || "without a name"}.`);
    if (unknown.length) words.push(unknownWords(unknown));
    if (words.length) notice(words.join(" "));
  }
}
