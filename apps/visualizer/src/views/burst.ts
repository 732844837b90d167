import { rgb } from 'd3';
import type { Face } from '../timeline/messageFace.ts';
import { faceColour } from './messages.ts';
import type { Palette } from './palette.ts';

/** Opacity of a pixel by the number of messages on it, so that dense areas are visible. */
const opacity = Uint8Array.from({ length: 12 }, (_, on) => Math.round(255 * (1 - 0.62 ** on)));

/**
 * Layer of pixels for tens of thousands of messages, for which strokes on a canvas are too slow. In each frame, clear
 * it, add messages, ink them, and add squares over them. Only pixels with messages are processed.
 */
export class Burst {
  #image = new ImageData(1, 1);
  #words = new Uint32Array(this.#image.data.buffer);
  /** Number of messages on each pixel, by face. */
  #on = layersOf(1);
  /** Pixels with messages on them. */
  #touched = new Int32Array(1);
  #count = 0;

  /** Image data for a canvas. */
  get image(): ImageData {
    return this.#image;
  }

  /** @param width width in device pixels, like all sizes of this layer. */
  clear(width: number, height: number): void {
    if (this.#image.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height);
      this.#words = new Uint32Array(this.#image.data.buffer);
      this.#on = layersOf(width * height);
      this.#touched = new Int32Array(width * height);
    } else this.#words.fill(0);
    this.#count = 0;
  }

  add(x: number, y: number, face: Face): void {
    const at = Math.round(y) * this.#image.width + Math.round(x);
    const { part, all, lie } = this.#on;
    if (!(at >= 0 && at < part.length)) return;
    if (part[at] === 0 && all[at] === 0 && lie[at] === 0) this.#touched[this.#count++] = at;
    const on = this.#on[face];
    if (on[at]! < opacity.length - 1) on[at]!++;
  }

  /** Colours each pixel with its most frequent face. If several are equally frequent, the more serious one is used. */
  ink(palette: Palette): void {
    const { part, all, lie } = this.#on;
    const wordOf = (face: Face) => lowBytes(faceColour(palette, face));
    const [partWord, allWord, lieWord] = [wordOf('part'), wordOf('all'), wordOf('lie')];
    for (let place = 0; place < this.#count; place++) {
      const at = this.#touched[place]!;
      const [parts, wholes, lies] = [part[at]!, all[at]!, lie[at]!];
      const [max, word] = wholes >= parts ? [wholes, allWord] : [parts, partWord];
      this.#words[at] = lies >= max ? lieWord | (opacity[lies]! << 24) : word | (opacity[max]! << 24);
      part[at] = 0;
      all[at] = 0;
      lie[at] = 0;
    }
    this.#count = 0;
  }

  /**
   * Draws a square over the messages, faster than a rectangle on the canvas. Draws nothing if the square would extend
   * beyond the edge.
   *
   * @param x horizontal centre. @param side whole device pixels. @param word colour as returned by `pixel` of palette.ts.
   */
  square(x: number, y: number, side: number, word: number): void {
    const { width, height } = this.#image;
    const [left, top] = [Math.round(x - side / 2), Math.round(y - side / 2)];
    if (left < 0 || top < 0 || left + side > width || top + side > height) return;
    for (let row = top * width + left, end = row + side * width; row < end; row += width)
      for (let at = row; at < row + side; at++) this.#words[at] = word;
  }
}

function layersOf(pixels: number): Readonly<Record<Face, Uint8Array>> {
  return { part: new Uint8Array(pixels), all: new Uint8Array(pixels), lie: new Uint8Array(pixels) };
}

/** Returns the low three bytes of a colour as a little-endian RGBA word. */
function lowBytes(colour: string): number {
  const { r, g, b } = rgb(colour);
  return (b << 16) | (g << 8) | r;
}
