import { defaultHandelConfig, type HandelConfig } from '@tutti/core';
import { WorldError } from '@tutti/core/errors';
import { requireBytes, requireObject, requireText, toHex } from '@tutti/core/input';
import { looksLikeIdentity } from '@tutti/core/registry';
import { sessionId } from '../channel/session.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { type PriorityRows, requireSeed } from './seed.ts';

/**
 * Rounds by the wall clock: round n begins n intervals after 1 January 1970, so that nodes which know the interval
 * agree on the round without a word. Clocks that are apart by d make the later node a late starter by d: it is told by
 * the others what it missed, and while d is under the interval nothing is lost but time.
 *
 * @param wallMs since 1 January 1970, as `Date.now()` gives it. @param intervalMs over 0.
 */
export function roundAt(wallMs: number, intervalMs: number): number {
  return Math.floor(wallMs / intervalMs);
}

/** When a round begins, wall-clock ms. */
export function roundStartMs(round: number, intervalMs: number): number {
  return round * intervalMs;
}

/**
 * A node waits for the packets and checks of all nodes on its core. Sending more often than they can process only takes
 * CPU away from processing: measured, 512 nodes on two cores are done 7 s after the start with a period of 768 ms, and
 * 18 s after it with 130 ms.
 */
export const periodPerNodeMs = 3;

/**
 * The dissemination period that suits nodes which share a core, as those of one process do: the paper's 20 ms, or 3 ms
 * a node if that is more.
 *
 * @param nodes on the core; a fraction where processes share cores.
 * @returns whole milliseconds.
 */
export function fittingPeriodMs(nodes: number): number {
  return Math.max(defaultHandelConfig.disseminationPeriodMs, Math.ceil(nodes * periodPerNodeMs));
}

/** The parameters of a peer that names only some of them. */
export type PeerConfig = Pick<HandelConfig, 'threshold'> & Partial<HandelConfig>;

/** All parameters of a peer. @param peers of the process that share its group. */
export function peerConfig(config: PeerConfig, peers: number): HandelConfig {
  return { ...defaultHandelConfig, disseminationPeriodMs: fittingPeriodMs(peers), ...config };
}

/** Where a round's number goes in a text that says where. */
const roundPlace = '{round}';

/**
 * What is signed in a round: the text with the number in each `{round}`, or with a blank and the number behind it when
 * it has none. No two rounds of one text sign the same, so that a signature of one is not valid in another.
 *
 * @returns UTF-8.
 */
export function roundMessage(text: string, round: number): Uint8Array {
  requireText('text', text);
  const filled = text.includes(roundPlace) ? text.replaceAll(roundPlace, String(round)) : `${text} ${round}`;
  return new TextEncoder().encode(filled);
}

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
  /** Name of the protocol where it is another than Handel, so that its rounds have sessions of their own. */
  readonly protocol?: string;
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
  const { number, message, seed, priorities = 'independent', protocol } = plan;
  requireBytes('message', message);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new RangeError(`round: expected an integer from 0 to 2^53 - 1, got ${number}`);
  requireSeed(seed);
  if (looksLikeIdentity(message))
    throw new WorldError(
      'message-is-identity',
      `round ${number}: the message is the statement of an identity, which nobody may be asked to sign`,
    );
  const told = protocol === undefined ? '' : ` protocol ${protocol}`;
  const agreed = `round ${number} seed ${toHex(seed)} priorities ${priorities}${told} message ${toHex(message)}`;
  return sessionId(crypto, digest, agreed);
}
