// Notices at the top of the page, and the words that several of them share.

import { html, render } from "../vendor/preact.js";
import { fileText, MOST_BYTES, readContent, readText } from "./decision_file.js";
import { button, download, find, make, say, untyped } from "./dom.js";
import { counted, shownLabel } from "./texts.js";

const NAMED = 3; // labels in a notice

// A text without its end if it is long.
export const shortened = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

const timeWords = (text) => {
  const time = new Date(text);
  return Number.isNaN(time.getTime())
    ? "an unknown date"
    : time.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
};

// The labels that are kept although this page does not have them.
export function unknownWords(labels) {
  const named = labels.slice(0, NAMED).map((label) => `“${shortened(shownLabel(label))}”`);
  const more = labels.length > NAMED ? ` and ${labels.length - NAMED} more` : "";
  return `${counted(labels.length, "label is", "labels are")} not on this page, and ${labels.length === 1 ? "is" : "are"} kept: ${named.join(", ")}${more}.`;
}

// Whether decisions are about another log.
export const isOther = (log, own) => Boolean(log.digest) && log.digest !== own.digest;

export const otherLogWords = (which, { name }) =>
  `The decisions were made for ${which}, or another state of it: ${shortened(name) || "without a name"}.`;

// A notice at the top of the page, with buttons; without any it can be closed.
function notice(words, buttons = []) {
  const element = make("div.notice");
  const all = buttons.length ? buttons : [["Close", () => element.remove()]];
  render(html`<p>${words}</p><p class="buttons">${all.map(([name, act]) => button(name, act))}</p>`, element);
  find("notices").append(element);
  return element;
}

// --- Decisions in the browser's own storage, under a key that names the log. Storage may be missing, full or forbidden, and other tabs write
// to it too. What cannot be used is never overwritten.

export class DecisionStore {
  // `open` returns the storage, or throws; `keys` are the key that is written, and older ones that are read if it is not there; `check`
  // throws if a content is none of the file's; `now` returns the time as text.
  constructor(open, keys, check, now = () => new Date().toISOString()) {
    this.open = open;
    this.keys = keys;
    this.key = keys[0];
    this.check = check;
    this.now = now;
    this.seen = null;
  }

  // What is stored: { session, problem }. The session is null if there is none or it cannot be used; `problem` says why.
  read() {
    let text = null;
    try {
      const storage = this.open();
      text = this.keys.map((key) => storage.getItem(key)).find((found) => found !== null) ?? null;
    } catch {
      // as if there were nothing; a failed write is reported
    }
    const found = understood(text, this.check);
    this.seen = found.problem ? null : text;
    return found;
  }

  // Whether somebody else has stored anything since this store has read or written.
  get isChanged() {
    try {
      const text = this.open().getItem(this.key);
      return text !== null && text !== this.seen;
    } catch {
      return false;
    }
  }

  // Store a session (an object); returns whether that succeeded.
  write(session) {
    try {
      const text = JSON.stringify({ saved: this.now(), ...session });
      this.open().setItem(this.key, text);
      this.seen = text;
      return true;
    } catch {
      return false;
    }
  }

  // Move what cannot be used to a key of its own. Returns { key, text }, or null if the storage does not allow it.
  setAside() {
    try {
      const storage = this.open();
      const from = this.keys.find((key) => storage.getItem(key) !== null);
      const text = storage.getItem(from);
      const key = freeKey(storage, `${this.key} set aside`);
      storage.setItem(key, text);
      storage.removeItem(from);
      return { key, text };
    } catch {
      return null;
    }
  }
}

function freeKey(storage, prefix) {
  let number = 1;
  while (storage.getItem(`${prefix} ${number}`) !== null) number += 1;
  return `${prefix} ${number}`;
}

function understood(text, check) {
  if (text === null) return { session: null, problem: "" };
  let session;
  try {
    session = JSON.parse(text);
  } catch {
    return { session: null, problem: "it is not JSON" };
  }
  try {
    check(session?.decisions);
    if (session.other) check(session.other.decisions);
  } catch (error) {
    return { session: null, problem: error.message };
  }
  return typeof session.saved === "string" ? { session, problem: "" } : { session: null, problem: "it has no date" };
}

// A short fingerprint of a text (FNV-1a), to tell whether two are the same.
export function fingerprint(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return `${text.length}-${hash.toString(16)}`;
}

// --- The working session: what was decided is kept in this browser, saved to a file and loaded from one. Whoever writes last wins; the
// other version is mentioned, and one Undo away.

async function utf8Text(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error("it is not UTF-8");
  }
}

// `own` is what depends on the page: `keys` of the browser's storage, `logs`, how many it is about, `written`, the content that it was
// written with, or null, what it proposes, and its `subject` in words; `content()`, what the file holds; `stateOf(decided)`, the state that a
// file leads to; `different(decided, place)`, how the page's proposals differ from those of decisions; `unknown(decided)`, what is to be said of
// decisions that were made elsewhere.
export class Session {
  constructor(choices, own) {
    this.choices = choices;
    this.own = own;
    this.base = own.written ? fingerprint(JSON.stringify(own.written)) : "";
    this.proposalsPrint = fingerprint(JSON.stringify(own.proposals));
    this.store = new DecisionStore(
      () => localStorage,
      own.keys,
      (content) => this.read(content),
    );
    this.other = untyped(null); // the version that lost, with its date
    this.otherTabs = untyped(null); // the last notice about other tabs
    this.hasFailed = false;
    this.isFollowing = false;
  }

  read(content) {
    return readContent(content, this.own.logs);
  }

  isShown({ decisions }) {
    return JSON.stringify(decisions) === JSON.stringify(this.own.content());
  }

  // Begin with what this browser has kept, unless the page was written with other decisions: then those are shown.
  open() {
    const { written } = this.own;
    const kept = this.readStore();
    if (kept && (!written || kept.base === this.base)) {
      this.choices.history.reset(this.own.stateOf(this.read(kept.decisions)));
      this.choices.derive();
      if (kept.other) this.lose(kept.other);
      if (kept.page !== this.proposalsPrint) {
        const words = this.own.different(this.read(kept.decisions), "what this browser has kept");
        if (words.length) notice(words.join(" "));
      }
      return;
    }
    if (!written) return;
    this.remark(this.read(written));
    if (!kept || this.isShown(kept)) return;
    this.lose(kept);
    notice(
      `This browser has other decisions for ${this.own.subject}, of ${timeWords(kept.saved)}. Shown are those that the page was written with; Undo brings back the others.`,
    );
  }

  // Another version of the decisions can be had by Undo, also after a reload.
  lose({ saved, decisions }) {
    this.other = { saved, decisions };
    this.choices.history.past.push(this.own.stateOf(this.read(decisions)));
  }

  // The session that this browser has kept, or null. What cannot be used is set aside, and never overwritten.
  readStore() {
    const { session, problem } = this.store.read();
    if (!problem || this.hasFailed) return session;
    const aside = this.store.setAside();
    const words = `What this browser has kept for ${this.own.subject} cannot be used: ${problem}.`;
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
    if (this.store.write({ base, page, ...(other ? { other } : {}), decisions: this.own.content() })) return;
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
      this.choices.apply(this.own.stateOf(this.read(kept.decisions)));
      this.tell("The decisions were changed in another tab, and are shown here now. Undo brings back what was here.");
    } finally {
      this.isFollowing = false;
    }
  }

  // The last notice about other tabs is enough.
  tell(words) {
    this.otherTabs?.remove();
    this.otherTabs = notice(words);
  }

  save() {
    download("decisions.json", fileText(this.own.content()), "application/json;charset=utf-8");
    say("decisions.json was downloaded");
  }

  async load(file) {
    try {
      if (file.size > MOST_BYTES) throw new Error("the file is too large for decisions");
      const decided = readText(await utf8Text(file), this.own.logs);
      this.choices.apply(this.own.stateOf(decided));
      this.remark(decided, [`${file.name} was loaded; Undo takes it back.`]);
    } catch (error) {
      notice(`${file.name} was not loaded: ${error.message}. Nothing was changed.`);
    }
  }

  // Say what is noteworthy about decisions from a file, which are shown now.
  remark(decided, words = []) {
    words.push(...this.own.unknown(decided), ...this.own.different(decided, "the file"));
    if (words.length) notice(words.join(" "));
  }
}
