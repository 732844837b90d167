import { interpolateLab, rgb } from 'd3';
import { createElement } from '../html.ts';

/** Canvas that is drawn at the resolution of the screen, limited to two pixels per CSS pixel. */
export interface SharpCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** Size of the canvas in CSS pixels, which are the unit of drawing; 0 until the first call of `resize`. */
  width: number;
  height: number;
  /** Number of canvas pixels per CSS pixel. */
  ratio: number;
  resize(width: number, height: number): void;
}

/** Returns the number of device pixels per CSS pixel with which canvases are drawn, at most 2. */
export function screenRatio(): number {
  return Math.min(2, globalThis.devicePixelRatio || 1);
}

/** Appends a canvas to a host element. */
export function sharpCanvas(host: HTMLElement): SharpCanvas {
  // The canvas takes no space until it is drawn, so that the page does not visibly shift.
  const canvas = createElement('canvas', { width: 0, height: 0 });
  host.append(canvas);
  const context = canvas.getContext('2d')!;
  return {
    canvas,
    context,
    width: 0,
    height: 0,
    ratio: 1,
    resize(width, height) {
      this.width = width;
      this.height = height;
      this.ratio = screenRatio();
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    },
  };
}

/** Adds a cross, which marks Byzantine senders without relying on colour. @param half half of the cross's side. */
export function cross(context: CanvasPath, x: number, y: number, half: number): void {
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x + half, y - half);
  context.lineTo(x - half, y + half);
}

/** Draws a tick, which marks a finished node without relying on colour. @param half half the tick's width. */
export function drawTick(context: CanvasRenderingContext2D, x: number, y: number, half: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = half / 2;
  context.beginPath();
  context.moveTo(x - half, y);
  context.lineTo(x - half * 0.2, y + half * 0.8);
  context.lineTo(x + half, y - half * 0.8);
  context.stroke();
}

/** Number of colours from one contribution to just below the threshold. */
const rampSteps = 64;

/** Colours of the page, each with one meaning, from the style sheet of the current theme. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  /** Colour of background areas: land on the map. */
  readonly land: string;
  /** Colour for a part of a set: a contribution that is included, or an incomplete aggregate. */
  readonly part: string;
  /** Colour for a set that is complete or has reached the threshold. */
  readonly all: string;
  readonly dead: string;
  /** Colour for Byzantine nodes and invalid contributions. */
  readonly bad: string;
  /** Pale form of `bad` for large areas. */
  readonly byzantine: string;
  /** Colours of the steps from one contribution to just below the threshold. */
  readonly ramp: readonly string[];
  /** The colours `ramp`, then `all`, `dead` and `byzantine`, as opaque pixels for image data. */
  readonly pixels: Uint32Array;
}

/** Names of the palette's colours as CSS custom properties, without the leading dashes. */
export const paletteNames: readonly string[] =
  'paper ink muted line land part all dead-fill bad byzantine-fill held-low held-mid held-high'.split(' ');
let last: { readonly of: string; readonly palette: Palette } | undefined;

/** Returns the current colours. @param of an element to which the colours apply. */
export function readPalette(of: Element = document.documentElement): Palette {
  const style = getComputedStyle(of);
  const colours = paletteNames.map((name) => style.getPropertyValue(`--${name}`).trim());
  // The palette is cached, because each figure of a page needs it.
  if (last?.of !== colours.join()) last = { of: colours.join(), palette: paletteOf(colours) };
  return last.palette;
}

function paletteOf(colours: readonly string[]): Palette {
  const colour = (name: string) => rgb(colours[paletteNames.indexOf(name)]!).formatHex();
  const low = interpolateLab(colour('held-low'), colour('held-mid'));
  const high = interpolateLab(colour('held-mid'), colour('held-high'));
  const ramp = Array.from({ length: rampSteps }, (_, step) => {
    const share = step / (rampSteps - 1);
    return share < 0.5 ? low(share * 2) : high(share * 2 - 1);
  });
  const [all, dead, byzantine] = [colour('all'), colour('dead-fill'), colour('byzantine-fill')];
  return {
    paper: colour('paper'),
    ink: colour('ink'),
    muted: colour('muted'),
    line: colour('line'),
    land: colour('land'),
    part: colour('part'),
    all,
    dead,
    bad: colour('bad'),
    byzantine,
    ramp,
    pixels: Uint32Array.from([...ramp, all, dead, byzantine], pixel),
  };
}

/**
 * Returns the index in {@link Palette.pixels} of a node that holds `held` contributions. All steps cover the same share
 * of a doubling, because each level doubles the number of contributions that a node holds.
 */
export function heldIndex(held: number, threshold: number): number {
  if (held >= threshold) return rampSteps;
  if (held <= 1) return 0;
  return Math.min(rampSteps - 1, Math.floor((Math.log2(held) / Math.log2(threshold)) * rampSteps));
}

/**
 * Returns {@link heldIndex} for every possible number of contributions, for views that look it up for thousands of
 * nodes per frame.
 */
export function heldIndices(nodes: number, threshold: number): Uint8Array {
  return Uint8Array.from({ length: nodes + 1 }, (_, held) => heldIndex(held, threshold));
}

/** Index of a dead node in {@link Palette.pixels}. */
export const deadIndex = rampSteps + 1;
/** Index of a Byzantine node in {@link Palette.pixels}. */
export const byzantineIndex = rampSteps + 2;

/** Returns the colour of a node that holds `held` contributions. */
export function heldColour(palette: Palette, held: number, threshold: number): string {
  return palette.ramp[heldIndex(held, threshold)] ?? palette.all;
}

/** Converts a colour to one little-endian RGBA word of image data. */
export function pixel(colour: string): number {
  const { r, g, b } = rgb(colour);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
