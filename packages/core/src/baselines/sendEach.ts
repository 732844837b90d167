import type { Contribution, Port } from '../protocol.ts';

/**
 * Sends one message to each of many, in their order.
 *
 * @param flags one for each receiver.
 */
export function sendEach(
  port: Port,
  receivers: Int32Array,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: Uint8Array,
): void {
  if (port.sendEach !== undefined) {
    port.sendEach(receivers, level, aggregate, individual, flags);
    return;
  }
  for (const [place, to] of receivers.entries()) port.send(to, level, aggregate, individual, flags[place]!);
}
