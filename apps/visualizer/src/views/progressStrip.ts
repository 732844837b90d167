import type { RunIndex } from '../timeline/runIndex.ts';
import { byzantineIndex, deadIndex, heldIndex, type Palette, pixel } from './palette.ts';
import type { ProgressLayout } from './progressLayout.ts';
import { crossPath, roleClass, tickPath } from './tick.ts';

/** Distance between ticks, CSS pixels. Alternate rows are shifted by half a step. */
const tickStep = { across: 26, down: 14 };
const tickSide = 9;
/** Distance between crosses in a Byzantine node's row, CSS pixels. Thinner rows have no crosses. */
const crossStep = 14;
const leastCrossed = 2.5;
const opaque = pixel('#000');

/**
 * Strip of the contributions that all nodes hold: one pixel per column and row of the grid, with ticks over finished
 * nodes.
 */
export class ProgressStrip {
  readonly #strip = document.createElement('canvas');
  /** Ticks of finished nodes, at the strip's size on the screen. */
  readonly #ticks = document.createElement('canvas');

  /** Paints the strip. @param ratio screen pixels per CSS pixel. */
  paint({ recording, grid }: RunIndex, layout: ProgressLayout, palette: Palette, ratio: number): void {
    const { threshold } = recording.world;
    this.#strip.width = grid.columns;
    this.#strip.height = grid.rows;
    const context = this.#strip.getContext('2d')!;
    const image = context.createImageData(grid.columns, grid.rows);
    const words = new Uint32Array(image.data.buffer);
    const { pixels } = palette;
    const done = context.createImageData(grid.columns, grid.rows);
    const doneWords = new Uint32Array(done.data.buffer);
    const liars: number[] = [];
    for (let row = 0; row < grid.rows; row++) {
      const start = row * grid.columns;
      if (grid.live[row] === 0) {
        const roles = recording.world.alive.subarray(row * grid.perRow, (row + 1) * grid.perRow);
        const isByzantine = roleClass(roles) === 'byzantine';
        if (isByzantine) liars.push(row);
        words.fill(pixels[isByzantine ? byzantineIndex : deadIndex]!, start, start + grid.known);
        continue;
      }
      for (let column = 0; column < grid.known; column++) {
        const held = grid.held[start + column]!;
        words[start + column] = held === 0 ? 0 : pixels[heldIndex(held, threshold)]!;
        if (held >= threshold) doneWords[start + column] = opaque;
      }
    }
    context.putImageData(done, 0, 0);
    this.#paintTicks(layout, palette, ratio);
    this.#paintCrosses(liars, grid, layout, palette);
    context.putImageData(image, 0, 0);
  }

  draw(context: CanvasRenderingContext2D, { strip, left, right }: ProgressLayout): void {
    const [width, height] = [right - left, strip.bottom - strip.top];
    // Rows thinner than a pixel are averaged; others keep sharp edges.
    context.imageSmoothingEnabled = this.#strip.height > height;
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#strip, left, strip.top, width, height);
    context.drawImage(this.#ticks, left, strip.top, width, height);
  }

  /** Draws crosses along the rows of Byzantine nodes. They show these nodes without colour. */
  #paintCrosses(
    liars: readonly number[],
    { rows, columns, known }: RunIndex['grid'],
    { strip, left, right }: ProgressLayout,
    palette: Palette,
  ): void {
    const height = (strip.bottom - strip.top) / rows;
    if (height < leastCrossed) return;
    const context = this.#ticks.getContext('2d')!;
    const crosses: string[] = [];
    for (const row of liars)
      for (let x = crossStep / 2; x < ((right - left) * known) / columns; x += crossStep)
        crosses.push(crossPath({ x, y: row * height, width: height * 1.4, height: height * 1.4 }));
    context.globalCompositeOperation = 'source-over';
    context.strokeStyle = palette.bad;
    context.lineWidth = 1;
    context.stroke(new Path2D(crosses.join('')));
  }

  /** Draws scattered ticks over finished areas, because rows may be too thin for one tick each. */
  #paintTicks({ strip, left, right }: ProgressLayout, palette: Palette, ratio: number): void {
    const [width, height] = [right - left, strip.bottom - strip.top];
    this.#ticks.width = Math.round(width * ratio);
    this.#ticks.height = Math.round(height * ratio);
    const context = this.#ticks.getContext('2d')!;
    context.scale(ratio, ratio);
    const ticks: string[] = [];
    for (let row = 0; row * tickStep.down < height; row++) {
      const aside = row % 2 === 0 ? 0 : tickStep.across / 2;
      for (let x = aside; x < width; x += tickStep.across)
        ticks.push(tickPath({ x, y: row * tickStep.down + 3, width: tickSide, height: tickSide }));
    }
    context.strokeStyle = palette.paper;
    context.lineWidth = 1.25;
    context.lineCap = 'round';
    context.stroke(new Path2D(ticks.join('')));
    context.globalCompositeOperation = 'destination-in';
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#strip, 0, 0, width, height);
  }
}
