import type { EventReader } from '../speed/prefetcher.ts';

/**
 * Encoding of an event as four integers in the queue. The head contains the node's id and, in the bits above the id,
 * the event's kind and {@link hasWaited}. The other integers depend on the kind:
 *
 * - a start: unused;
 * - a message: b contains the sender in its low 20 bits, then the level in 5 bits and the flags; c and d are the
 *   aggregate and the individual contribution;
 * - a timer: b is the node's number for the timer;
 * - a verification: b is the verification's ticket. For a single contribution, c is 1 if the contribution is valid, and
 *   d is 0. For a batch, c has one bit per verdict, and d is the number of verdicts. If c is the index of a deferred
 *   verdict, d is {@link inDeferred}.
 */
export const EventKind = { start: 0, message: 1, timer: 2, verified: 3 } as const;

export const idBits = 20;
export const idMask = (1 << idBits) - 1;
export const levelShift = idBits;
export const levelMask = 31;
export const flagsShift = idBits + 5;

/** Flag in the head of an event that has waited for its core. */
export const hasWaited = 1 << (idBits + 2);

/** Value that replaces the number of verdicts if the verdict must still be read. */
export const inDeferred = -1;

/** Reads the properties of an event that a prefetcher needs. */
export const readEvent: EventReader = {
  receiver: (head) => head & idMask,
  level: (head, b) => (((head >>> idBits) & 3) === EventKind.message ? (b >>> levelShift) & levelMask : 0),
  sender: (b) => b & idMask,
};
