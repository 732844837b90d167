import type { Mesh } from '@tutti/core/protocols';
import { EventQueue } from '../engine/eventQueue.ts';

/** A message that a member of a topic publishes. */
export interface Publication {
  readonly source: number;
  readonly atUs: number;
}

/**
 * A member has a message for the first time: when it came, and when it was verified, in microseconds since it was
 * published.
 */
export type OnMessage = (arrivedUs: number, verifiedUs: number) => void;

/**
 * Plays messages singly over one topic: a member that receives one for the first time verifies it and then sends it to
 * all neighbours except the one it came from.
 *
 * @param costUs what a member takes to verify a message. @param waits whether a message waits for those that came
 *   before it; otherwise each travels as if there were no other. @returns how many copies were sent.
 */
export function gossip(
  mesh: Mesh,
  published: readonly Publication[],
  oneWayUs: (from: number, to: number) => number,
  costUs: number,
  waits: boolean,
  onMessage: OnMessage,
): number {
  const queue = new EventQueue();
  /**
   * When each message reaches each member first, as far as known: copies that arrive no sooner are counted but not
   * played.
   */
  const firstUs = new Float64Array(mesh.length * published.length).fill(Number.POSITIVE_INFINITY);
  const freeUs = new Float64Array(mesh.length);
  let copies = 0;
  const forward = (message: number, from: number, readyUs: number, except: number): void => {
    for (const to of mesh[from]!) {
      if (to === except) continue;
      copies++;
      const atUs = readyUs + oneWayUs(from, to);
      const at = to * published.length + message;
      if (atUs >= firstUs[at]!) continue;
      firstUs[at] = atUs;
      queue.push(atUs, 0, to, from, message);
    }
  };
  published.forEach(({ source, atUs }, message) => {
    firstUs[source * published.length + message] = Number.NEGATIVE_INFINITY;
    forward(message, source, atUs, -1);
  });
  while (queue.next()) {
    const { b: to, c: from, d: message, timeUs } = queue;
    if (firstUs[to * published.length + message] !== timeUs) continue;
    const verifiedUs = (waits ? Math.max(timeUs, freeUs[to]!) : timeUs) + costUs;
    freeUs[to] = verifiedUs;
    const { atUs } = published[message]!;
    onMessage(timeUs - atUs, verifiedUs - atUs);
    forward(message, to, verifiedUs, from);
  }
  return copies;
}
