import { type Face, faces } from '../timeline/messageFace.ts';
import { cross } from './canvas.ts';
import { type Chord, chordX, chordY } from './chord.ts';
import type { Palette } from './palette.ts';

/** Length of a message's tail, as a share of its path. */
const tailLength = 0.07;
/** Half width of a head and thickness of a tail, pixels, for messages to the selected node and for others. */
const looks = { mine: { half: 3, tail: 2 }, others: { half: 1.4, tail: 1 } } as const;
/** Factor of a tail's thickness by face. It shows whole sides without colour. */
export const thicker: Readonly<Record<Face, number>> = { part: 1, all: 1.7, lie: 1 };
/** Dash pattern of invalid contributions. It shows them without colour. */
export const brokenLine: readonly number[] = [5, 3];
/** Ratio of a cross's width to a dot's width. */
const crossWidth = 1.5;

/** Returns the colour of a face. */
export function faceColour(palette: Palette, face: Face): string {
  return face === 'lie' ? palette.bad : palette[face];
}

interface Drawn {
  readonly tails: Path2D;
  readonly heads: Path2D;
}

/** Messages of one kind by face. Each is a dot, or a cross, at its position, with a tail behind it. */
export interface Messages {
  readonly of: keyof typeof looks;
  readonly drawn: Readonly<Record<Face, Drawn>>;
}

export function newMessages(of: Messages['of']): Messages {
  const one = (): Drawn => ({ tails: new Path2D(), heads: new Path2D() });
  return { of, drawn: { part: one(), all: one(), lie: one() } };
}

/** @param share completed share of the path along the chord. */
export function addMessage(messages: Messages, chord: Chord, share: number, face: Face): void {
  const { tails, heads } = messages.drawn[face];
  const { half } = looks[messages.of];
  const from = Math.max(0, share - tailLength);
  const [x, y] = [chordX(chord, share), chordY(chord, share)];
  tails.moveTo(chordX(chord, from), chordY(chord, from));
  tails.lineTo(x, y);
  if (face === 'lie') cross(heads, x, y, crossWidth * half);
  // A square of this size looks like a dot, and draws much faster.
  else if (messages.of === 'others') heads.rect(x - half, y - half, 2 * half, 2 * half);
  else {
    heads.moveTo(x + half, y);
    heads.arc(x, y, half, 0, 2 * Math.PI);
  }
}

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
    if (face === 'lie') context.lineWidth = looks[of].half / 2 + 0.5;
    if (face === 'lie') context.stroke(drawn[face].heads);
    else context.fill(drawn[face].heads);
  }
}

/** Adds the whole chord to a path. */
export function addWay(path: Path2D, chord: Chord): void {
  path.moveTo(chordX(chord, 0), chordY(chord, 0));
  for (let step = 1; step <= 12; step++) path.lineTo(chordX(chord, step / 12), chordY(chord, step / 12));
}

/**
 * Draws the lines of invalid contributions that are being verified. The lines are dashed and complete, because these
 * contributions arrive without delay.
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
