import { identityStatement, type Share } from '@tutti/core';
import { fromHex, toHex } from '@tutti/core/input';
import { type CryptoSuite, MemoryNetwork, networkKey, sessionId, type Transport } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { type Bls, insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { afterEach, beforeEach, vi } from 'vitest';
import { Announcer } from '../src/groups/announcer.ts';
import { type Ask, announced, encodeAnnouncement, signAsk } from '../src/groups/ask.ts';
import { type CertifyingGroup, joinGroup } from '../src/groups/joinGroup.ts';
import type { JoinGroupOptions } from '../src/groups/joinOptions.ts';
import type { ListedEntry } from '../src/registry/registryFile.ts';
import {
  type CertificateRegistry,
  certificateRegistryDigest,
  encodeCertificate,
  messageHash,
} from '../src/verification/certificate.ts';

export const bls: Bls = await loadBls();

/** Returns a kernel in which some methods are replaced, as a faulty member has. */
export const kernelWith = (methods: Partial<Bls>): Bls => Object.setPrototypeOf(methods, bls);

/** Kernel of a faulty member, which signs its own key instead of the message. */
export const lyingKernel = kernelWith({ sign: (key) => bls.sign(key, key) });

export const bytesOf = (words: string): Uint8Array => new TextEncoder().encode(words);

export const share = (numerator: bigint, denominator: bigint): Share => ({ numerator, denominator });

/** Returns the secret key of the negative of a public key. */
export function negativeOf(secretKey: Uint8Array): Uint8Array {
  const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
  return fromHex((order - BigInt(`0x${toHex(secretKey)}`)).toString(16).padStart(64, '0'), 32)!;
}

/** Returns the public key of a secret key, with the proofs by its owner. */
export function provenBy(secretKey: Uint8Array, networkKey: Uint8Array) {
  const publicKey = bls.publicKey(secretKey);
  const networkKeyProof = bls.sign(secretKey, identityStatement(publicKey, networkKey));
  return { publicKey, proofOfPossession: bls.provePossession(secretKey), networkKey, networkKeyProof };
}

export interface Given {
  readonly margin?: Share;
  readonly threshold?: Share;
  readonly seed?: number;
  readonly weights?: readonly bigint[];
  readonly epoch?: bigint;
  readonly of?: (index: number) => Partial<JoinGroupOptions>;
  /** Wraps the transport of a member, for example to drop packets. */
  readonly through?: (transport: Transport, index: number) => Transport;
}

const open = new Set<CertifyingGroup>();

/** Closes all groups that are still open. The function is called after each test. */
export async function closeAll(): Promise<void> {
  await Promise.all([...open].map((group) => group.close()));
  open.clear();
}

/** Runs each test in virtual time: each turn of the event loop, even while waiting for a timer, takes 1 ms. */
export function runInVirtualTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const turn = (): void => {
      if (!vi.isFakeTimers()) return;
      vi.advanceTimersByTime(1);
      setImmediate(turn);
    };
    turn();
  });
  afterEach(async () => {
    await closeAll();
    vi.useRealTimers();
  });
}

/** Returns a crypto suite whose random bytes are the same in every run. */
function repeatable(): CryptoSuite {
  let draws = 0;
  return {
    ...nodeCrypto,
    randomBytes: (length) =>
      nodeCrypto.hkdfSha256(Uint8Array.of(1), Uint8Array.of(), bytesOf(`draw ${draws++}`), length),
  };
}

/** Creates a registry over a memory network. The test determines when members join, leave and join again. */
export function worldOf(size: number, given: Given = {}) {
  const { seed = 1, weights, of = () => ({}), through = (transport: Transport) => transport, ...terms } = given;
  const memory = new MemoryNetwork();
  const crypto = repeatable();
  const keys = Array.from({ length: size }, (_, index) => ({
    secretKey: insecureSecretKey(bls, seed, index),
    networkSecret: insecureSeed('network', seed, index),
  }));
  const entries = keys.map(({ secretKey, networkSecret }, index) => ({
    publicKey: bls.publicKey(secretKey),
    networkKey: networkKey(nodeCrypto, networkSecret).publicKey,
    endpoint: { host: 'memory', port: index + 1 },
    ...(weights === undefined ? {} : { weight: weights[index]! }),
  }));
  const registry = { entries, ...terms };
  const join = async (index: number) => {
    const member = await joinGroup({
      registry,
      key: keys[index]!,
      kernel: bls,
      transport: through(memory.open({ port: index + 1 }), index),
      approve: () => true,
      crypto,
      ...of(index),
    });
    open.add(member);
    return member;
  };
  /** Creates a member that sends arbitrary messages in addition to the rounds. */
  const faulty = (index: number) => {
    const digest = certificateRegistryDigest(registry);
    const networkKeys = entries.map(({ networkKey }) => networkKey);
    const { networkSecret } = keys[index]!;
    const announcer = new Announcer({
      ...{ crypto: nodeCrypto, session: sessionId(nodeCrypto, digest, 'messages to certify'), index, networkSecret },
      ...{ networkKeys, endpoints: entries.map(({ endpoint }) => endpoint) },
      ...{ transport: memory.open({ port: index + 1 }), onAnnounced() {} },
    });
    const ask = (bytes: Uint8Array, sequence: number, origin = index, height?: bigint): Ask =>
      signAsk(nodeCrypto, networkSecret, { digest, message: messageHash(bytes) }, { origin, sequence, height });
    const announce = (to: number, bytes: Uint8Array, request: Ask, turn = 0) =>
      announcer.announce(
        to,
        ...announced('message', request.height, encodeAnnouncement({ turn, ask: request, bytes })),
      );
    const certificate = (to: number, bytes: Uint8Array, height?: bigint) =>
      announcer.announce(to, ...announced('certificate', height, bytes));
    return { announcer, ask, announce, certificate };
  };
  return { keys, registry, join, faulty, all: () => Promise.all(keys.map((_, index) => join(index))) };
}

/** Returns a registry entry with an insecure key and the proofs by its owner. */
export function listedEntry(index: number): ListedEntry {
  const peerKey = networkKey(nodeCrypto, insecureSeed('network', 1, index)).publicKey;
  return {
    ...provenBy(insecureSecretKey(bls, 1, index), peerKey),
    transport: 'udp',
    endpoint: { host: '127.0.0.1', port: 9000 + index },
  };
}

/** Registry, message and signers from which a certificate is made. */
export interface Signing {
  readonly registry: CertificateRegistry;
  readonly bytes: Uint8Array;
  /** Kernel of the registry's variant. Default: min-pk. */
  readonly kernel?: Bls;
  /** BLS keys of the registry's members, in the registry's order. */
  readonly keys: readonly { readonly secretKey: Uint8Array }[];
  /** Registry indices of the members that sign. */
  readonly signers: readonly number[];
  /** Registry indices of the members that the certificate names. Default: the signers. */
  readonly claimed?: readonly number[];
}

/** Returns the certificate in which the given members sign a message. */
export function certificateBy(signing: Signing): Uint8Array {
  const { registry, bytes, kernel = bls, keys, signers, claimed = signers } = signing;
  const size = registry.entries.length;
  const bits = new Uint8Array(Math.ceil(size / 8));
  for (const one of claimed) bits[one >> 3]! |= 1 << (one & 7);
  return encodeCertificate({
    registry: certificateRegistryDigest(registry),
    epoch: registry.epoch ?? 0n,
    message: messageHash(bytes),
    size,
    bits,
    signature: kernel.aggregateSignatures(signers.map((one) => kernel.sign(keys[one]!.secretKey, bytes))),
  });
}

/** Resolves when a condition holds, checked in each turn of the event loop for a minute of virtual time. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns === 60_000) throw new Error(`expected within ${turns} turns of the event loop: ${holds}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
