import { type Face, faces } from '../timeline/messageFace.ts';
import { cross } from './canvas.ts';
import { type Chord, chordX, chordY } from './chord.ts';
import type { Palette } from './palette.ts';

/** The share of its way that a message's tail is long. */
const tailLength = 0.07;
/** Pixels: half a head's width, and how thick a tail is. Those to the node that is looked at are larger. */
const looks = { mine: { half: 3, tail: 2 }, others: { half: 1.4, tail: 1 } } as const;
/** A tail of what is whole is so many times as thick, which reads in grey. */
export const thicker: Readonly<Record<Face, number>> = { part: 1, all: 1.7, lie: 1 };
/** A line of a lie is broken, which reads without its colour. */
export const brokenLine: readonly number[] = [5, 3];
/** A cross is so much wider than a dot. */
const crossWidth = 1.5;

/** The colour of a face. */
export function faceColour(palette: Palette, face: Face): string {
  return face === 'lie' ? palette.bad : palette[face];
}

interface Drawn {
  readonly tails: Path2D;
  readonly heads: Path2D;
}

/** Messages of one kind, by their face. Each is a dot, or a cross, with a tail: where it is, and where from. */
export interface Messages {
  readonly of: keyof typeof looks;
  readonly drawn: Readonly<Record<Face, Drawn>>;
}

export function newMessages(of: Messages['of']): Messages {
  const one = (): Drawn => ({ tails: new Path2D(), heads: new Path2D() });
  return { of, drawn: { part: one(), all: one(), lie: one() } };
}

/** @param share of its way along the chord that is done. */
export function addMessage(messages: Messages, chord: Chord, share: number, face: Face): void {
  const { tails, heads } = messages.drawn[face];
  const { half } = looks[messages.of];
  const from = Math.max(0, share - tailLength);
  const [x, y] = [chordX(chord, share), chordY(chord, share)];
  tails.moveTo(chordX(chord, from), chordY(chord, from));
  tails.lineTo(x, y);
  if (face === 'lie') cross(heads, x, y, crossWidth * half);
  // A square so small looks like a dot, and takes a fraction of the time.
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

/** Adds all of a chord. */
export function addWay(path: Path2D, chord: Chord): void {
  path.moveTo(chordX(chord, 0), chordY(chord, 0));
  for (let step = 1; step <= 12; step++) path.lineTo(chordX(chord, step / 12), chordY(chord, step / 12));
}

/** Lies under check: they take no time on their way, so that all of it is drawn at once, broken. */
export function inkLies(context: CanvasRenderingContext2D, { bad }: Palette, ways: Path2D, heads: Path2D): void {
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
