import { looksLikeIdentity } from '@tutti/core/registry';
import { isMemberName, maxMembers, parseObject } from '../signalling/messages.ts';

/**
 * What the members of a room say to each other, each a JSON object. Decoders are strict: anything but a message is
 * undefined.
 */

/** What a round is to be about, as the room's leader has it: shown to everybody before it starts. */
export interface RoundProposal {
  /** What will be signed, as text; see `isMessage`. */
  readonly message: string;
  /** Share of the members that makes a multi-signature, over 0 and at most 1. */
  readonly share: number;
}

/** Sealed, from the leader to each member: what counts. */
export type LeaderMessage =
  | ({ readonly type: 'propose' } & RoundProposal)
  | ({
      readonly type: 'start';
      readonly number: number;
      /** Names, in ascending order: the registry of this round. */
      readonly members: readonly string[];
      /** 32 bytes that the leader drew for this round, hexadecimal: its shuffle is drawn by them, see `roundSeed`. */
      readonly beacon: string;
    } & RoundProposal);

/** How far a member is in a round. */
export interface MemberProgress {
  readonly round: number;
  /** How many signatures its heaviest multi-signature holds, or its levels together. */
  readonly weight: number;
  /** From level 1 up: how many of the level's peers are in, and how many there are. */
  readonly levels: readonly (readonly [held: number, peers: number])[];
  readonly sent: number;
  readonly received: number;
  readonly checked: number;
  /** Milliseconds from its start to the threshold; null before. */
  readonly reachedMs: number | null;
}

/** Announced in the clear by everybody, now and then: only shown, so that a false one does no harm. */
export interface Beat {
  /** False while its page is hidden, so that the browser holds its timers back. */
  readonly awake: boolean;
  readonly progress: MemberProgress | null;
}

/** What fits a screen. */
export const maxMessageCharacters = 200;

/** Control characters, line ends among them. */
const controlCharacter = /\p{Cc}/u;

/** 1 to 200 characters on one line, and not the statement of an identity: nobody may be asked to sign that. */
export function isMessage(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length >= 1 &&
    text.length <= maxMessageCharacters &&
    !looksLikeIdentity(new TextEncoder().encode(text)) &&
    !controlCharacter.test(text)
  );
}

export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
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
  const { number, members, beacon } = value;
  if (type !== 'start' || !isCount(number) || !isRegistry(members) || !isBeacon(beacon)) return undefined;
  return { type, message, share, number, members, beacon };
}

export function encodeBeat(beat: Beat): string {
  return JSON.stringify(beat);
}

export function decodeBeat(text: string): Beat | undefined {
  const value = parseObject(text);
  if (typeof value?.awake !== 'boolean') return undefined;
  if (value.progress === null) return { awake: value.awake, progress: null };
  const progress = asProgress(value.progress);
  return progress && { awake: value.awake, progress };
}

function asProgress(value: unknown): MemberProgress | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { round, weight, levels, sent, received, checked, reachedMs } = value as Record<string, unknown>;
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
  return isCount(held) && isCount(peers) && held <= peers && peers <= maxMembers;
}

/** Names in ascending order, none twice. */
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
