import { defaultHandelConfig, type HandelConfig, looksLikeIdentity } from '@tutti/core';
import { EnvironmentError, requireBytes, requireInteger, requireObject, requireText, toHex } from '@tutti/core/input';
import { sessionId } from '../channel/channel.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { type PriorityRows, require32Bytes } from './seed.ts';

/**
 * Returns the number of the round at a wall-clock time. Round n begins n intervals after 1 January 1970, so nodes with
 * the same interval agree on the round without communication. If two clocks differ by d, the later node starts late by
 * d, and the other nodes send the contributions that it missed. As long as d is less than the interval, a clock
 * difference costs only time.
 *
 * @param wallMs wall-clock time, ms since 1 January 1970, as from `Date.now()`. @param intervalMs interval, ms, greater
 * than 0.
 */
export function roundAt(wallMs: number, intervalMs: number): number {
  return Math.floor(wallMs / intervalMs);
}

/** Returns the start of a round in wall-clock time, ms. */
export function roundStartMs(round: number, intervalMs: number): number {
  return round * intervalMs;
}

/**
 * Dissemination period per node on a shared core, ms. A node waits while the packets and checks of the other nodes on
 * its core are handled. A shorter period would only take CPU time from that work. Measured: with a period of 768 ms,
 * 512 nodes on two cores finish 7 s after the start; with 130 ms, they finish after 18 s.
 */
export const periodPerNodeMs = 3;

/**
 * Returns a suitable dissemination period for nodes on a shared core, such as the nodes of one process: the paper's 20
 * ms, or 3 ms per node if that is longer.
 *
 * @param nodes number of nodes on the core; a fraction if processes share cores.
 * @returns period in whole milliseconds.
 */
export function fittingPeriodMs(nodes: number): number {
  return Math.max(defaultHandelConfig.disseminationPeriodMs, Math.ceil(nodes * periodPerNodeMs));
}

/** Parameters of a peer; all except the threshold are optional. */
export type PeerConfig = Pick<HandelConfig, 'threshold'> & Partial<HandelConfig>;

/** Returns the complete parameters of a peer. @param peers number of the process's peers that share its group. */
export function peerConfig(config: PeerConfig, peers: number): HandelConfig {
  return { ...defaultHandelConfig, disseminationPeriodMs: fittingPeriodMs(peers), ...config };
}

/** Placeholder for the round's number in a text. */
const roundPlace = '{round}';

/**
 * Returns the message of a round: the text with the round's number in place of each `{round}`, or appended after a
 * space if there is no `{round}`. Rounds with the same text have different messages, so a signature from one round is
 * not valid in another.
 *
 * @returns message in UTF-8.
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
  /** Signing period of the message in a forward-secure scheme, 1 to 2^32 - 1. BLS has no periods. */
  readonly period?: number;
  /**
   * Seed of the verification priorities and of the shuffle that places the registry's entries in the tree, 32 bytes,
   * from `roundSeed`.
   */
  readonly seed: Uint8Array;
  /** Rows of the verification priorities. Default: independent. */
  readonly priorities?: PriorityRows;
  /** Name of the protocol if it is not Handel. A protocol name gives the protocol's rounds separate sessions. */
  readonly protocol?: string;
}

/**
 * Checks that a message is not a statement of an identity or an author, which no member may be asked to sign.
 *
 * @throws EnvironmentError `reserved-message` for such a statement; TypeError for a value that is not bytes.
 */
export function requireSignable(label: string, message: Uint8Array): void {
  requireBytes('message', message);
  if (!looksLikeIdentity(message)) return;
  const line = `${label}: the message is an identity or author statement, which must not be signed`;
  throw new EnvironmentError('reserved-message', line);
}

/**
 * Returns the identifier of a round's session, derived from all data on which the round's nodes must agree. Nodes with
 * different messages, seeds or priorities are therefore in different sessions, and count each other's packets as
 * `wrong-session`. In the same session, such nodes would consider each other Byzantine.
 *
 * @throws RangeError for an out-of-range number or an invalid seed; TypeError for a message that is not bytes.
 * @throws EnvironmentError `reserved-message` for an identity or author statement.
 */
export function roundSession(crypto: CryptoSuite, digest: Uint8Array, plan: RoundPlan): Uint8Array {
  requireObject('plan', plan);
  const { number, message, seed, priorities = 'independent', protocol } = plan;
  requireInteger('round', number, 0, Number.MAX_SAFE_INTEGER);
  require32Bytes('seed', seed);
  requireSignable(`round ${number}`, message);
  const protocolText = protocol === undefined ? '' : ` protocol ${protocol}`;
  const agreed = `round ${number} seed ${toHex(seed)} priorities ${priorities}${protocolText} message ${toHex(message)}`;
  return sessionId(crypto, digest, agreed);
}
