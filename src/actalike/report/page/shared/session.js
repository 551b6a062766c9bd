// The working session: what was decided is kept in this browser, saved to a file and loaded from one.

import { DecisionBranch, DecisionStore, fingerprint } from "./decision_store.js";
import { download, say } from "./dom.js";
import { fileText, MOST_BYTES } from "./file_checks.js";
import { notice, timeWords } from "./notices.js";

async function utf8Text(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error("it is not UTF-8");
  }
}

// A page makes its own session of it, with what depends on its decisions: `content()`, what the file holds; `extra()`, what else is
// stored; `stateOf(session)`, the state that a stored session leads to; `loadedState(decided)`, that of a file;
// `differenceWords(decided, place)`, how this page's proposals differ from those of decisions before; `unknownWords(decided)`, what is
// to be said of decisions that were made elsewhere.
export class Session {
  // `written` is the content that the page was written with, or null; `file` reads files of its format ({ readContent, readText });
  // `proposals` is what the page proposes, `subject` what it is about, in words.
  constructor(choices, { key, written, file, proposals, subject }) {
    Object.assign(this, { choices, written, file, subject });
    this.base = written ? fingerprint(JSON.stringify(written)) : "";
    this.proposalsPrint = fingerprint(JSON.stringify(proposals));
    const storage = () => localStorage;
    this.store = new DecisionStore(storage, key, file.readContent);
    this.branch = new DecisionBranch(storage, `${key} branch [${this.base}]`, file.readContent);
    this.question = null; // while one is open, what is decided here goes to the branch
    this.hasFailed = false;
  }

  // What is stored in the browser.
  stored() {
    return { base: this.base, page: this.proposalsPrint, ...this.extra(), decisions: this.content() };
  }

  isShown(session) {
    return JSON.stringify(session.decisions) === JSON.stringify(this.content());
  }

  // Begin with what this browser has kept, unless the page was written with other decisions: then the reader is asked. Whoever left
  // a question open is asked again, and finds what was decided meanwhile.
  open() {
    const { written } = this;
    const kept = this.readStore();
    const own = this.branch.read();
    if (own) this.begin(own);
    else if (written && kept?.base !== this.base) this.remark(this.file.readContent(written));
    if (!kept || this.isShown(kept)) {
      if (own) this.keep();
    } else if (!own && (!written || kept.base === this.base)) this.begin(kept);
    else {
      const others = own
        ? `those of this page, as you changed them until ${timeWords(own.saved)}, are others`
        : "this page was written with others";
      this.ask(
        `This browser has decisions of ${timeWords(kept.saved)} for ${this.subject}, and ${others}.`,
        "Use those of this browser",
        kept,
        "Use those of this page",
      );
      history.scrollRestoration = "manual"; // a reload begins at the top, where the question is
    }
  }

  begin(session) {
    this.choices.history.reset(this.stateOf(session));
    this.choices.derive();
    if (session.page === this.proposalsPrint) return;
    const words = this.differenceWords(this.file.readContent(session.decisions), "what this browser has kept");
    if (words.length) notice(words.join(" "));
  }

  // The session that this browser has kept, or null. What cannot be used is set aside, and never overwritten.
  readStore() {
    const { session, problem } = this.store.read();
    if (!problem || this.hasFailed) return session;
    const aside = this.store.setAside();
    const words = `What this browser has kept for ${this.subject} cannot be used: ${problem}.`;
    if (aside) {
      const element = notice(`${words} It stays in the browser’s storage, as “${aside.key}”.`, [
        ["Save it as a file", () => download("kept-decisions.txt", aside.text, "text/plain;charset=utf-8")],
        ["Close", () => element.remove()],
      ]);
    } else {
      this.hasFailed = true;
      notice(`${words} It stays where it is, so this browser does not keep what you decide here. Save the decisions as a file.`);
    }
    return null;
  }

  // Ask whether to use a stored session or what is shown; both are kept until the answer, also over a reload.
  ask(words, useWords, session, keepWords) {
    const answered = (act) => () => {
      this.question.remove();
      this.question = null;
      history.scrollRestoration = "auto";
      act();
      this.keep();
    };
    this.question?.remove();
    this.question = notice(`${words} Both are kept until you answer.`, [
      [useWords, answered(() => this.choices.apply(this.stateOf(session)))],
      [keepWords, answered(() => {})],
    ]);
  }

  // Keep what was decided in this browser.
  keep() {
    if (this.isFollowing) return;
    const result = (this.question ? this.branch : this.store).write(this.stored());
    if (result === "failed" && !this.hasFailed) {
      this.hasFailed = true;
      notice(
        "This browser does not keep what you decide here: its storage is missing, full or forbidden. Save the decisions as a file.",
      );
    }
    if (result === "changed") this.meetOtherTab();
    else if (result !== "failed" && !this.question) this.branch.remove();
  }

  // Another tab has written decisions that this one has not seen.
  meetOtherTab() {
    const kept = this.readStore();
    if (kept) {
      this.ask(
        `Another tab has changed the decisions for ${this.subject} (${timeWords(kept.saved)}).`,
        "Use those of the other tab",
        kept,
        "Keep those of this tab",
      );
    }
    if (kept || !this.hasFailed) this.keep();
  }

  // Show what another tab has just stored; this tab had nothing that was not stored, unless a question is open.
  follow(event) {
    if (event.key !== this.store.key || event.newValue === null) return;
    if (this.question) return this.meetOtherTab();
    const { session: kept } = this.store.read();
    if (!kept || this.isShown(kept)) return;
    try {
      this.isFollowing = true; // two pages with different proposals would answer each other for ever
      this.choices.apply(this.stateOf(kept));
      this.followed?.remove();
      this.followed = notice(
        "The decisions were changed in another tab, and are shown here now. Undo brings back what was here.",
      );
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
      const decided = this.file.readText(await utf8Text(file));
      this.choices.apply(this.loadedState(decided));
      this.remark(decided, [`${file.name} was loaded; Undo takes it back.`]);
    } catch (error) {
      notice(`${file.name} was not loaded: ${error.message}. Nothing was changed.`);
    }
  }

  // Say what is noteworthy about decisions from a file, which are shown now.
  remark(decided, words = []) {
    words.push(...this.unknownWords(decided), ...this.differenceWords(decided, "the file"));
    if (words.length) notice(words.join(" "));
  }
}
