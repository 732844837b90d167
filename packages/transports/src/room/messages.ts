import { looksLikeIdentity } from '@tutti/core';
import { isObject } from '@tutti/core/input';
import { isMemberName, maxMembers, parseObject } from '../signalling/messages.ts';
import { validatorsPerMember } from './card.ts';

/**
 * Messages between the members of a room; each message is a JSON object. Decoders are strict: a decoder returns
 * undefined for any text that is not a valid message.
 */

/** Content of a round, as proposed by the room's leader and shown to all members before it starts. */
export interface RoundProposal {
  /** Text to sign; see `isMessage`. */
  readonly message: string;
  /** Share of the members whose signatures a multi-signature must contain. The share is in the range (0, 1]. */
  readonly share: number;
}

/** A sealed message from the leader to each member. Only sealed messages change the state of a round. */
export type LeaderMessage =
  | ({ readonly type: 'propose' } & RoundProposal)
  | ({
      readonly type: 'start';
      readonly number: number;
      /** Length of a phase of a Horn slot, ms; see {@link isPhaseMs}. This field is absent for a round of Handel. */
      readonly phaseMs?: number;
      /** Names of the members, in ascending order. The named members form the registry for this round. */
      readonly members: readonly string[];
      /**
       * Random value of the leader for this round, 32 bytes in hexadecimal. The shuffle is derived from it; see
       * `roundSeed`.
       */
      readonly beacon: string;
    } & RoundProposal);

/** Progress of a member in a round. */
export interface MemberProgress {
  readonly round: number;
  /**
   * Number of signatures in the member's heaviest multi-signature or in all of its levels together, whichever is
   * larger. In a slot, this field is the number of votes in the member's collections, which the member's block can
   * contain.
   */
  readonly weight: number;
  /**
   * Progress per level, from level 1 up: the number of the level's peers whose signatures are included, and the total
   * number of these peers. In a slot, there are three entries, each relative to the number of all votes: votes that the
   * member knows, votes in its aggregates and collections, and votes in its collections.
   */
  readonly levels: readonly (readonly [held: number, peers: number])[];
  /** Number of messages sent. */
  readonly sent: number;
  /** Number of messages received. */
  readonly received: number;
  /** Number of contributions whose signatures were verified. */
  readonly checked: number;
  /** Time from the member's start until the member reached the threshold, ms; null before. */
  readonly reachedMs: number | null;
}

/**
 * A member's unencrypted heartbeat, which every member sends regularly. Heartbeats are displayed, and their times
 * determine which members count as present. A false heartbeat can therefore change the leader, but never what is signed
 * or by whom.
 */
export interface Heartbeat {
  /** False while the member's page is hidden; the browser then delays the page's timers. */
  readonly awake: boolean;
  readonly progress: MemberProgress | null;
  /** Number of the member's answer to the question on its page, 0 to 15; absent if there is no answer. */
  readonly answer?: number | undefined;
}

/** Maximum number of possible answers to the question on the pages of a room. */
export const maxAnswers = 16;

/** Maximum length of a message to sign, UTF-16 code units. A message of this length fits on a screen. */
export const maxMessageCharacters = 200;

/** Pattern of control characters, including line ends. */
const controlCharacter = /\p{Cc}/u;

/**
 * Returns whether a text is a message: 1 to 200 characters on one line. The statement of an identity is not allowed,
 * because no member may be asked to sign it.
 */
export function isMessage(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length >= 1 &&
    text.length <= maxMessageCharacters &&
    !looksLikeIdentity(new TextEncoder().encode(text)) &&
    !controlCharacter.test(text)
  );
}

/** Returns whether a value is a valid share of the members: a number greater than 0 and at most 1. */
export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

/** Minimum length of a phase of a slot, ms. */
export const minPhaseMs = 100;

/** Maximum length of a phase of a slot, ms. */
export const maxPhaseMs = 60_000;

/** Returns whether a value is a valid length for a phase of a slot: an integer from 100 to 60,000 ms. */
export function isPhaseMs(value: unknown): value is number {
  return isCount(value) && value >= minPhaseMs && value <= maxPhaseMs;
}

export function encodeLeaderMessage(message: LeaderMessage): string {
  return JSON.stringify(message);
}

export function decodeLeaderMessage(text: string): LeaderMessage | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const { type, message, share } = value;
  if (!isMessage(message) || !isShare(share)) return undefined;
  if (type === 'propose') return { type, message, share };
  const { number, members, beacon, phaseMs } = value;
  if (type !== 'start' || !isCount(number) || !isRegistry(members) || !isBeacon(beacon)) return undefined;
  const start = { type, message, share, number, members, beacon } as const;
  if (phaseMs === undefined) return start;
  return isPhaseMs(phaseMs) ? { ...start, phaseMs } : undefined;
}

export function encodeHeartbeat(heartbeat: Heartbeat): string {
  return JSON.stringify(heartbeat);
}

export function decodeHeartbeat(text: string): Heartbeat | undefined {
  const value = parseObject(text);
  if (typeof value?.awake !== 'boolean' || !(value.answer === undefined || isAnswer(value.answer))) return undefined;
  const { awake, answer } = value;
  const progress = value.progress === null ? null : asProgress(value.progress);
  return progress === undefined ? undefined : { awake, progress, ...(answer !== undefined && { answer }) };
}

/** Returns whether a value is a valid answer number, 0 to 15. */
export function isAnswer(value: unknown): value is number {
  return isCount(value) && value < maxAnswers;
}

function asProgress(value: unknown): MemberProgress | undefined {
  if (!isObject(value)) return undefined;
  const { round, weight, levels, sent, received, checked, reachedMs } = value;
  if (!isCount(round) || !isCount(weight) || !isCount(sent) || !isCount(received) || !isCount(checked))
    return undefined;
  if (reachedMs !== null && !isCount(reachedMs)) return undefined;
  if (!Array.isArray(levels) || levels.length > Math.log2(maxMembers) || !levels.every(isLevel)) return undefined;
  const held = levels.map(([held, peers]): [number, number] => [held, peers]);
  return { round, weight, levels: held, sent, received, checked, reachedMs };
}

function isLevel(value: unknown): value is [number, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [held, peers] = value;
  return isCount(held) && isCount(peers) && held <= peers && peers <= maxMembers * validatorsPerMember;
}

/** Returns whether a value is a list of different names in ascending order. */
function isRegistry(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= maxMembers &&
    value.every((name, place) => isMemberName(name) && (place === 0 || value[place - 1] < name))
  );
}

function isBeacon(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
