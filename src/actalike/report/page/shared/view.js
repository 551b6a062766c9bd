// Zoom and pan of a picture by wheel, pinch, drag, buttons and keys.

import { make } from "./dom.js";

// Scale 1 shows all; x and y are how far the picture's corner is moved, in pixels of the box. onChange draws the picture.
export class View {
  constructor(box, largestScale, onChange) {
    Object.assign(this, { box, largestScale, onChange, scale: 1, x: 0, y: 0, pointers: new Map(), moved: false });
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.press(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
  }

  wheel(event) {
    // unless the picture was clicked or focused before, the page scrolls
    const outwards = event.deltaY > 0 && this.scale === 1;
    if (!(event.ctrlKey || event.metaKey || this.box.contains(document.activeElement)) || outwards) return;
    event.preventDefault();
    const at = this.at(event);
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0022)), at.x, at.y);
  }

  press(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, this.at(event));
    this.moved = false;
    this.began = this.at(event);
  }

  move(event) {
    if (!this.pointers.has(event.pointerId)) return;
    const before = [...this.pointers.values()];
    const old = this.pointers.get(event.pointerId);
    const now = this.at(event);
    this.pointers.set(event.pointerId, now);
    if (!this.moved && Math.hypot(now.x - this.began.x, now.y - this.began.y) < 4 && before.length === 1) {
      this.pointers.set(event.pointerId, old);
      return;
    }
    if (!this.moved) {
      this.moved = true;
      this.box.setPointerCapture?.(event.pointerId);
    }
    if (before.length === 1) this.pan(now.x - old.x, now.y - old.y);
    else {
      const after = [...this.pointers.values()];
      const apart = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y) || 1;
      this.zoom(apart(after) / apart(before), (after[0].x + after[1].x) / 2, (after[0].y + after[1].y) / 2);
    }
  }

  at(event) {
    const frame = this.box.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  zoom(factor, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2) {
    const scale = Math.max(1, Math.min(this.largestScale, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.show();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.show();
  }

  reset() {
    Object.assign(this, { scale: 1, x: 0, y: 0 });
    this.show();
  }

  // On paper all is shown; afterwards what was shown before.
  print(isPrinting) {
    const { scale, x, y } = this;
    if (isPrinting) this.before = { scale, x, y };
    Object.assign(this, isPrinting ? { scale: 1, x: 0, y: 0 } : this.before);
    this.show();
  }

  show() {
    // the picture always covers its box
    const [width, height] = [this.box.clientWidth, this.box.clientHeight];
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    this.box.style.touchAction = this.scale > 1 ? "none" : "pan-x pan-y";
    this.onChange();
  }

  // Returns whether the key was one of its own.
  key(event) {
    if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.reset();
    else return false;
    event.preventDefault();
    return true;
  }

  buttons(what) {
    const button = (sign, name, act) =>
      make("button.zoom", { "aria-label": `${name} the ${what}`, title: name, onclick: act }, sign);
    return make(
      "div.zooms",
      button("+", "Enlarge", () => this.zoom(1.6)),
      button("−", "Reduce", () => this.zoom(1 / 1.6)),
      button("⤢", "Show all of", () => this.reset()),
    );
  }
}
