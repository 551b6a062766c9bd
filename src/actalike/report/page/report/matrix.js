// The matrix: every pair, alike activities beside each other. The stronger the colour, the more alike. The cells are an image with a
// pixel for each; labels and frames are drawn over it.

import { draw, find, holding, make, say, soon, theme, untyped } from "../shared/dom.js";
import { labelElement } from "../shared/labels.js";
import { pictureButtons, rankScale, shadeRamp, shades, View } from "../shared/pictures.js";
import { counted, similarityText, thousands } from "../shared/texts.js";
import { widthOf } from "../shared/widths.js";
import { html, render } from "../vendor/preact.js";
import { INTERVAL_TITLE, intervalWords, picturedNames } from "./labels.js";

const LABELLED_CELL = 10.5; // pixels; in smaller cells there is no room for labels

export class Matrix {
  constructor(/** @type {ReportPage} */ { data, choices, filter }) {
    this.data = data;
    this.choices = choices;
    this.filter = filter;
    this.at = untyped(null); // row and column looked at
    /** @type {number[]} */
    this.rows = [];
    this.texts = untyped(null); // of the rows, as there is room
    this.width = 0;
    this.gutter = 0;
    this.side = 0;
    this.scale = rankScale(data.triangle);
    this.image = draw("image", { preserveAspectRatio: "none", "image-rendering": "pixelated" });
    this.frames = draw("g");
    this.labels = draw("g.matrix-labels");
    this.cells = draw("svg", this.image, this.frames);
    this.picture = draw(
      "svg.matrix-picture",
      {
        role: "img",
        "aria-label": `Similarities of all pairs of ${counted(data.size, "activity", "activities")}, ordered so that alike ones stand beside each other`,
      },
      this.cells,
      this.labels,
    );
    this.plot = make("div.matrix-plot", {
      tabindex: 0,
      role: "application",
      "aria-label": "Matrix of similarities",
      "aria-describedby": "matrix-guide matrix-keys",
    });
    this.stage = make("div.stage.matrix-stage", this.picture, this.plot);
    this.view = new View(
      this.plot,
      Math.max(1, data.size / 6),
      soon(() => this.draw()),
    );
    const files = pictureButtons(data.title, "Matrix", () => [this.picture]);
    choices.shows("filter", find("matrix-controls"), () => [filter.slider("matrix"), files]);
  }

  start() {
    this.plot.addEventListener("pointermove", (event) => this.look(this.cellAt(event)));
    this.plot.addEventListener("pointerleave", () => {
      if (document.activeElement !== this.plot) this.look(null);
    });
    this.plot.addEventListener("click", (event) => {
      if (!this.view.moved) this.choose(this.cellAt(event), event);
    });
    this.plot.addEventListener("focus", () => {
      if (!this.at && this.plot.matches(":focus-visible")) this.look([0, Math.min(1, this.rows.length - 1)]);
    });
    this.plot.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.layout()).observe(find("matrix-box"));
    this.choices.watch("filter theme", () => this.shade());
    this.choices.watch(
      "selection pictures",
      soon(() => this.draw()),
    );
    this.choices.watch("print", () => this.view.print(theme.printing));
  }

  get cell() {
    return (this.side / this.rows.length) * this.view.scale;
  }

  // Colours one pixel for each cell of the labels that are shown.
  shade() {
    this.rows = this.data.order.filter((i) => this.filter.isShown(i));
    const size = this.rows.length;
    const ramp = shadeRamp(theme.isDark);
    const pixels = make("canvas", { width: size, height: size });
    const image = pixels.getContext("2d").createImageData(size, size);
    const paint = (row, column, colour) => {
      image.data.set(colour, (row * size + column) * 4);
      image.data[(row * size + column) * 4 + 3] = 255;
    };
    for (let a = 0; a < size; a++) {
      paint(a, a, ramp[256]);
      for (let b = a + 1; b < size; b++) {
        const colour = ramp[Math.round(256 * this.scale.strength(this.data.triangle.step(this.rows[a], this.rows[b])))];
        paint(a, b, colour);
        paint(b, a, colour);
      }
    }
    pixels.getContext("2d").putImageData(image, 0, 0);
    this.image.setAttribute("href", pixels.toDataURL());
    this.look(null);
    this.view.show();
  }

  layout() {
    const width = find("matrix-box").clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const widest = Math.max(
      ...this.data.labels.slice(0, 60).map((_, i) => Math.min(300, widthOf(this.data.fullName(i).slice(0, 60), 11.5))),
    );
    this.gutter = Math.round(Math.min(widest + 16, width < 560 ? 92 : 190));
    this.side = Math.max(60, Math.min(width - this.gutter - 2, width < 560 ? 600 : Math.max(this.data.size * 17, 560), 640));
    const whole = this.gutter + this.side;
    this.stage.style.width = this.stage.style.height = `${whole}px`;
    this.plot.style.left = this.plot.style.top = `${this.gutter}px`;
    this.plot.style.width = this.plot.style.height = `${this.side}px`;
    this.picture.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    for (const place of ["x", "y"]) this.cells.setAttribute(place, this.gutter);
    for (const length of ["width", "height"]) this.cells.setAttribute(length, this.side);
    this.view.show();
  }

  draw() {
    if (!this.side || !this.rows.length) return;
    const { x, y, scale } = this.view;
    const place = { x, y, width: this.side * scale, height: this.side * scale };
    for (const [name, value] of Object.entries(place)) this.image.setAttribute(name, value);
    const looked = this.at ?? [this.choices.selected, this.choices.other].map((i) => this.rows.indexOf(i));
    this.frames.replaceChildren(...this.groupFrames(), ...this.cross(...looked));
    this.labels.replaceChildren(...this.names(looked));
  }

  // A frame over rows and columns, from the first ones on.
  frame(words, row, column, rows, columns, more = {}) {
    const { view, cell } = this;
    const size = { width: Math.max(2, columns * cell), height: Math.max(2, rows * cell) };
    return draw(words, { x: view.x + column * cell, y: view.y + row * cell, ...size, ...more });
  }

  // Frames the members of a group that stand together.
  groupFrames() {
    const frames = [];
    for (let start = 0; start < this.rows.length; ) {
      const group = this.choices.groupOf[this.rows[start]];
      let end = start + 1;
      while (group && this.choices.groupOf[this.rows[end]] === group) end++;
      if (group && end - start > 1)
        frames.push(this.frame("rect.group-frame", start, start, end - start, end - start, { stroke: group.colour }));
      start = end;
    }
    return frames;
  }

  // The row, the column and the cell that are looked at.
  cross(row, column) {
    if (row < 0) return [];
    const size = this.rows.length;
    const lines = [this.frame("rect.cross", row, 0, 1, size)];
    if (column < 0) return lines;
    const cell = ["rect.cell-edge", "rect.cell-frame"].map((words) => this.frame(words, row, column, 1, 1)); // seen on light and dark
    return [...lines, this.frame("rect.cross", 0, column, size, 1), ...cell];
  }

  // Labels of all rows and columns in sight where there is room, else of those that are looked at.
  names(looked) {
    const { gutter, side, view, cell } = this;
    const pixels = Math.min(11.5, Math.max(8.5, cell - 2));
    const hasRoom = cell >= LABELLED_CELL;
    const hint = theme.printing
      ? `${thousands(this.rows.length)} rows: too many for labels on paper.`
      : "Enlarge to see labels, or point at a cell.";
    if (!hasRoom && !this.at)
      return [draw("text.matrix-hint", { x: (gutter + side) / 2, y: gutter - 14, "text-anchor": "middle" }, hint)];
    if (this.texts?.rows !== this.rows || this.texts.pixels !== pixels)
      this.texts = { rows: this.rows, pixels, list: picturedNames(this.data, this.rows, pixels, gutter - 14, 600) };
    return this.rows.flatMap((i, k) => {
      const isSeen = (offset) => offset + (k + 0.5) * cell > 0 && offset + (k + 0.5) * cell < side;
      const label = (axis, attributes) => {
        const strong = k === looked[axis];
        if (!isSeen(axis ? view.x : view.y) || !(hasRoom || strong)) return null;
        const look = { class: `${strong ? "strong" : ""}${this.filter.isRare(i) ? " rare" : ""}`, "font-size": pixels };
        return draw("text", { ...look, fill: this.choices.groupOf[i]?.colour, ...attributes }, this.texts.list[k]);
      };
      const [x, y] = [view.x, view.y].map((offset) => gutter + offset + (k + 0.5) * cell + 3.5);
      return [
        label(0, { x: gutter - 7, y, "text-anchor": "end" }),
        label(1, { transform: `translate(${x - 7},${gutter - 7}) rotate(90)`, "text-anchor": "end" }),
      ].filter(Boolean);
    });
  }

  cellAt(event) {
    const { x, y } = this.view.at(event);
    const at = [Math.floor((y - this.view.y) / this.cell), Math.floor((x - this.view.x) / this.cell)];
    return at.every((k) => k >= 0 && k < this.rows.length) ? at : null;
  }

  look(at, aloud = false) {
    this.at = at;
    this.show();
    if (aloud) say(find("matrix-box").querySelector(".read").textContent);
    this.draw();
  }

  show() {
    const view = html`
      <div ref=${holding(this.stage)} />
      ${this.view.buttons("matrix")}
      <div class="matrix-foot"><p class="read">${this.words()}</p>${this.data.size > 1 && this.legend()}</div>
      <p class="keys" id="matrix-keys">
        Click the matrix, then the wheel zooms and dragging moves it. Keys: arrows go from cell to cell, Enter compares the two, + − 0 zoom.
      </p>
    `;
    render(view, find("matrix-box"));
  }

  // What is said of the cell that is looked at.
  words() {
    const { data, at } = this;
    if (!at) return html`<span class="muted">Point at a cell to read it.</span>`;
    const [i, j] = at.map((k) => this.rows[k]);
    if (i === j) return html`${labelElement(data, i)} and itself`;
    return html`
      <b>${similarityText(data.similarity(i, j))}</b> ${labelElement(data, i)} and ${labelElement(data, j)}
      <span class="muted" title=${INTERVAL_TITLE}> ${intervalWords(data.interval(i, j))}</span>
      <span class="muted"> · ${data.pairWords(i, j)}</span>
    `;
  }

  legend() {
    const [low, middle, high] = [0, 0.5, 1].map((t) => this.scale.similarityAt(t).toFixed(2));
    const background = `linear-gradient(to right, ${shades(theme.isDark).join(",")})`;
    return html`
      <div class="legend">
        <span class="muted">similarity: </span>${low}
        <span class="legend-bar" style=${{ background }} />
        ${high}<span class="muted"> (middle: ${middle})</span>
      </div>
    `;
  }

  choose(at, event) {
    if (!at) return;
    const [i, j] = at.map((k) => this.rows[k]);
    this.choices.select(i, i === j ? null : j, event);
  }

  key(event) {
    if (this.view.key(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key === "Enter" || event.key === " ") this.choose(this.at, event);
    else if (ways[event.key]) {
      const from = this.at ?? [0, 0];
      const to = from.map((k, axis) => Math.max(0, Math.min(this.rows.length - 1, k + ways[event.key][axis])));
      const [y, x] = to.map((k, axis) => (axis ? this.view.x : this.view.y) + (k + 0.5) * this.cell);
      const into = (value) =>
        value < this.cell ? this.cell - value : value > this.side - this.cell ? this.side - this.cell - value : 0;
      if (into(x) || into(y)) this.view.pan(into(x), into(y));
      this.look(to, true);
    } else return;
    event.preventDefault();
  }
}
