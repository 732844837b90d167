import { interpolateLab, rgb } from 'd3';

const rampSteps = 64;

/** The page's few colours, each with one meaning, as the style sheet has them for the theme in force. */
export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  /** Ground that is not looked at: land on the map. */
  readonly land: string;
  /** Part of a set: a contribution that is in, an aggregate that is not complete. */
  readonly part: string;
  /** All of a set: complete, or at the threshold. */
  readonly all: string;
  readonly dead: string;
  /** Byzantine, or wrong. */
  readonly bad: string;
  /** `bad`, quietly: an area that is not to be looked at first. */
  readonly byzantine: string;
  /** From one contribution to just under the threshold. */
  readonly ramp: readonly string[];
  /** `ramp`, then `all`, `dead` and `byzantine`, as opaque pixels for image data. */
  readonly pixels: Uint32Array;
}

/** Names of the palette's colours as custom properties, without the dashes. */
export const paletteNames: readonly string[] =
  'paper ink muted line land part all dead-fill bad byzantine-fill held-low held-mid held-high'.split(' ');
let last: { readonly of: string; readonly palette: Palette } | undefined;

/** The colours in force now. @param of an element that has them. */
export function readPalette(of: Element = document.documentElement): Palette {
  const style = getComputedStyle(of);
  const colours = paletteNames.map((name) => style.getPropertyValue(`--${name}`).trim());
  // A page needs them for each of its figures.
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
 * The palette index of a node that holds `held`: steps of equal size a doubling, because each level doubles what a node
 * holds.
 */
export function heldIndex(held: number, threshold: number): number {
  if (held >= threshold) return rampSteps;
  if (held <= 1) return 0;
  return Math.min(rampSteps - 1, Math.floor((Math.log2(held) / Math.log2(threshold)) * rampSteps));
}

/**
 * {@link heldIndex} of every weight that a node can hold, for views that need it for thousands of nodes at every frame.
 */
export function heldIndices(nodes: number, threshold: number): Uint8Array {
  return Uint8Array.from({ length: nodes + 1 }, (_, held) => heldIndex(held, threshold));
}

/** The index of a dead node in {@link Palette.pixels}. */
export const deadIndex = rampSteps + 1;
/** The index of a Byzantine one. */
export const byzantineIndex = rampSteps + 2;

export function heldColour(palette: Palette, held: number, threshold: number): string {
  return palette.ramp[heldIndex(held, threshold)] ?? palette.all;
}

/** A colour as one little-endian RGBA word of image data. */
export function pixel(colour: string): number {
  const { r, g, b } = rgb(colour);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
