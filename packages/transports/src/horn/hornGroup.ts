import { type HornParameters, validateHornParameters } from '@tutti/core/horn';
import { requireArray, requireFunction, requireMethods, requireObject, toHex } from '@tutti/core/input';
import { type Endpoint, type RegistryEntry, registryDigest } from '@tutti/core/registry';
import { hostCrypto } from '#host-crypto';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';
import type { GroupKernel } from '../rounds/round.ts';
import { kernelVerifier, type OpenVerifier } from '../rounds/verifier.ts';
import type { HornPointStore } from './authors.ts';

/** What Horn needs of a signature scheme; any BLS implementation of this project is one. */
export interface HornKernel extends GroupKernel {
  pointStore(capacity: number): HornPointStore;
}

/** What a {@link HornGroup} is made of. */
export interface HornGroupOptions {
  /** Default: `nodeCrypto`, or `nobleCrypto` where there is no Node. */
  readonly crypto?: CryptoSuite;
  readonly kernel: HornKernel;
  /**
   * One entry per validator, each verified with `verifyEntry`. The validators of a node have its network key and its
   * endpoint.
   */
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint'>[];
  /** `validators` is the number of entries. */
  readonly parameters: HornParameters;
  /** D, neighbours of a node on a topic. Default 8. */
  readonly degree?: number;
  /** Opens the verifier of a slot's votes. Default: the kernel verifies on this thread, in batches. */
  readonly openVerifier?: OpenVerifier;
}

/** A node and the validators that it hosts. */
export interface HornHost {
  /** X25519 public key. */
  readonly networkKey: Uint8Array;
  readonly endpoint: Endpoint;
  /** Entries of its validators. */
  readonly validators: readonly number[];
}

/** A registry of validators and their nodes, made ready for slots. The nodes of one process share one. */
export class HornGroup {
  readonly crypto: CryptoSuite;
  readonly kernel: HornKernel;
  /** 32 bytes, see `registryDigest`. */
  readonly digest: Uint8Array;
  readonly parameters: HornParameters;
  readonly degree: number;
  /** Nodes in the order of their first validators. */
  readonly nodes: readonly HornHost[];
  /** The node of each entry. */
  readonly nodeOf: Int32Array;
  /** Public keys by entry, compressed. */
  readonly publicKeys: readonly Uint8Array[];
  /** The same as points, decoded once for all slots. */
  readonly points: readonly Uint8Array[];
  readonly openVerifier: OpenVerifier;

  /**
   * @throws RangeError for parameters out of range, a key that is not valid, and validators with one network key and two
   *   endpoints; TypeError for what is missing or of another kind.
   */
  constructor(options: HornGroupOptions) {
    requireObject('options', options);
    const { crypto = hostCrypto, kernel, entries, parameters, degree = 8 } = options;
    requireSuite(crypto);
    requireMethods('kernel', kernel, ['decodeSignature', 'encodeSignature', 'addSignatures', 'pointStore']);
    const { openVerifier = kernelVerifier(kernel) } = options;
    requireFunction('openVerifier', openVerifier);
    requireArray('entries', entries);
    validateHornParameters(parameters);
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
    this.points = entries.map(({ publicKey }, index) => {
      const key = kernel.validatePublicKey(publicKey);
      if (key.ok) return key.point;
      throw new RangeError(`entry ${index}: expected a valid publicKey, got ${key.code}`);
    });
    this.openVerifier = openVerifier;
  }
}

/** @param nodeOf set by entry. */
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
        `entry ${index}: expected the endpoint of entry ${host.validators[0]}, which has the same networkKey, got another`,
      );
    host.validators.push(index);
    nodeOf[index] = node;
  }
  return hosts;
}
