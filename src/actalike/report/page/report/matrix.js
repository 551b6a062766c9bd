// How the matrix is drawn: cells, lines between them, frames of groups, the cross of what is looked at, and labels.

import { draw, find, foreignText, make, say } from "../shared/dom.js";
import { builtPicture, cellPaths, pictureButtons, rankScale, shadeRamp, shades, View } from "../shared/pictures.js";
import { counted, similarityText, thousands } from "../shared/texts.js";
import { soon, styleColour, theme } from "../shared/theme.js";
import { FONT, shorten, shortenAll, widthOf } from "../shared/widths.js";
import { INTERVAL_TITLE, intervalWords, labelElement, picturedNames } from "./labels.js";

const LABELLED_CELL = 10.5; // pixels; in smaller cells there is no room for labels

// The matrix that extends it has rows, data, choices, filter and view; `shade` makes the picture of a pixel for each cell.
class MatrixCanvas {
  get cell() {
    return (this.side / this.size) * this.view.scale;
  }

  draw() {
    if (!this.side) return;
    if (!this.pixels) this.shade();
    const context = this.canvas.getContext("2d");
    const { gutter, side, view, cell } = this;
    context.setTransform(this.sharp, 0, 0, this.sharp, 0, 0);
    context.clearRect(0, 0, gutter + side, gutter + side);
    context.save();
    context.beginPath();
    context.rect(gutter, gutter, side, side);
    context.clip();
    context.imageSmoothingEnabled = cell < 1;
    context.drawImage(this.pixels, gutter + view.x, gutter + view.y, side * view.scale, side * view.scale);
    if (cell > 9) this.lines(context);
    this.outlines(context);
    this.cross(context);
    context.restore();
    this.names(context);
  }

  lines(context) {
    context.strokeStyle = styleColour("--surface");
    context.lineWidth = 1;
    context.beginPath();
    for (let k = 0; k <= this.size; k++) {
      for (const [x, y, dx, dy] of [
        [this.view.x + k * this.cell, 0, 0, this.side],
        [0, this.view.y + k * this.cell, this.side, 0],
      ]) {
        context.moveTo(this.gutter + x, this.gutter + y);
        context.lineTo(this.gutter + x + dx, this.gutter + y + dy);
      }
    }
    context.stroke();
  }

  // Frames the members of a proposed group that stand together.
  outlines(context) {
    context.lineWidth = Math.max(1.5, Math.min(2.5, this.cell / 6));
    const groupAt = (k) => this.choices.groupOf[this.rows[k].members[0]];
    for (let start = 0; start < this.size; ) {
      const group = groupAt(start);
      let end = start + 1;
      while (end < this.size && group && groupAt(end) === group) end++;
      if (end - start > 1 || this.rows[start].group) {
        context.strokeStyle = group.colour;
        context.strokeRect(
          this.gutter + this.view.x + start * this.cell,
          this.gutter + this.view.y + start * this.cell,
          (end - start) * this.cell,
          (end - start) * this.cell,
        );
      }
      start = end;
    }
  }

  cross(context) {
    const spots = this.at
      ? [this.at]
      : this.choices.selected === null
        ? []
        : [[this.rowOf(this.choices.selected), this.choices.other === null ? -1 : this.rowOf(this.choices.other)]];
    context.fillStyle = theme.isDark ? "rgba(255,255,255,.16)" : "rgba(20,30,45,.13)";
    for (const [row, column] of spots) {
      if (row < 0) continue;
      context.fillRect(this.gutter, this.gutter + this.view.y + row * this.cell, this.side, Math.max(1, this.cell));
      if (column < 0) continue;
      context.fillRect(this.gutter + this.view.x + column * this.cell, this.gutter, Math.max(1, this.cell), this.side);
      for (const [colour, thick] of [
        ["--surface", 4],
        ["--ink", 1.5],
      ]) {
        // seen on light cells and on dark ones
        context.strokeStyle = styleColour(colour);
        context.lineWidth = thick;
        context.strokeRect(
          this.gutter + this.view.x + column * this.cell,
          this.gutter + this.view.y + row * this.cell,
          Math.max(2, this.cell),
          Math.max(2, this.cell),
        );
      }
    }
  }

  // The texts of rows: labels with their second names; folded groups have the names of their steps.
  rowTexts(pixels, room) {
    const single = this.rows.filter((row) => !row.group).map(({ members }) => members[0]);
    const texts = new Map(picturedNames(this.data, single, pixels, room, 600).map((text, k) => [single[k], text]));
    return this.rows.map((row) => (row.group ? shorten(this.name(row), pixels, room, 600) : texts.get(row.members[0])));
  }

  // Labels of all rows and columns in sight where there is room, else of those that are looked at.
  names(context) {
    const { gutter, side, view, cell } = this;
    const pixels = Math.min(11.5, Math.max(8.5, cell - 2));
    if (cell < LABELLED_CELL && !this.at) {
      context.font = `12px ${FONT}`;
      context.fillStyle = styleColour("--muted");
      context.textAlign = "center";
      const hints = theme.printing
        ? [`${thousands(this.size)} rows: too many for labels on paper.`]
        : ["Labels appear when the matrix is enlarged, or pointed at.", "Enlarge to see labels."];
      const hint = hints.find((text) => widthOf(text, 12) <= side + gutter) ?? hints.at(-1);
      const middle = Math.max(gutter + side / 2 - widthOf(hint, 12) / 2, 0) + widthOf(hint, 12) / 2;
      context.fillText(hint, Math.min(middle, gutter + side - widthOf(hint, 12) / 2), gutter - 14);
    }
    const looked = this.at ?? (this.choices.selected === null ? [] : [this.rowOf(this.choices.selected)]);
    context.textBaseline = "middle";
    context.textAlign = "end";
    if (this.texts?.pixels !== pixels)
      this.texts = {
        pixels,
        list: this.rowTexts(pixels, gutter - 14),
      };
    const write = (k, strong) => {
      const [first] = this.rows[k].members;
      context.font = `${strong || this.rows[k].group ? 600 : 400} ${pixels}px ${FONT}`;
      context.fillStyle = this.choices.groupOf[first]?.colour ?? styleColour(strong ? "--ink" : "--muted");
      context.globalAlpha = !strong && this.rows[k].members.every((i) => this.filter.isRare(i)) ? 0.5 : 1;
      return this.texts.list[k];
    };
    for (let k = 0; k < this.size; k++) {
      const strong = looked.includes(k);
      if (cell < LABELLED_CELL && !strong) continue;
      const y = view.y + (k + 0.5) * cell;
      if (y > 0 && y < side && (cell >= LABELLED_CELL || k === looked[0]))
        context.fillText(write(k, k === looked[0]), gutter - 7, gutter + y);
      const x = view.x + (k + 0.5) * cell;
      if (x > 0 && x < side && (cell >= LABELLED_CELL || k === looked[1])) {
        context.save();
        context.translate(gutter + x, gutter - 7);
        context.rotate(Math.PI / 2);
        context.fillText(write(k, k === looked[1]), 0, 0);
        context.restore();
      }
    }
    context.globalAlpha = 1;
  }
}

// --- The matrix: every pair, alike activities beside each other. The stronger the colour, the more alike.

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
        if (this.shadedDark !== theme.isDark) {
          this.shade();
          this.showFolds();
        }
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

// --- The matrix as a picture to be saved, with all labels.

const GUTTER = 190;
const LARGEST = 1600; // pixels of the cells together
const STEP = 8; // of the ramp: cells of a shade are one path, so that there are few shades

// Rows are { text, colour, rare }; `shadeOf` gives the place of a cell in the ramp of colours.
function matrixPicture(parent, rows, ramp, shadeOf) {
  const cell = Math.max(1, Math.min(16, Math.floor(LARGEST / rows.length)));
  const side = GUTTER + cell * rows.length;
  const texts = shortenAll(
    rows.map(({ text }) => text),
    10,
    GUTTER - 12,
  );
  const colours = ramp.map((colour) => `rgb(${colour.map(Math.round).join(",")})`);
  const colourOf = (a, b) => colours[Math.round(shadeOf(a, b) / STEP) * STEP];
  const labels = rows.flatMap(({ colour, rare }, k) => {
    if (cell < 8) return [];
    const at = GUTTER + (k + 0.5) * cell;
    const look = { class: "built-label", "font-size": Math.min(10, cell - 1), fill: colour, opacity: rare ? 0.5 : null };
    return [
      draw("text", { ...look, x: GUTTER - 6, y: at + 3, "text-anchor": "end" }, texts[k]),
      draw("text", { ...look, transform: `translate(${at + 3},${GUTTER - 6}) rotate(-90)` }, texts[k]),
    ];
  });
  return builtPicture(parent, side, side, [...cellPaths(cells(rows.length, cell, colourOf)), ...labels]);
}

// Neighbours of one shade in a row are one cell.
function* cells(size, cell, colourOf) {
  for (let row = 0; row < size; row++) {
    let start = 0;
    let colour = colourOf(row, 0);
    for (let column = 1; column <= size; column++) {
      const next = column < size ? colourOf(row, column) : null;
      if (next === colour) continue;
      yield [GUTTER + start * cell, GUTTER + row * cell, (column - start) * cell, cell, colour];
      [start, colour] = [column, next];
    }
  }
}

// --- The rows (and columns) of the matrix: an activity each, or a folded group.

// Rows in the order of the clustering: { members, group }, where group is null for an activity alone. A folded group stands where its
// first member does; activities that are not shown are left out.
export function matrixRows(order, groupOf, folded, isShown) {
  const rows = [];
  const ofGroup = new Map();
  for (const i of order) {
    if (!isShown(i)) continue;
    const group = groupOf[i];
    if (!group || !folded.has(group.id)) rows.push({ members: [i], group: null });
    else if (ofGroup.has(group.id)) ofGroup.get(group.id).members.push(i);
    else {
      ofGroup.set(group.id, { members: [i], group });
      rows.push(ofGroup.get(group.id));
    }
  }
  return rows.map((row) => (row.members.length > 1 ? row : { ...row, group: null }));
}

// The mean step of the similarities between two rows, or inside one; null for an activity and itself.
export function meanStep(triangle, a, b) {
  let [sum, pairs] = [0, 0];
  for (const i of a.members)
    for (const j of b.members)
      if (i !== j) {
        sum += triangle.step(i, j);
        pairs++;
      }
  return pairs ? Math.round(sum / pairs) : null;
}
