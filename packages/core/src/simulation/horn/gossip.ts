import type { Mesh } from '../../baselines/mesh.ts';
import { EventQueue } from '../eventQueue.ts';

/** A message that a member of a topic publishes. */
export interface Publication {
  readonly source: number;
  readonly atUs: number;
}

/** A member has a message for the first time: when it came, and when it was verified, in microseconds since it was published. */
export type OnMessage = (arrivedUs: number, verifiedUs: number) => void;

/**
 * Plays messages singly over one topic: whoever has not seen one verifies it and then sends it to all neighbours but the one that it came
 * from.
 *
 * @param costUs what a member takes to verify a message. @param waits whether it does so after those that came before; otherwise each message
 * goes its way as if there were no other. @returns how many copies were sent.
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
  const seen = new Uint8Array(mesh.length * published.length);
  const freeUs = new Float64Array(mesh.length);
  let copies = 0;
  const forward = (message: number, from: number, readyUs: number, except: number): void => {
    for (const to of mesh[from]!) {
      if (to === except) continue;
      copies++;
      queue.push(readyUs + oneWayUs(from, to), 0, to, from, message);
    }
  };
  published.forEach(({ source, atUs }, message) => {
    seen[source * published.length + message] = 1;
    forward(message, source, atUs, -1);
  });
  while (queue.next()) {
    const { b: to, c: from, d: message, timeUs } = queue;
    const at = to * published.length + message;
    if (seen[at] === 1) continue;
    seen[at] = 1;
    const verifiedUs = (waits ? Math.max(timeUs, freeUs[to]!) : timeUs) + costUs;
    freeUs[to] = verifiedUs;
    const { atUs } = published[message]!;
    onMessage(timeUs - atUs, verifiedUs - atUs);
    forward(message, to, verifiedUs, from);
  }
  return copies;
}
