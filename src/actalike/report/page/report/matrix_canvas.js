// How the matrix is drawn: cells, lines between them, frames of groups, the cross of what is looked at, and labels.

import { thousands } from "../shared/formats.js";
import { FONT, shorten, widthOf } from "../shared/text_width.js";
import { styleColour, theme } from "../shared/theme.js";
import { picturedNames } from "./pictured_names.js";

const LABELLED_CELL = 10.5; // pixels; in smaller cells there is no room for labels

// The matrix that extends it has rows, data, choices, filter and view; `shade` makes the picture of a pixel for each cell.
export class MatrixCanvas {
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
