// The matrix: every pair, alike activities beside each other. The stronger the colour, the more alike.

import { find, foreignText, make, say } from "../shared/dom.js";
import { counted, similarityText } from "../shared/formats.js";
import { pictureButtons } from "../shared/picture_files.js";
import { widthOf } from "../shared/text_width.js";
import { soon, theme } from "../shared/theme.js";
import { View } from "../shared/view.js";
import { labelElement } from "./labels.js";
import { MatrixCanvas } from "./matrix_canvas.js";
import { matrixPicture } from "./matrix_picture.js";
import { matrixRows, meanStep } from "./matrix_rows.js";
import { rankScale, shadeRamp, shades } from "./shades.js";
import { INTERVAL_TITLE, intervalWords } from "./words.js";

const FOLD_BUTTONS = 24; // groups with a button of their own; F folds any

export class Matrix extends MatrixCanvas {
  constructor({ data, choices, filter }) {
    super();
    Object.assign(this, { data, choices, filter, folded: new Set() });
    this.arrange();
    this.canvas = make("canvas", {
      role: "img",
      "aria-label": `Similarities of all pairs of ${counted(this.data.size, "activity", "activities")}, ordered so that alike ones stand beside each other`,
    });
    this.plot = make("div.matrix-plot", {
      tabindex: 0,
      role: "application",
      "aria-label": "Matrix of similarities",
      "aria-describedby": "matrix-guide matrix-keys",
    });
    this.stage = make("div.stage.matrix-stage", this.canvas, this.plot);
    this.read = make("p.read");
    this.legend = make("div.legend");
    this.view = new View(
      this.plot,
      Math.max(1, this.data.size / 6),
      soon(() => this.draw()),
    );
    this.filter.addTo("matrix");
    this.folds = make("div.folds", { role: "group", "aria-label": "Groups, folded or not" });
    find("matrix-controls").append(
      this.folds,
      pictureButtons(data.title, "Matrix", () => this.asPicture()),
    );
    find("matrix-box").append(
      this.stage,
      this.view.buttons("matrix"),
      make("div.matrix-foot", this.read, this.legend),
      make(
        "p.keys",
        { id: "matrix-keys" },
        "Click the matrix, then the wheel zooms and dragging moves it. Keys: arrows go from cell to cell, Enter compares the two, F folds or unfolds the group of the row, + − 0 zoom.",
      ),
    );
    this.at = null; // row and column looked at
    this.texts = null; // of the rows, as there is room
    this.scale = rankScale(data.triangle);
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
      if (!this.at && this.plot.matches(":focus-visible")) this.look([0, Math.min(1, this.size - 1)]);
    });
    this.plot.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.layout()).observe(find("matrix-box"));
    this.choices.watch(
      "selection",
      soon(() => this.draw()),
    );
    this.choices.watch("filter pictures", () => this.refold());
    this.choices.watch(
      "theme pictures",
      soon(() => {
        if (this.shadedDark !== theme.isDark) this.shade();
        this.draw();
      }),
    );
    this.choices.watch("print", () => this.view.print(theme.printing));
    this.look(null);
  }

  // The rows, by what is folded and left out.
  arrange() {
    this.rows = matrixRows(this.data.order, this.choices.groupOf, this.folded, (i) => this.filter.isShown(i));
    this.size = this.rows.length;
  }

  name(row) {
    return row.group ? `${this.choices.stepName(row.group)} (${row.members.length} labels)` : this.data.name(row.members[0]);
  }

  rowOf(activity) {
    return this.rows.findIndex(({ members }) => members.includes(activity));
  }

  // Arranges and colours the rows anew.
  refold() {
    this.arrange();
    this.at = null;
    this.pixels = null;
    this.texts = null;
    this.showFolds();
    this.look(null);
    this.view.show();
  }

  fold(group) {
    if (!this.folded.delete(group.id)) this.folded.add(group.id);
    this.refold();
    say(`Group ${group.number} is ${this.folded.has(group.id) ? "folded" : "unfolded"}; ${counted(this.size, "row", "rows")}`);
  }

  // A button for each group, and one for all.
  showFolds() {
    const { proposed } = this.choices;
    const all = proposed.length > 0 && proposed.every(({ id }) => this.folded.has(id));
    const button = (content, pressed, name, act) =>
      make("button.quiet.small.fold-group", { "aria-pressed": String(pressed), title: name, onclick: act }, content);
    const focused = [...this.folds.children].indexOf(document.activeElement);
    this.folds.hidden = !proposed.length;
    this.folds.replaceChildren(
      button(all ? "Unfold all groups" : "Fold all groups", all, "A group becomes one row and one column", () => {
        this.folded = new Set(all ? [] : proposed.map(({ id }) => id));
        this.refold();
      }),
      ...proposed.slice(0, FOLD_BUTTONS).map((group) => {
        const each = button(
          String(group.number),
          this.folded.has(group.id),
          `Fold group ${group.number}: ${this.choices.stepName(group)}`,
          () => this.fold(group),
        );
        each.style.setProperty("--group", group.colour);
        each.setAttribute("aria-label", `Fold group ${group.number}`);
        return each;
      }),
    );
    this.folds.children[focused]?.focus();
  }

  asPicture() {
    if (!this.pixels) this.shade();
    const rows = this.rows.map((row) => ({
      text: row.group ? this.name(row) : this.data.fullName(row.members[0]),
      rare: row.members.every((i) => this.filter.isRare(i)),
      colour: (row.group ?? this.choices.groupOf[row.members[0]])?.colour,
    }));
    return matrixPicture(find("matrix-box"), rows, shadeRamp(this.shadedDark), (a, b) => this.strength(a, b));
  }

  // The shade of a cell, from 0 to 256.
  strength(a, b) {
    const step = meanStep(this.data.triangle, this.rows[a], this.rows[b]);
    return step === null ? 256 : Math.round(256 * this.scale.strength(step));
  }

  // Colours one pixel for each cell.
  shade() {
    this.shadedDark = theme.isDark;
    const ramp = shadeRamp(this.shadedDark);
    this.pixels = make("canvas", { width: this.size, height: this.size });
    const context = this.pixels.getContext("2d");
    const image = context.createImageData(this.size, this.size);
    const paint = (row, column, colour) => {
      const at = (row * this.size + column) * 4;
      for (let c = 0; c < 3; c++) image.data[at + c] = colour[c];
      image.data[at + 3] = 255;
    };
    for (let a = 0; a < this.size; a++)
      for (let b = a; b < this.size; b++) {
        const colour = ramp[this.strength(a, b)];
        paint(a, b, colour);
        paint(b, a, colour);
      }
    context.putImageData(image, 0, 0);
    const bar = make("span.legend-bar");
    bar.style.background = `linear-gradient(to right, ${shades(this.shadedDark).join(",")})`;
    const values = [0, 0.5, 1].map((t) => this.scale.similarityAt(t).toFixed(2));
    this.legend.replaceChildren(
      make("span.muted", "similarity: "),
      values[0],
      bar,
      values[2],
      make("span.muted", ` (middle: ${values[1]})`),
    );
    this.legend.hidden = this.data.size < 2;
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
    this.stage.style.width = `${whole}px`;
    this.stage.style.height = `${whole}px`;
    this.plot.style.left = this.plot.style.top = `${this.gutter}px`;
    this.plot.style.width = this.plot.style.height = `${this.side}px`;
    const sharp = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = this.canvas.height = Math.round(whole * sharp);
    this.canvas.style.width = this.canvas.style.height = `${whole}px`;
    this.sharp = sharp;
    this.view.show();
  }

  cellAt(event) {
    const { x, y } = this.view.at(event);
    const at = [Math.floor((y - this.view.y) / this.cell), Math.floor((x - this.view.x) / this.cell)];
    return at.every((k) => k >= 0 && k < this.size) ? at : null;
  }

  look(at, aloud = false) {
    this.at = at;
    const [a, b] = at ? at.map((k) => this.rows[k]) : [];
    const [i, j] = at ? [a.members[0], b.members[0]] : [];
    if (!at) this.read.replaceChildren(make("span.muted", "Point at a cell to read it."));
    else if (a.group || b.group) this.read.replaceChildren(...this.foldedWords(a, b));
    else if (i === j) this.read.replaceChildren(labelElement(this.data, i), " and itself");
    else
      this.read.replaceChildren(
        make("b", similarityText(this.data.similarity(i, j))),
        " ",
        labelElement(this.data, i),
        " and ",
        labelElement(this.data, j),
        make("span.muted", { title: INTERVAL_TITLE }, ` ${intervalWords(this.data.interval(i, j))}`),
        make("span.muted", ` · ${this.data.pairWords(i, j)}`),
      );
    if (aloud) say(this.read.textContent);
    this.draw();
  }

  foldedWords(a, b) {
    const named = (row) =>
      row.group
        ? [
            make("b", `group ${row.group.number}`),
            " (",
            foreignText(this.choices.stepName(row.group)),
            `, ${row.members.length} labels)`,
          ]
        : [labelElement(this.data, row.members[0])];
    const step = meanStep(this.data.triangle, a, b);
    const mean = make("b", similarityText(this.data.triangle.value(step)));
    return a === b
      ? [mean, " on average inside ", ...named(a)]
      : [mean, " on average between ", ...named(a), " and ", ...named(b)];
  }

  choose(at, event) {
    if (!at) return;
    const [i, j] = at.map((k) => this.rows[k].members[0]);
    this.choices.select(i, i === j ? null : j, event);
  }

  key(event) {
    if (this.view.key(event)) return;
    const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const group = this.at && this.choices.groupOf[this.rows[this.at[0]].members[0]];
    if (event.key === "Enter" || event.key === " ") this.choose(this.at, event);
    else if (event.key.toLowerCase() === "f" && group && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const [first] = this.rows[this.at[0]].members;
      this.fold(group);
      this.look([this.rowOf(first), this.rowOf(first)]);
    } else if (ways[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const from = this.at ?? [0, 0];
      const to = from.map((k, axis) => Math.max(0, Math.min(this.size - 1, k + ways[event.key][axis])));
      const [y, x] = to.map((k, axis) => (axis ? this.view.x : this.view.y) + (k + 0.5) * this.cell);
      const into = (value) =>
        value < this.cell ? this.cell - value : value > this.side - this.cell ? this.side - this.cell - value : 0;
      if (into(x) || into(y)) this.view.pan(into(x), into(y));
      this.look(to, true);
    } else return;
    event.preventDefault();
  }
}
