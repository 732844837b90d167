import { defaultHandelConfig, type HandelConfig, looksLikeIdentity } from '@tutti/core';
import { requireBytes, requireObject, requireText, toHex, WorldError } from '@tutti/core/input';
import { sessionId } from '../channel/channel.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { type PriorityRows, requireSeed } from './seed.ts';

/**
 * Returns the number of the round at a wall-clock time. Round n begins n intervals after 1 January 1970, so nodes that
 * know the interval agree on the round without communication. If clocks differ by d, the later node starts late by d,
 * and the others send what it missed. As long as d is less than the interval, only time is lost.
 *
 * @param wallMs ms since 1 January 1970, as `Date.now()` returns it. @param intervalMs interval, ms, greater than 0.
 */
export function roundAt(wallMs: number, intervalMs: number): number {
  return Math.floor(wallMs / intervalMs);
}

/** Returns the start of a round in wall-clock time, ms. */
export function roundStartMs(round: number, intervalMs: number): number {
  return round * intervalMs;
}

/**
 * Dissemination period per node that shares a core, ms. A node waits for the packets and checks of all nodes on its
 * core. Faster sending would only take CPU time away from processing. Measured: 512 nodes on two cores finish 7 s after
 * the start with a period of 768 ms, and 18 s after it with 130 ms.
 */
export const periodPerNodeMs = 3;

/**
 * Returns the dissemination period that suits nodes on a shared core, such as those of one process: the paper's 20 ms,
 * or 3 ms per node if that is more.
 *
 * @param nodes number of nodes on the core; a fraction if processes share cores.
 * @returns whole milliseconds.
 */
export function fittingPeriodMs(nodes: number): number {
  return Math.max(defaultHandelConfig.disseminationPeriodMs, Math.ceil(nodes * periodPerNodeMs));
}

/** Parameters of a peer; all except the threshold are optional. */
export type PeerConfig = Pick<HandelConfig, 'threshold'> & Partial<HandelConfig>;

/** Returns all parameters of a peer. @param peers number of peers of the process that share its group. */
export function peerConfig(config: PeerConfig, peers: number): HandelConfig {
  return { ...defaultHandelConfig, disseminationPeriodMs: fittingPeriodMs(peers), ...config };
}

/** Placeholder of a round's number in a text. */
const roundPlace = '{round}';

/**
 * Returns the message of a round: the text with the number in place of each `{round}`, or after a blank at its end if
 * there is none. Rounds with the same text have different messages, so a signature of one round is not valid in
 * another.
 *
 * @returns UTF-8.
 */
export function roundMessage(text: string, round: number): Uint8Array {
  requireText('text', text);
  const filled = text.includes(roundPlace) ? text.replaceAll(roundPlace, String(round)) : `${text} ${round}`;
  return new TextEncoder().encode(filled);
}

/** Data on which the nodes of a round agree in advance, in addition to the registry. */
export interface RoundPlan {
  /** Number of the round, an integer from 0 to 2^53 - 1. */
  readonly number: number;
  /** Message to sign. */
  readonly message: Uint8Array;
  /** Period at which the message is signed, in a forward-secure scheme: 1 to 2^32 - 1. BLS has none. */
  readonly period?: number;
  /**
   * Seed of the priorities and of the shuffle that places the registry's entries in the tree: 32 bytes, see
   * `roundSeed`.
   */
  readonly seed: Uint8Array;
  /** Rows of the verification priorities. Default: independent. */
  readonly priorities?: PriorityRows;
  /** Name of the protocol if it is not Handel. It gives the protocol's rounds sessions of their own. */
  readonly protocol?: string;
}

/**
 * Returns the identifier of a round, derived from all data on which its nodes must agree. Nodes with different
 * messages, seeds or priorities are then in different sessions, and count each other's packets as `wrong-session`. In
 * the same session, they would consider each other Byzantine.
 *
 * @throws RangeError for a number out of range or an invalid seed; WorldError `reserved-message` for a message that no
 * member may be asked to sign.
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
      'reserved-message',
      `round ${number}: the message is an identity statement, which must not be signed`,
    );
  const protocolText = protocol === undefined ? '' : ` protocol ${protocol}`;
  const agreed = `round ${number} seed ${toHex(seed)} priorities ${priorities}${protocolText} message ${toHex(message)}`;
  return sessionId(crypto, digest, agreed);
}
