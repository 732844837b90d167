import type { Endpoint } from '@tutti/core';
import { fromHex } from '@tutti/core/input';
import { Channel, type networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';

/** Content of the file that a cluster writes for `--ports-file`. */
export interface Ready {
  readonly session: string;
  readonly nodes: readonly Endpoint[];
  readonly processes: readonly number[];
}

/**
 * Returns datagrams to node `to` that an honest peer would not send, each with the expected code of the refusal.
 *
 * @param keys network keys of the nodes.
 */
export function hostileDatagrams(
  keys: readonly ReturnType<typeof networkKey>[],
  { session, nodes }: Ready,
  to: number,
): [code: string, bytes: Uint8Array][] {
  const size = nodes.length;
  const insider = (to + 1) % size;
  const other = (to + 2) % size;
  const channel = (sessionBytes: Uint8Array) =>
    new Channel({
      crypto: nodeCrypto,
      session: sessionBytes,
      self: insider,
      secret: keys[insider]!.secret,
      publicKeys: keys.map((key) => key.publicKey),
    });
  const genuine = channel(fromHex(session, 32)!);
  const sealed = genuine.seal(to, new Uint8Array(200));
  const withByte = (offset: number, value: number) => sealed.with(offset, value);
  return [
    ['too-short', new Uint8Array(0)],
    ['too-short', sealed.slice(0, 20)],
    ['too-long', new Uint8Array(9000).fill(1)],
    ['wrong-version', Uint8Array.from({ length: 300 }, (_, i) => (i * 151) & 0xff)],
    ['wrong-session', channel(new Uint8Array(32)).seal(to, new Uint8Array(200))],
    ['unknown-sender', withByte(5, 0xff)],
    ['misaddressed', genuine.seal(other, new Uint8Array(200))],
    ['forged', sealed.slice(0, -1)],
    ['forged', withByte(16, 0xff)],
    ['forged', withByte(100, sealed[100]! ^ 1)],
    ['unknown-version', sealed],
    ['replayed', sealed],
    ['truncated', genuine.seal(to, Uint8Array.of(0, 1, 1))],
    ['level-out-of-range', genuine.seal(to, Uint8Array.of(0, 1, 255, 0, ...new Uint8Array(200)))],
    ['unknown-flags', genuine.seal(to, Uint8Array.of(0, 1, 1, 0x7e, ...new Uint8Array(200)))],
  ];
}
