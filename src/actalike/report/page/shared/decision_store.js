// Decisions in the browser's own storage, under a key that names the log. Storage may be missing, full or forbidden, and other tabs write
// to it too. What cannot be used is never overwritten.

export class DecisionStore {
  // `open` returns the storage, or throws; `keys` are the key that is written, and older ones that are read if it is not there; `check`
  // throws if a content is none of the file's; `now` returns the time as text.
  constructor(open, keys, check, now = () => new Date().toISOString()) {
    Object.assign(this, { open, keys, key: keys[0], check, now, seen: null });
  }

  // What is stored: { session, problem }. The session is null if there is none or it cannot be used; `problem` says why.
  read() {
    let text = null;
    try {
      const storage = this.open();
      text = this.keys.map((key) => storage.getItem(key)).find((found) => found !== null) ?? null;
    } catch {
      // as if there were nothing; who writes is told
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
