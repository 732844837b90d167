/**
 * Parts of the channel and of registries, for protocols of one's own over the same transports. Runs in pages and in Node.
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
export {
  requireArray,
  requireBytesIn,
  requireInt32Array,
  requireMethods,
  requireObject,
  requireSuite,
  requireTransport,
} from './arguments.ts';
export { concat, readUint, writeUint } from './bytes.ts';
export { Channel } from './channel/channel.ts';
export { Reassembly, type ReassemblyOptions, splitMessage } from './channel/fragments.ts';
export { identityStatement, registrationStatement, ringKeyStatement } from './channel/identity.ts';
export { networkKeyBytes } from './channel/networkKey.ts';
export { networkSignatureBytes, verifyNetworkKey } from './channel/networkSignature.ts';
export { vouchesFor } from './channel/vouching.ts';
export { Counts } from './counts.ts';
export type { CryptoSuite } from './crypto/suite.ts';
export { blsPublicKeyBytes, blsSignatureBytes, type RegistryVerifier, verifyEntry } from './registry/registry.ts';
export {
  canonicalHost,
  expectedHost,
  isHostFor,
  type RegistryTransport,
  registryTransports,
} from './registry/registryAddress.ts';
export type { ListedEntry } from './registry/registryFile.ts';
export { type SharedKey, sharedKeys } from './registry/sharedKeys.ts';
export type { Clock } from './runtime/clock.ts';
export { inLaterTurn } from './transport/laterTurn.ts';
