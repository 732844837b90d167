import type { CryptoSuite } from '../crypto/suite.ts';
import { toHex } from '../hex.ts';
import { looksLikeIdentity } from '../identity.ts';
import { sessionId } from '../session.ts';
import { WorldError } from '../worldError.ts';

const SEED_LABEL = new TextEncoder().encode('tutti round seed v1');

/** What the nodes of a round agree on before it, beside the registry. */
export interface RoundPlan {
  /** Which round it is: an integer from 0 to 2^53 - 1. */
  readonly number: number;
  /** What is signed. */
  readonly message: Uint8Array;
  /** Of the shuffle that places the registry's entries in the tree, 32 bits; see {@link roundSeed}. */
  readonly seed: number;
}

/**
 * The seed of a round's shuffle where nobody gives another: 32 bits of a hash over the registry and the round, so that places
 * change from round to round and everybody computes the same. Whoever chooses its keys last may try many, and place itself
 * for one round as it likes; a registry with such members wants a seed that is known only after it was closed (v1.0 section
 * 4.3), from a beacon or an earlier round's signature.
 *
 * @param digest 32 bytes, see `registryDigest`.
 */
export function roundSeed(crypto: CryptoSuite, digest: Uint8Array, round: number): number {
  const hash = crypto.sha256([SEED_LABEL, digest, new TextEncoder().encode(String(round))]);
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0);
}

/**
 * Names a round by all that its nodes must agree on. Nodes that were told different messages or seeds are then in different
 * sessions, and count each other's packets as `wrong-session`; in one session they would take each other for liars.
 *
 * @throws RangeError for a number or a seed out of its range; WorldError `message-is-identity` for a message that nobody may
 *   be asked to sign.
 */
export function roundSession(crypto: CryptoSuite, digest: Uint8Array, plan: RoundPlan): Uint8Array {
  const { number, message, seed } = plan;
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`round: expected an integer from 0 to 2^53 - 1, got ${number}`);
  if (seed !== seed >>> 0) throw new RangeError(`seed: expected an integer from 0 to 2^32 - 1, got ${seed}`);
  if (looksLikeIdentity(message))
    throw new WorldError(
      'message-is-identity',
      `round ${number}: the message is the statement of an identity, which nobody may be asked to sign`,
    );
  return sessionId(crypto, digest, `round ${number} seed ${seed} message ${toHex(message)}`);
}
