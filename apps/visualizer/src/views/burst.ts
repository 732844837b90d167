import { rgb } from 'd3';

/** Opacity of a pixel by how many messages are on it, so that a crowd shows where it is densest. */
const opacity = Uint8Array.from({ length: 12 }, (_, on) => Math.round(255 * (1 - 0.62 ** on)));

/** Tens of thousands of messages as one layer of pixels: what a canvas can still draw at every frame where strokes cannot. */
export class Burst {
  readonly #layer = document.createElement('canvas');
  readonly #context = this.#layer.getContext('2d')!;
  #image: ImageData | undefined;
  #part = new Uint8Array(0);
  #all = new Uint8Array(0);
  /** Four numbers a square: x, y, half its side, colour. */
  readonly #squares: number[] = [];

  /** @param width in device pixels, like all of this layer. */
  clear(width: number, height: number): void {
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#layer.width = width;
      this.#layer.height = height;
      this.#image = this.#context.createImageData(width, height);
      this.#part = new Uint8Array(width * height);
      this.#all = new Uint8Array(width * height);
    }
    this.#part.fill(0);
    this.#all.fill(0);
    this.#squares.length = 0;
  }

  add(x: number, y: number, complete: boolean): void {
    const at = Math.round(y) * this.#layer.width + Math.round(x);
    const on = complete ? this.#all : this.#part;
    if (on[at]! < opacity.length - 1) on[at]!++;
  }

  /** A square over the messages, which costs nothing where thousands of rectangles would cost a frame. @param word as {@link pixel} makes it. */
  square(x: number, y: number, half: number, word: number): void {
    this.#squares.push(x, y, half, word);
  }

  paint(partColour: string, allColour: string): HTMLCanvasElement {
    const image = this.#image!;
    const words = new Uint32Array(image.data.buffer);
    const [part, all] = [lowBytes(partColour), lowBytes(allColour)];
    for (let at = 0; at < words.length; at++) {
      const [partOn, allOn] = [this.#part[at]!, this.#all[at]!];
      if (partOn + allOn === 0) words[at] = 0;
      else words[at] = allOn >= partOn ? all | (opacity[allOn]! << 24) : part | (opacity[partOn]! << 24);
    }
    const { width, height } = image;
    for (let at = 0; at < this.#squares.length; at += 4) {
      const [x, y] = [this.#squares[at]!, this.#squares[at + 1]!];
      const [half, word] = [this.#squares[at + 2]!, this.#squares[at + 3]!];
      const [right, bottom] = [Math.min(width, Math.round(x + half)), Math.min(height, Math.round(y + half))];
      for (let row = Math.max(0, Math.round(y - half)); row < bottom; row++)
        words.fill(word, row * width + Math.max(0, Math.round(x - half)), row * width + right);
    }
    this.#context.putImageData(image, 0, 0);
    return this.#layer;
  }
}

/** A colour as the low three bytes of a little-endian RGBA word. */
function lowBytes(colour: string): number {
  const { r, g, b } = rgb(colour);
  return (b << 16) | (g << 8) | r;
}
