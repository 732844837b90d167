import { blsSignatureBytes, type Endpoint, type RegistryEntry, registryDigest } from '@tutti/core';
import { type HornParameters, longestHornMessageBytes, validateHornParameters } from '@tutti/core/horn';
import { requireArray, requireFunction, requireMethods, requireObject, toHex } from '@tutti/core/input';
import { hostCrypto } from '#host-crypto';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';
import { type GroupKernel, pointsOf } from '../rounds/group.ts';
import { kernelVerifier, type OpenVerifier } from '../rounds/verifier.ts';
import type { HornPointStore } from './authorVerifier.ts';

/** Length of the field before each message of a bundle, bytes. The field contains the message's length. */
export const lengthBytes = 2;
const maxMessageBytes = 256 ** lengthBytes - 1;

/** Operations that Horn requires of a signature scheme. All BLS implementations of this project provide them. */
export interface HornKernel extends GroupKernel {
  /** Opens a store for up to `capacity` decoded points. */
  pointStore(capacity: number): HornPointStore;
}

/** Options of a {@link HornGroup}. */
export interface HornGroupOptions {
  /** Crypto suite. Default: `nodeCrypto`, or `nobleCrypto` outside Node. */
  readonly crypto?: CryptoSuite;
  readonly kernel: HornKernel;
  /**
   * Registry entries, one per validator, each verified with `verifyEntry`. All validators of a node have the network
   * key and endpoint of that node.
   */
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint'>[];
  /** Parameters of the protocol. `validators` must equal the number of entries. */
  readonly parameters: HornParameters;
  /** Number D of a node's neighbours per topic, checked by each slot. Range 1 to 1,024. Default 8. */
  readonly degree?: number;
  /** Function that opens the verifier of a slot's votes. Default: the kernel verifies on this thread, in batches. */
  readonly openVerifier?: OpenVerifier | undefined;
}

/** A node with the validators that it hosts. */
export interface HornHost {
  /** X25519 public key of the node, 32 bytes. */
  readonly networkKey: Uint8Array;
  readonly endpoint: Endpoint;
  /** Registry entries of the node's validators, as indices in ascending order. */
  readonly validators: readonly number[];
}

/**
 * A registry of validators and their nodes, prepared for slots. All nodes of a process share one group. Votes,
 * aggregates and collections are transmitted by plain gossip, as the Horn post assumes.
 *
 * @example
 * ```js
 * import { defaultHornParameters } from '@tutti/core/horn';
 * import { MemoryNetwork, networkKey, nobleCrypto } from '@tutti/transports';
 * import { HornGroup, HornPeer, HornSlot } from '@tutti/transports/rooms';
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
 */
export class HornGroup {
  readonly crypto: CryptoSuite;
  readonly kernel: HornKernel;
  /** Digest of the registry, 32 bytes; see `registryDigest`. */
  readonly digest: Uint8Array;
  readonly parameters: HornParameters;
  readonly degree: number;
  /** Nodes, in the order of each node's first validator. */
  readonly nodes: readonly HornHost[];
  /** Node of each entry, as an index into `nodes`. */
  readonly nodeOf: Int32Array;
  /** Compressed public key of each registry entry. */
  readonly publicKeys: readonly Uint8Array[];
  /** Public key of each registry entry, decoded to a point once for all slots. */
  readonly points: readonly Uint8Array[];
  readonly openVerifier: OpenVerifier;

  /**
   * Validates the options and decodes the public keys.
   *
   * @throws RangeError for a parameter out of range, a number of entries other than `parameters.validators`, an invalid
   * key, or validators with the same network key but different endpoints; TypeError for a missing option or an option
   * of the wrong type.
   */
  constructor(options: HornGroupOptions) {
    requireObject('options', options);
    const { crypto = hostCrypto, kernel, entries, parameters, degree = 8 } = options;
    requireSuite(crypto);
    const methods = ['decodeSignature', 'encodeSignature', 'addSignatures', 'validatePublicKey', 'pointStore'] as const;
    requireMethods('kernel', kernel, methods);
    const { openVerifier = kernelVerifier(kernel) } = options;
    requireFunction('openVerifier', openVerifier);
    requireArray('entries', entries);
    validateHornParameters(parameters);
    const longest = longestHornMessageBytes(parameters, blsSignatureBytes);
    if (longest > maxMessageBytes)
      throw new RangeError(
        `parameters: expected committees whose messages have at most ${maxMessageBytes} bytes, got ${longest}`,
      );
    if (parameters.validators !== entries.length)
      throw new RangeError(
        `parameters.validators: expected ${entries.length}, one per entry, got ${parameters.validators}`,
      );
    this.crypto = crypto;
    this.kernel = kernel;
    this.digest = registryDigest(crypto, { entries });
    this.parameters = parameters;
    this.degree = degree;
    this.nodeOf = new Int32Array(entries.length);
    this.nodes = hostsOf(entries, this.nodeOf);
    this.publicKeys = entries.map(({ publicKey }) => publicKey);
    this.points = pointsOf(kernel, entries);
    this.openVerifier = openVerifier;
  }
}

/** Groups the entries by network key into nodes, and writes the node of each entry into `nodeOf`. */
function hostsOf(entries: HornGroupOptions['entries'], nodeOf: Int32Array): HornHost[] {
  const hosts: { networkKey: Uint8Array; endpoint: Endpoint; validators: number[] }[] = [];
  const byKey = new Map<string, number>();
  for (const [index, { networkKey, endpoint }] of entries.entries()) {
    const key = toHex(networkKey);
    const node = byKey.get(key) ?? hosts.push({ networkKey, endpoint, validators: [] }) - 1;
    byKey.set(key, node);
    const host = hosts[node]!;
    if (host.endpoint.host !== endpoint.host || host.endpoint.port !== endpoint.port)
      throw new RangeError(
        `entry ${index}: expected the endpoint of entry ${host.validators[0]}, which has the same networkKey, got a different endpoint`,
      );
    host.validators.push(index);
    nodeOf[index] = node;
  }
  return hosts;
}
