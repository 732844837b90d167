/**
 * Horn over real transports: {@link HornGroup} is a registry of validators and their nodes, {@link HornSlot} one slot of
 * it, and {@link HornPeer} a node in the slot with its validators. Votes, aggregates and collections travel by plain
 * gossip, as the post assumes. Runs in pages and in Node.
 *
 * @example
 * ```js
 * import { defaultHornParameters } from '@tutti/core/horn';
 * import { networkKey } from '@tutti/transports';
 * import { MemoryNetwork, nobleCrypto } from '@tutti/transports/browser';
 * import { HornGroup, HornPeer, HornSlot } from '@tutti/transports/horn';
 * import { loadBls } from '@tutti/wasm-bls';
 *
 * const [bls, memory] = [await loadBls(), new MemoryNetwork()];
 * const draw = () => crypto.getRandomValues(new Uint8Array(32));
 * const hosts = [0, 1].map(() => ({ network: networkKey(nobleCrypto), transport: memory.open() }));
 * const secrets = Array.from({ length: 8 }, () => bls.keyGen(draw()));
 * const entries = secrets.map((secret, validator) => {
 *   const { network, transport } = hosts[validator % 2];
 *   return { publicKey: bls.publicKey(secret), networkKey: network.publicKey, endpoint: transport.local };
 * });
 * const sizes = { validators: 8, committees: 1, subcommittees: 2, aggregators: 4, collectors: 8 };
 * const times = { slotSeconds: 6, addedSeconds: 4 };
 * const group = new HornGroup({ kernel: bls, entries, parameters: { ...defaultHornParameters, ...sizes, ...times } });
 * const slot = new HornSlot(group, { number: 1, message: new TextEncoder().encode('slot 1'), seed: 5 });
 *
 * const sign = (validator, message) => bls.sign(secrets[validator], message);
 * const ended = hosts.map(
 *   ({ network, transport }, node) =>
 *     new Promise((onEnd, onFailure) => {
 *       const networkSecret = network.secret;
 *       new HornPeer({ slot, node, networkSecret, sign, transport, onEnd, onFailure }).start();
 *     }),
 * );
 * const [peer, ...others] = await Promise.all(ended);
 * const { votes, collections } = peer.block();
 * console.log(`${votes} votes in ${collections.length} collection, ${collections[0].signature.length} bytes signed`);
 * for (const one of [peer, ...others]) await one.close();
 * slot.close();
 * ```
 *
 * ```text
 * 8 votes in 1 collection, 96 bytes signed
 * ```
 *
 * @packageDocumentation
 */
export type { BlockVotes, HornBlock } from './horn/block.ts';
export { HornGroup, type HornGroupOptions, type HornHost, type HornKernel } from './horn/hornGroup.ts';
export {
  type HornCounts,
  HornPeer,
  type HornPeerOptions,
  type HornReport,
  type TimedMessage,
} from './horn/hornPeer.ts';
export { HornSlot, type HornSlotOptions, type SlotMessage } from './horn/hornSlot.ts';
export { type TimerClock, withTimers } from './horn/timerClock.ts';
export { SharedTransport } from './rounds/sharedTransport.ts';
