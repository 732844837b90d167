/** Circle of nodes, in the pixels of a drawing. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Path of a message between two points of a circle, as a quadratic curve: start, control and end, x before y. */
export type Chord = Float64Array;

export function newChord(): Chord {
  return new Float64Array(6);
}

/** Directions by index: sines and cosines of angles clockwise from the top. */
interface Directions {
  readonly sine: Float64Array;
  readonly cosine: Float64Array;
}

/**
 * Sets `chord` to the path between two directions on the circle. It bends inwards; the farther the directions are
 * apart, the more it bends.
 */
export function setChord(chord: Chord, circle: Circle, { sine, cosine }: Directions, from: number, to: number): void {
  const { x, y, radius } = circle;
  const x0 = radius * sine[from]!;
  const y0 = -radius * cosine[from]!;
  const x1 = radius * sine[to]!;
  const y1 = -radius * cosine[to]!;
  // Math.hypot would take longer than the rest of the function.
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
