import type { QUICConnection, QUICStream } from '@matrixai/quic';

/** The longest packet that is read, bytes, as long as a UDP datagram could be. */
export const MAX_MESSAGE_BYTES = 0xffff;

const TAKEN = Uint8Array.of(1);
const HEARD = Uint8Array.of(0);

/**
 * Sends one packet on a stream of its own, so that none waits for another that was lost.
 *
 * @returns whether the other side took it: it was the packet that it expects of us, and need not come again.
 */
export async function sendPacket(connection: QUICConnection, packet: Uint8Array): Promise<boolean> {
  const stream = connection.newStream('bidi');
  const [, answer] = await Promise.all([write(stream, packet), read(stream, TAKEN.length)]);
  return answer?.[0] === TAKEN[0];
}

/**
 * Reads the one packet of a stream and answers what became of it.
 *
 * @param take told the packet; returns whether it was taken.
 * @returns false when there was no packet, or one that is too long.
 */
export async function receivePacket(stream: QUICStream, take: (packet: Uint8Array) => boolean): Promise<boolean> {
  const packet = await read(stream, MAX_MESSAGE_BYTES);
  if (packet === undefined || packet.length === 0) {
    await stream.writable.abort();
    return false;
  }
  await write(stream, take(packet) ? TAKEN : HEARD);
  return true;
}

async function write(stream: QUICStream, bytes: Uint8Array): Promise<void> {
  const writer = stream.writable.getWriter();
  await writer.write(bytes);
  await writer.close();
}

/** All that a stream carries, or undefined when it is more than `mostBytes`. */
async function read(stream: QUICStream, mostBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early tells the other side to stop.
  for await (const part of stream.readable) {
    bytes += part.length;
    if (bytes > mostBytes) return undefined;
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
