// The working session: what was decided is kept in this browser, saved to a file and loaded from one. Whoever writes last wins; the
// other version is told, and one Undo away.

import { fileText, MOST_BYTES, readContent, readText } from "./decision_file.js";
import { DecisionStore, fingerprint } from "./decision_store.js";
import { download, say } from "./dom.js";
import { notice, timeWords } from "./notices.js";

async function utf8Text(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error("it is not UTF-8");
  }
}

// A page makes its own session of it, with what depends on its decisions: `content()`, what the file holds; `stateOf(decided)`, the state
// that a file leads to; `differenceWords(decided, place)`, how this page's proposals differ from those of decisions before;
// `unknownWords(decided)`, what is to be said of decisions that were made elsewhere.
export class Session {
  // `written` is the content that the page was written with, or null; `logs` is how many logs the page is about; `keys` are those of
  // the browser's storage; `proposals` is what the page proposes, `subject` what it is about, in words.
  constructor(choices, { keys, logs, written, proposals, subject }) {
    Object.assign(this, { choices, logs, written, subject });
    this.base = written ? fingerprint(JSON.stringify(written)) : "";
    this.proposalsPrint = fingerprint(JSON.stringify(proposals));
    this.store = new DecisionStore(
      () => localStorage,
      keys,
      (content) => this.read(content),
    );
    this.other = null; // the version that lost, with its date
    this.hasFailed = false;
  }

  read(content) {
    return readContent(content, this.logs);
  }

  isShown({ decisions }) {
    return JSON.stringify(decisions) === JSON.stringify(this.content());
  }

  // Begin with what this browser has kept, unless the page was written with other decisions: then those are shown.
  open() {
    const { written } = this;
    const kept = this.readStore();
    if (kept && (!written || kept.base === this.base)) {
      this.choices.history.reset(this.stateOf(this.read(kept.decisions)));
      this.choices.derive();
      if (kept.other) this.lose(kept.other);
      if (kept.page !== this.proposalsPrint) {
        const words = this.differenceWords(this.read(kept.decisions), "what this browser has kept");
        if (words.length) notice(words.join(" "));
      }
      return;
    }
    if (!written) return;
    this.remark(this.read(written));
    if (!kept || this.isShown(kept)) return;
    this.lose(kept);
    notice(
      `This browser has other decisions for ${this.subject}, of ${timeWords(kept.saved)}. Shown are those that the page was written with; Undo brings back the others.`,
    );
  }

  // Another version of the decisions can be had by Undo, also after a reload.
  lose({ saved, decisions }) {
    this.other = { saved, decisions };
    this.choices.history.past.push(this.stateOf(this.read(decisions)));
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

  // Keep what was decided in this browser; what another tab has stored meanwhile goes into Undo.
  keep() {
    if (this.isFollowing) return;
    if (this.store.isChanged) {
      const kept = this.readStore();
      if (kept && !this.isShown(kept)) {
        this.lose(kept);
        this.tell("The decisions were changed in another tab too. Shown are those of this one; Undo brings back the others.");
      }
    }
    if (this.hasFailed) return;
    const { base, proposalsPrint: page, other } = this;
    if (this.store.write({ base, page, ...(other ? { other } : {}), decisions: this.content() })) return;
    this.hasFailed = true;
    notice(
      "This browser does not keep what you decide here: its storage is missing, full or forbidden. Save the decisions as a file.",
    );
  }

  // Show what another tab has just stored.
  follow(event) {
    if (event.key !== this.store.key || event.newValue === null) return;
    const { session: kept } = this.store.read();
    if (!kept || this.isShown(kept)) return;
    try {
      this.isFollowing = true; // two pages with different proposals would answer each other for ever
      this.choices.apply(this.stateOf(this.read(kept.decisions)));
      this.tell("The decisions were changed in another tab, and are shown here now. Undo brings back what was here.");
    } finally {
      this.isFollowing = false;
    }
  }

  // The last notice about other tabs is enough.
  tell(words) {
    this.told?.remove();
    this.told = notice(words);
  }

  save() {
    download("decisions.json", fileText(this.content()), "application/json;charset=utf-8");
    say("decisions.json was downloaded");
  }

  async load(file) {
    try {
      if (file.size > MOST_BYTES) throw new Error("the file is too large for decisions");
      const decided = readText(await utf8Text(file), this.logs);
      this.choices.apply(this.stateOf(decided));
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
