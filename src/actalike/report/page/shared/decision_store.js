// Decisions in the browser's own storage, under a key that names the log. Storage may be missing, full or forbidden, and other tabs write
// to it too: nothing that another tab has written is overwritten before this one has read it, and nothing ever that cannot be used.

export class DecisionStore {
  // `open` returns the storage, or throws; `check` throws if a content is none of the file's; `now` returns the time as text.
  constructor(open, key, check, now = () => new Date().toISOString()) {
    Object.assign(this, { open, key, check, now, seen: null });
  }

  // What is stored: { session, problem }. The session is null if there is none or it cannot be used; `problem` says why.
  read() {
    let text = null;
    try {
      text = this.open().getItem(this.key);
    } catch {
      // as if there were nothing; who writes is told
    }
    const found = understood(text, this.check);
    this.seen = found.problem ? null : text;
    return found;
  }

  // Store a session (an object): "stored", "same" if it is there already, "changed" if something is there that was not read before,
  // "failed".
  write(session) {
    try {
      const storage = this.open();
      const present = storage.getItem(this.key);
      const { saved: _, ...stored } = understood(present, this.check).session ?? {};
      if (JSON.stringify(stored) === JSON.stringify(session)) {
        this.seen = present;
        return "same";
      }
      if (present !== this.seen && present !== null) return "changed";
      const text = JSON.stringify({ saved: this.now(), ...session });
      storage.setItem(this.key, text);
      this.seen = text;
      return "stored";
    } catch {
      return "failed";
    }
  }

  // Move what cannot be used to a key of its own. Returns { key, text }, or null if the storage does not allow it.
  setAside() {
    try {
      const storage = this.open();
      const text = storage.getItem(this.key);
      const key = freeKey(storage, `${this.key} set aside`);
      storage.setItem(key, text);
      storage.removeItem(this.key);
      return { key, text };
    } catch {
      return null;
    }
  }

  // Remove what this store has read or written, unless another tab has changed it.
  remove() {
    try {
      const storage = this.open();
      if (storage.getItem(this.key) === this.seen) storage.removeItem(this.key);
    } catch {
      // it stays
    }
  }
}

// What this tab has decided while a question about other decisions is open. Each tab has a key of its own; a page that is opened
// again goes on with the first one that can be used.
export class DecisionBranch {
  constructor(open, prefix, check, now = undefined) {
    Object.assign(this, { open, prefix, check, now, store: null });
  }

  read() {
    for (const key of this.keys()) {
      const store = new DecisionStore(this.open, key, this.check, this.now);
      const { session } = store.read();
      if (!session) continue;
      this.store = store;
      return session;
    }
    return null;
  }

  keys() {
    try {
      const storage = this.open();
      const all = Array.from({ length: storage.length }, (_, k) => storage.key(k));
      return all.filter((key) => key.startsWith(this.prefix)).sort();
    } catch {
      return [];
    }
  }

  write(session) {
    const result = this.store?.write(session) ?? "changed";
    if (result !== "changed") return result;
    try {
      this.store = new DecisionStore(this.open, freeKey(this.open(), this.prefix), this.check, this.now);
    } catch {
      return "failed";
    }
    return this.store.write(session);
  }

  // The question is answered.
  remove() {
    this.store?.remove();
    this.store = null;
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
