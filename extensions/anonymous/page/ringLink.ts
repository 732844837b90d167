import { choice, type Field, fieldsOf, named, optional, whole, word } from '@tutti/visualizer/links/fields';
import { type Flaw, flaws, ringMembers } from './ringMessages.ts';

/** What the page shows, as a link holds it. Members are counted from 0 here, and from 1 in a link. */
export interface RingState {
  readonly signer: number;
  readonly flaw: Flaw;
  readonly isRevealed: boolean;
  readonly cheat: number | undefined;
  readonly members: number;
  /** Per cent of the others who tell. */
  readonly known: number;
}

/** A member: counted from 1 in a link. */
function member(first: number): Field<number> {
  const counted = whole({ min: 1, max: ringMembers }, first + 1);
  return {
    ...counted,
    first,
    read: (text) => minusOne(counted.read(text)),
    nearest: (text) => minusOne(counted.nearest?.(text)),
    write: (place) => String(place + 1),
  };
}

const minusOne = (place: number | undefined) => (place === undefined ? undefined : place - 1);

/** The fields of a link. */
export const ringFields = fieldsOf<RingState>({
  signer: member(4),
  flaw: choice(flaws, 'none'),
  isRevealed: named('reveal', word),
  cheat: optional(member(0)),
  members: choice([64, 256, 1024], 1024),
  known: whole({ min: 0, max: 100 }, 50),
});
