/**
 * Parts of the channel and of registries, for other protocols over the same transports. Runs in pages and in Node.
 *
 * @example
 * ```js
 * import { splitMessage } from '@tutti/transports/parts';
 *
 * const pieces = splitMessage(new Uint8Array(3000), 1000, 1);
 * console.log(`${pieces.length} pieces of at most ${Math.max(...pieces.map(({ length }) => length))} bytes`);
 * ```
 *
 * ```text
 * 4 pieces of at most 1000 bytes
 * ```
 *
 * @packageDocumentation
 */

export { Channel } from './channel/channel.ts';
export { Reassembly, type ReassemblyOptions, splitMessage } from './channel/fragments.ts';
export { networkSignatureBytes, verifyNetworkKey } from './channel/networkKey.ts';
export { sessionId } from './channel/session.ts';
export { vouchesFor } from './channel/vouching.ts';
export { Counts } from './counts.ts';
export type { CryptoSuite } from './crypto/suite.ts';
export { requireSuite } from './crypto/suite.ts';
export { LastOf } from './lastOf.ts';
export type { Clock } from './runtime/clock.ts';
export { inLaterTurn } from './transport/laterTurn.ts';
export { requireTransport } from './transport/transport.ts';
