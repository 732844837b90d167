import type { ListedEntry } from '@tutti/certificates';
import { signWithNetworkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { listedEntry } from '../../../packages/certificates/test/certifyingWorld.ts';
import { openRings } from '../src/members/openRings.ts';
import { identityKeyGen, linkable, type Ring, type RingScheme } from '../src/ring.ts';
import { makeRegistration, SignedRegistrations } from '../src/runtime.ts';

export const bls = await loadBls();

/** Returns an anonymous entry with its proofs and the insecure key of this index. */
export function anonymousEntry(index: number, port = 9000 + index): ListedEntry {
  return { ...listedEntry(index), endpoint: { host: '127.0.0.1', port } };
}

/**
 * A crypto suite with zero bytes as randomness, so that equal content has an equal signature and counts as a repeat.
 */
const repeatable = { ...nodeCrypto, randomBytes: (length: number) => new Uint8Array(length) };

/** Creates members of one ring, and functions that register keys for these members. */
export function setupOf(members: number, scheme: RingScheme = linkable) {
  const identities = Array.from({ length: members }, (_, i) => identityKeyGen(insecureSeed('identity', 1, i)));
  const event = Uint8Array.of(7);
  const rings = openRings(
    scheme,
    [identities.map((_, member) => member)],
    identities.map(({ publicKey }) => publicKey),
    event,
  );
  const [ring] = rings.rings as [Ring];
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
