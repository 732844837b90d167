import { WorldError } from '@tutti/core/errors';
import { requireBytes, requireObject, toHex } from '@tutti/core/input';
import { looksLikeIdentity } from '@tutti/core/registry';
import { sessionId } from '../channel/session.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { type PriorityRows, requireSeed } from './seed.ts';

/** What the nodes of a round agree on before it, beside the registry. */
export interface RoundPlan {
  /** Which round it is: an integer from 0 to 2^53 - 1. */
  readonly number: number;
  /** What is signed. */
  readonly message: Uint8Array;
  /** Of a forward-secure scheme, the period at which the message is signed: 1 to 2^32 - 1. BLS has none. */
  readonly period?: number;
  /**
   * Of the shuffle that places the registry's entries in the tree, and of the priorities: 32 bytes, see `roundSeed`.
   */
  readonly seed: Uint8Array;
  /** Rows of the verification priorities; independent unless given. */
  readonly priorities?: PriorityRows;
}

/**
 * Names a round by all that its nodes must agree on. Nodes that were told different messages, seeds or priorities are
 * then in different sessions, and count each other's packets as `wrong-session`; in one session they would take each
 * other for liars.
 *
 * @throws RangeError for a number out of its range or an invalid seed; WorldError `message-is-identity` for a
 *   message that nobody may be asked to sign.
 */
export function roundSession(crypto: CryptoSuite, digest: Uint8Array, plan: RoundPlan): Uint8Array {
  requireObject('plan', plan);
  const { number, message, seed, priorities = 'independent' } = plan;
  requireBytes('message', message);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`round: expected an integer from 0 to 2^53 - 1, got ${number}`);
  requireSeed(seed);
  if (looksLikeIdentity(message))
    throw new WorldError(
      'message-is-identity',
      `round ${number}: the message is the statement of an identity, which nobody may be asked to sign`,
    );
  const agreed = `round ${number} seed ${toHex(seed)} priorities ${priorities} message ${toHex(message)}`;
  return sessionId(crypto, digest, agreed);
}
