import type { ListedEntry } from '@tutti/certificates';
import { identityStatement } from '@tutti/core';
import { networkKey, signWithNetworkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { decodeRing, identityKeyGen, linkable, type RingMark, type RingScheme, sharedTags } from '../src/ring.ts';
import { makeRegistration, type SetupRings, SignedRegistrations } from '../src/runtime.ts';

export const bls = await loadBls();

/** Returns an anonymous entry with its proofs and the insecure key of this index. */
export function anonymousEntry(index: number, port = 9000 + index): ListedEntry {
  const secretKey = insecureSecretKey(bls, 1, index);
  const publicKey = bls.publicKey(secretKey);
  const peerKey = networkKey(nodeCrypto, insecureSeed('network', 1, index)).publicKey;
  return {
    publicKey,
    proofOfPossession: bls.provePossession(secretKey),
    networkKey: peerKey,
    networkKeyProof: bls.sign(secretKey, identityStatement(publicKey, peerKey)),
    transport: 'udp',
    endpoint: { host: '127.0.0.1', port },
  };
}

/**
 * A crypto suite with zero bytes as randomness, so that equal content has an equal signature and counts as a repeat.
 */
const repeatable = { ...nodeCrypto, randomBytes: (length: number) => new Uint8Array(length) };

/** Creates members of one ring, and functions that register keys for these members. */
export function setupOf(members: number, scheme: RingScheme = linkable) {
  const identities = Array.from({ length: members }, (_, i) => identityKeyGen(insecureSeed('identity', 1, i)));
  const read = decodeRing(identities.map(({ publicKey }) => publicKey));
  if (!read.ok) throw new Error(read.code);
  const { ring } = read;
  const event = Uint8Array.of(7);
  const rings: SetupRings = {
    members,
    signatureBytes: [scheme.signatureBytes(members)],
    verify(_, message, signature) {
      const verified = scheme.verify(ring, event, message, signature);
      return verified.ok ? verified.mark : undefined;
    },
    claimed: (_, message, signature) => scheme.claimed(ring, event, message, signature),
    relate(_, a, b) {
      const relation = scheme.relate(a as RingMark, b as RingMark);
      if (relation.kind === 'independent') return relation;
      const shared = sharedTags(a as RingMark, b as RingMark);
      return relation.kind === 'double' ? { kind: 'double', author: relation.signer, shared } : { ...relation, shared };
    },
  };
  return {
    rings,
    registrations: () => new SignedRegistrations({ crypto: nodeCrypto, signatures: bls, rings, transport: 'udp' }),
    /** @param index index of the anonymous key. */
    register: (member: number, index: number, entry: ListedEntry = anonymousEntry(index), entropy = 1) =>
      makeRegistration(nodeCrypto, 0, entry, {
        sign: (message) => bls.sign(insecureSecretKey(bls, 1, index), message),
        signWithNetworkKey: (message) => signWithNetworkKey(repeatable, insecureSeed('network', 1, index), message),
        signInRing: (message) =>
          scheme.sign(ring, identities[member]!.secretKey, event, message, new Uint8Array(32).fill(entropy)),
      }),
  };
}
