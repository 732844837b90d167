import { type Chord, chordX, chordY } from './chord.ts';
import type { Palette } from './palette.ts';

/** The share of its way that a message's tail is long. */
const tailLength = 0.07;
/** Pixels: half a head's width, and how thick a tail is. Those to the node that is looked at are larger. */
const looks = { mine: { half: 3, tail: 2 }, others: { half: 1.4, tail: 1 } } as const;
/** A tail of what is whole is so many times as thick, which reads in grey. */
export const thicker = { part: 1, all: 1.7 } as const;

/** Messages of one kind, by whether they carry all of their side. Each is a dot with a tail: where it is, and where from. */
export interface Messages {
  readonly of: keyof typeof looks;
  readonly part: { readonly tails: Path2D; readonly heads: Path2D };
  readonly all: { readonly tails: Path2D; readonly heads: Path2D };
}

export function newMessages(of: Messages['of']): Messages {
  const one = () => ({ tails: new Path2D(), heads: new Path2D() });
  return { of, part: one(), all: one() };
}

/** @param share of its way along the chord that is done. */
export function addMessage(messages: Messages, chord: Chord, share: number, isWhole: boolean): void {
  const { tails, heads } = isWhole ? messages.all : messages.part;
  const { half } = looks[messages.of];
  const from = Math.max(0, share - tailLength);
  const [x, y] = [chordX(chord, share), chordY(chord, share)];
  tails.moveTo(chordX(chord, from), chordY(chord, from));
  tails.lineTo(x, y);
  // A square so small looks like a dot, and takes a fraction of the time.
  if (messages.of === 'others') heads.rect(x - half, y - half, 2 * half, 2 * half);
  else {
    heads.moveTo(x + half, y);
    heads.arc(x, y, half, 0, 2 * Math.PI);
  }
}

export function inkMessages(
  context: CanvasRenderingContext2D,
  palette: Palette,
  messages: Messages,
  tailAlpha: number,
): void {
  context.lineCap = 'butt';
  for (const kind of ['part', 'all'] as const) {
    context.lineWidth = looks[messages.of].tail * thicker[kind];
    context.strokeStyle = palette[kind];
    context.fillStyle = palette[kind];
    context.globalAlpha = tailAlpha;
    context.stroke(messages[kind].tails);
    context.globalAlpha = 1;
    context.fill(messages[kind].heads);
  }
}
