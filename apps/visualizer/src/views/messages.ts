import { type Face, faces } from '../timeline/flights.ts';
import { cross, type Palette, pixel } from './canvas.ts';

/** Length of a message's tail, as a share of its path. */
const tailLength = 0.07;
/**
 * Half width of a message's head and thickness of its tail, px, for messages to the selected node and for other
 * messages.
 */
const looks = { mine: { half: 3, tail: 2 }, others: { half: 1.4, tail: 1 } } as const;
/**
 * Factor for the thickness of a message's tail, by face. A thicker tail identifies a whole side without relying on
 * colour.
 */
export const thicker: Readonly<Record<Face, number>> = { part: 1, all: 1.7, invalid: 1 };
/**
 * Dash pattern of the lines for invalid contributions. The dashes identify invalid contributions without relying on
 * colour.
 */
export const brokenLine: readonly number[] = [5, 3];
/** Ratio of the width of a cross to the width of a dot. */
const crossWidth = 1.5;

/** Returns the colour for a face of a message. */
export function faceColour(palette: Palette, face: Face): string {
  return face === 'invalid' ? palette.bad : palette[face];
}

interface Drawn {
  readonly tails: Path2D;
  readonly heads: Path2D;
}

/** Messages of one kind, grouped by face. Each message is a dot or a cross at its position, with a tail behind it. */
export interface Messages {
  readonly of: keyof typeof looks;
  readonly drawn: Readonly<Record<Face, Drawn>>;
}

export function newMessages(of: Messages['of']): Messages {
  const one = (): Drawn => ({ tails: new Path2D(), heads: new Path2D() });
  return { of, drawn: { part: one(), all: one(), invalid: one() } };
}

/** Adds a message at its position. @param share share of the chord that the message has completed. */
export function addMessage(messages: Messages, chord: Chord, share: number, face: Face): void {
  const { tails, heads } = messages.drawn[face];
  const { half } = looks[messages.of];
  const from = Math.max(0, share - tailLength);
  const [x, y] = [chordX(chord, share), chordY(chord, share)];
  tails.moveTo(chordX(chord, from), chordY(chord, from));
  tails.lineTo(x, y);
  if (face === 'invalid') cross(heads, x, y, crossWidth * half);
  // At this size, a square looks like a dot and is drawn much faster.
  else if (messages.of === 'others') heads.rect(x - half, y - half, 2 * half, 2 * half);
  else {
    heads.moveTo(x + half, y);
    heads.arc(x, y, half, 0, 2 * Math.PI);
  }
}

/** Draws messages. @param tailAlpha opacity of the tails, 0 to 1. */
export function inkMessages(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { of, drawn }: Messages,
  tailAlpha: number,
): void {
  context.lineCap = 'butt';
  for (const face of faces) {
    context.lineWidth = looks[of].tail * thicker[face];
    context.strokeStyle = faceColour(palette, face);
    context.fillStyle = context.strokeStyle;
    context.globalAlpha = tailAlpha;
    context.stroke(drawn[face].tails);
    context.globalAlpha = 1;
    if (face === 'invalid') {
      context.lineWidth = looks[of].half / 2 + 0.5;
      context.stroke(drawn[face].heads);
    } else context.fill(drawn[face].heads);
  }
}

/** Adds the whole chord to a path. */
export function addWay(path: Path2D, chord: Chord): void {
  path.moveTo(chordX(chord, 0), chordY(chord, 0));
  for (let step = 1; step <= 12; step++) path.lineTo(chordX(chord, step / 12), chordY(chord, step / 12));
}

/**
 * Draws the lines of invalid contributions that are being verified. The lines are dashed and cover the whole path,
 * because invalid contributions arrive without delay.
 */
export function inkInvalid(context: CanvasRenderingContext2D, { bad }: Palette, ways: Path2D, heads: Path2D): void {
  context.strokeStyle = bad;
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  context.setLineDash([...brokenLine]);
  context.stroke(ways);
  context.setLineDash([]);
  context.globalAlpha = 1;
  context.lineWidth = 1.6;
  context.stroke(heads);
}

/** Circle of nodes, in the pixels of a drawing. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Path of a message between two points of a circle, as a quadratic curve: start, control and end, x before y. */
type Chord = Float64Array;

export function newChord(): Chord {
  return new Float64Array(6);
}

/** Directions by index: sines and cosines of angles clockwise from the top. */
interface Directions {
  readonly sine: Float64Array;
  readonly cosine: Float64Array;
}

/**
 * Sets `chord` to the path between two directions from the centre of the circle. The path bends inwards; the farther
 * apart the directions are, the more it bends.
 */
export function setChord(chord: Chord, circle: Circle, { sine, cosine }: Directions, from: number, to: number): void {
  const { x, y, radius } = circle;
  const x0 = radius * sine[from]!;
  const y0 = -radius * cosine[from]!;
  const x1 = radius * sine[to]!;
  const y1 = -radius * cosine[to]!;
  // A call of Math.hypot would take longer than the rest of the function.
  const apart = Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2) / radius;
  const pull = 1 - 0.5 * Math.min(1, apart);
  chord[0] = x + x0;
  chord[1] = y + y0;
  chord[2] = x + ((x0 + x1) / 2) * pull;
  chord[3] = y + ((y0 + y1) / 2) * pull;
  chord[4] = x + x1;
  chord[5] = y + y1;
}

/** Returns the horizontal position of a message that has covered `share` of its path, 0 to 1. */
export function chordX(chord: Chord, share: number): number {
  return bezier(chord[0]!, chord[2]!, chord[4]!, share);
}

export function chordY(chord: Chord, share: number): number {
  return bezier(chord[1]!, chord[3]!, chord[5]!, share);
}

function bezier(from: number, control: number, to: number, share: number): number {
  const rest = 1 - share;
  return rest * rest * from + 2 * rest * share * control + share * share * to;
}

/** Opacity of a pixel by the number of messages on it, so that dense areas stand out. */
const opacity = Uint8Array.from({ length: 12 }, (_, on) => Math.round(255 * (1 - 0.62 ** on)));

/**
 * Layer of pixels for tens of thousands of messages, for which strokes on a canvas are too slow. The caller draws a
 * frame with `clear`, `add` for each message, `ink`, and `square` for each node. Only pixels that contain messages are
 * processed.
 */
export class Burst {
  #image = new ImageData(1, 1);
  #words = new Uint32Array(this.#image.data.buffer);
  /** Number of messages on each pixel, by face. */
  #on = layersOf(1);
  /** Pixels that contain messages. */
  #touched = new Int32Array(1);
  #count = 0;

  /** Image data for a canvas. */
  get image(): ImageData {
    return this.#image;
  }

  /** Starts an empty frame. @param width width in device pixels, the unit of all sizes in this layer. */
  clear(width: number, height: number): void {
    if (this.#image.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height);
      this.#words = new Uint32Array(this.#image.data.buffer);
      this.#on = layersOf(width * height);
      this.#touched = new Int32Array(width * height);
    } else this.#words.fill(0);
    this.#count = 0;
  }

  /** Adds a pixel of a message. Ignores positions above and below the layer. */
  add(x: number, y: number, face: Face): void {
    const at = Math.round(y) * this.#image.width + Math.round(x);
    const { part, all, invalid } = this.#on;
    if (!(at >= 0 && at < part.length)) return;
    if (part[at] === 0 && all[at] === 0 && invalid[at] === 0) this.#touched[this.#count++] = at;
    const on = this.#on[face];
    if (on[at]! < opacity.length - 1) on[at]!++;
  }

  /**
   * Colours each pixel with its most frequent face. If faces are equally frequent, `invalid` precedes `all`, and `all`
   * precedes `part`.
   */
  ink(palette: Palette): void {
    const { part, all, invalid } = this.#on;
    const wordOf = (face: Face) => pixel(faceColour(palette, face)) & 0xff_ff_ff;
    const [partWord, allWord, invalidWord] = [wordOf('part'), wordOf('all'), wordOf('invalid')];
    for (let place = 0; place < this.#count; place++) {
      const at = this.#touched[place]!;
      const [parts, wholes, invalids] = [part[at]!, all[at]!, invalid[at]!];
      const [max, word] = wholes >= parts ? [wholes, allWord] : [parts, partWord];
      this.#words[at] = invalids >= max ? invalidWord | (opacity[invalids]! << 24) : word | (opacity[max]! << 24);
      part[at] = 0;
      all[at] = 0;
      invalid[at] = 0;
    }
    this.#count = 0;
  }

  /**
   * Draws a square over the messages, faster than a rectangle on the canvas. Draws nothing if the square would extend
   * beyond the edge.
   *
   * @param x horizontal centre of the square. @param side side of the square, whole device pixels. @param word colour
   * as returned by `pixel`.
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
  return { part: new Uint8Array(pixels), all: new Uint8Array(pixels), invalid: new Uint8Array(pixels) };
}
