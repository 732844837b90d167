import type { EventReader } from '../speed/prefetcher.ts';

/**
 * How a run writes an event as the queue's four integers. The head has the node's id, the event's kind over it, and
 * {@link hasWaited}; the others, by kind:
 *
 * - a start: nothing;
 * - a message: b has the sender, the level and the flags, c and d the aggregate and the individual contribution;
 * - a timer: b is the node's number for it;
 * - a verification: b is its ticket; of one contribution c is 1 if it is valid and d is 0; of a batch c has a bit for
 *   each verdict and d their number; d is {@link inDeferred} where c is the place to ask for the verdict with.
 */
export const EventKind = { start: 0, message: 1, timer: 2, verified: 3 } as const;

export const idBits = 20;
export const idMask = (1 << idBits) - 1;
export const levelShift = idBits;
export const levelMask = 31;
export const flagsShift = idBits + 5;

/** In the head of an event that has waited for its core. */
export const hasWaited = 1 << (idBits + 2);

/** In the place of a verification's count of verdicts: the verdict is still to be asked for. */
export const inDeferred = -1;

/** For what is read ahead. */
export const readEvent: EventReader = {
  receiver: (head) => head & idMask,
  level: (head, b) => (((head >>> idBits) & 3) === EventKind.message ? (b >>> levelShift) & levelMask : 0),
  sender: (b) => b & idMask,
};
