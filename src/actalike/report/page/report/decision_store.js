// Decisions in the browser's own storage, by the digest of the log. Storage may be missing, full or forbidden, and other tabs write
// to it too: nothing that another tab has written is overwritten unless somebody says so.

export class DecisionStore {
  // `open` returns the storage, or throws; `now` returns the time as text.
  constructor(open, digest, now = () => new Date().toISOString()) {
    Object.assign(this, { open, now, key: `actalike decisions ${digest}`, seen: null });
  }

  // What is stored: what was written, and when (`saved`); null if there is nothing that can be read.
  read() {
    try {
      this.seen = this.open().getItem(this.key);
    } catch {
      this.seen = null;
    }
    return parsed(this.seen);
  }

  // Store a session (an object): "stored", "same" if it is there already, "changed" if another tab has written meanwhile, "failed".
  // `force` overwrites what another tab has written.
  write(session, force = false) {
    try {
      const storage = this.open();
      const present = storage.getItem(this.key);
      const { saved: _, ...stored } = parsed(present) ?? {};
      if (JSON.stringify(stored) === JSON.stringify(session)) {
        this.seen = present;
        return "same";
      }
      if (present !== this.seen && present !== null && !force) return "changed";
      const text = JSON.stringify({ saved: this.now(), ...session });
      storage.setItem(this.key, text);
      this.seen = text;
      return "stored";
    } catch {
      return "failed";
    }
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value?.saved === "string" && typeof value.decisions === "object" ? value : null;
  } catch {
    return null;
  }
}

// A short fingerprint of a text (FNV-1a), to tell whether two are the same.
export function fingerprint(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return `${text.length}-${hash.toString(16)}`;
}
