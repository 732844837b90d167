import {
  canonicalNetworkKey,
  defaultThreshold,
  type HandelConfig,
  minWeight,
  type RegistryEntry,
  type RegistryTransport,
  weightsOf,
} from '@tutti/core';
import {
  requireBytes,
  requireBytesIn,
  requireFunction,
  requireInteger,
  requireMethods,
  requireNumber,
  requireObject,
  toHex,
} from '@tutti/core/input';
import {
  type CryptoSuite,
  fittingPeriodMs,
  Group,
  type GroupKernel,
  hostCrypto,
  type Transport,
} from '@tutti/transports';
import { memorySignedLog, type SignedLog } from '../log/signedLog.ts';
import { refuseDuplicates } from '../registry/verifyRegistry.ts';
import type { CertificateKernel, CertificateRegistry } from '../verification/certificate.ts';
import type { Certified } from './storedCertificates.ts';

/** A kernel that signs and verifies, such as `Bls` of `@tutti/wasm-bls`. */
export interface SigningKernel extends GroupKernel, CertificateKernel {
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
  publicKey(secretKey: Uint8Array): Uint8Array;
}

/** A registry whose members can reach each other. */
export interface GroupRegistry extends CertificateRegistry {
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint' | 'weight'>[];
}

/** Options of {@link joinGroup}. */
export interface JoinGroupOptions {
  /**
   * The registry of the group. Members in one process should share one registry object, and with it the public data of
   * rounds.
   */
  readonly registry: GroupRegistry;
  /** Keys of this member. The public key that belongs to `secretKey` determines this member's entry in the registry. */
  readonly key: { readonly secretKey: Uint8Array; readonly networkSecret: Uint8Array };
  /** Kernel that creates and verifies signatures. Default in Node: `await loadBls()` of `@tutti/wasm-bls`. */
  readonly kernel?: SigningKernel;
  /**
   * Transport at the address of this member's registry entry. In Node, the name of a transport to open at that address
   * is also accepted. The group owns the transport and closes it.
   */
  readonly transport: Transport | RegistryTransport;
  /**
   * Decides whether to sign a message that another member requests. Without this function, the member signs a message
   * only after its own call of `certify`. An exception from this function counts as a rejection. The argument `height`
   * is the height that the other member announced.
   */
  readonly approve?: (bytes: Uint8Array, from: number, height: bigint | undefined) => boolean | Promise<boolean>;
  /**
   * Decides whether to sign a succession requested by another member; a succession replaces the registry. `approve` is
   * not called for successions. Default: the member signs only successions that it certifies itself.
   */
  readonly approveSuccession?: (bytes: Uint8Array, from: number) => boolean | Promise<boolean>;
  /**
   * Returns the slot or height that a message contains; undefined if it contains none. The member never signs two
   * different messages of one height. All members of a group must use the same function. If `certify` or another member
   * names a different height than this function returns, the message is rejected.
   */
  readonly heightOf?: (bytes: Uint8Array) => bigint | undefined;
  /**
   * Log of the signed messages. The group owns the log and closes it. Default: a log in memory, which is lost when the
   * process ends; see `openSignedLog`.
   */
  readonly signedLog?: SignedLog;
  /** Maximum number of open rounds. Default: 16. */
  readonly maxOpen?: number;
  /** Maximum number of messages that wait for a round. Default: 1,024. */
  readonly maxWaiting?: number;
  /** Maximum number of certificates stored for members that missed them. Default: 1,024. */
  readonly maxStored?: number;
  /** Certificates of an earlier session, oldest first. Invalid certificates are ignored. */
  readonly stored?: Iterable<Pick<Certified, 'bytes' | 'certificate' | 'height'>>;
  /** Time after which an open round without a certificate is given up, ms. Default: 60,000. */
  readonly giveUpMs?: number;
  /** Public randomness that was unpredictable when the members chose their keys; see `roundSeed`. Default: none. */
  readonly beacon?: Uint8Array;
  /** Crypto suite. Default: `nodeCrypto`, or `nobleCrypto` outside Node. */
  readonly crypto?: CryptoSuite;
  /** Parameters of Handel in the group's rounds. Default: as for a `Peer`. */
  readonly config?: Partial<Omit<HandelConfig, 'threshold'>>;
}

/** Checked options with defaults applied. */
type CheckedOptions = JoinGroupOptions &
  Required<
    Pick<JoinGroupOptions, 'kernel' | 'signedLog' | 'crypto' | 'maxOpen' | 'maxWaiting' | 'maxStored' | 'giveUpMs'>
  >;

/** Checked options with defaults applied and the transport opened. */
export type ReadyOptions = CheckedOptions & { readonly transport: Transport };

/** Maximum of each limit: the largest size of a map of stored values. */
const largestLimit = 2 ** 32 - 1;

/** Checks the options of a member, and applies the defaults. @throws TypeError or RangeError for an invalid option. */
export function checkedOptions(options: JoinGroupOptions & { readonly kernel: SigningKernel }): CheckedOptions {
  const { registry, key, kernel, approve, approveSuccession, heightOf } = options;
  requireObject('registry', registry);
  requireBytesIn('key', key, ['secretKey', 'networkSecret']);
  requireMethods('kernel', kernel, ['sign', 'publicKey', 'fastAggregateVerify']);
  for (const [name, decide] of Object.entries({ approve, approveSuccession, heightOf }))
    if (decide !== undefined) requireFunction(name, decide);
  const { maxOpen = 16, maxWaiting = 1024, maxStored = 1024, giveUpMs = 60_000 } = options;
  const counts = { maxOpen, maxWaiting, maxStored };
  for (const [name, max] of Object.entries(counts)) requireInteger(name, max, 1, largestLimit);
  requireNumber('giveUpMs', giveUpMs, 1, largestLimit);
  const { crypto = hostCrypto, signedLog = memorySignedLog(), beacon } = options;
  requireMethods('signedLog', signedLog, ['record', 'close']);
  if (beacon !== undefined) requireBytes('beacon', beacon);
  return { ...options, ...counts, giveUpMs, crypto, signedLog };
}

/** Public data of rounds, shared by all members that use the same registry object in one process. */
const groups = new WeakMap<GroupRegistry, Group>();

/**
 * Returns the public data for the rounds of a registry. @throws EnvironmentError `registry-duplicate` if two entries
 * share a key.
 */
export function groupOf(registry: GroupRegistry, kernel: SigningKernel, crypto: CryptoSuite): Group {
  const made = groups.get(registry);
  if (made !== undefined && made.kernel === kernel && made.crypto === crypto) return made;
  const { entries, epoch, threshold, margin } = registry;
  refuseDuplicates(entries);
  const total = weightsOf(entries)?.reduce((sum, one) => sum + one, 0n) ?? BigInt(entries.length);
  const min = targetWeight(registry, total);
  const group = new Group({ crypto, kernel, entries, epoch, threshold, margin, minWeight: min });
  groups.set(registry, group);
  return group;
}

/** Returns the threshold plus its margin, limited to the total weight. */
function targetWeight({ threshold = defaultThreshold, margin }: GroupRegistry, total: bigint): bigint {
  const min = minWeight(total, threshold.numerator, threshold.denominator);
  if (margin === undefined) return min;
  const sum = min + minWeight(total, margin.numerator, margin.denominator);
  return sum < total ? sum : total;
}

/** Returns the registry index of the entry with this key. @throws RangeError if no entry has the key. */
export function indexOfKey({ entries }: GroupRegistry, key: Uint8Array): number {
  const own = toHex(key);
  const index = entries.findIndex(({ publicKey }) => toHex(publicKey) === own);
  if (index >= 0) return index;
  throw new RangeError(`key: expected the secret key of a registry entry, got that of ${own}`);
}

/**
 * Checks that a secret belongs to the network key of a member's entry. Otherwise, no member could open the packets of
 * another one.
 *
 * @throws RangeError for any other secret.
 */
export function requireNetworkSecret(
  { networkKey }: Pick<RegistryEntry, 'networkKey'>,
  secret: Uint8Array,
  crypto: CryptoSuite,
): void {
  const own = toHex(crypto.keyAgreement(secret).publicKey);
  if (own === toHex(canonicalNetworkKey(networkKey))) return;
  throw new RangeError(`key.networkSecret: expected the secret of this member's networkKey, got that of ${own}`);
}

const seedDomain = new TextEncoder().encode('tutti message seed v1');

/** Returns the seed of a message's round. @param message hash of the round's message and height. */
export function seedOf(
  { crypto, digest }: Group,
  message: Uint8Array,
  beacon: Uint8Array = new Uint8Array(0),
): Uint8Array {
  return crypto.sha256([seedDomain, digest, message, beacon]);
}

/** Returns the dissemination period of a group's rounds, ms. */
export function periodOf({ config }: JoinGroupOptions, { peers }: Group): number {
  return config?.disseminationPeriodMs ?? fittingPeriodMs(peers.size);
}
