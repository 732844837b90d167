import { randomBytes } from 'node:crypto';
import { signallingPath } from '@tutti/transports/node';
import { isInvitation, isLabel, maxLabelCharacters } from '@tutti/transports/rooms';
import { badValue, type FlagReader } from '../flags.ts';

const roomPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Address of a live room. */
export interface RoomLink {
  /** URL of the signalling server, ws: or wss:. */
  readonly signalling: string;
  readonly room: string;
  /** Invitation, for a room that requires one. */
  readonly invitation?: string;
}

/**
 * Reads the link that a live room's page shows. `http://HOST/#live=ROOM` uses the signalling server of that host;
 * `https://HOST/#live=ROOM&signal=wss://OTHER/signal` names another one. The link of a room with invitations ends in
 * `&invitation=SECRET`.
 *
 * @throws UsageError for any other text.
 */
export const roomLinkFlag: FlagReader<RoomLink> = (text) => {
  const refuse = () =>
    badValue('--room-link', 'the link to a live room, such as http://192.0.2.1:8080/#live=ROOM', text);
  if (!URL.canParse(text)) throw refuse();
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol)) throw refuse();
  const fields = new URLSearchParams(url.hash.slice(1));
  const room = fields.get('live') ?? '';
  if (!isRoomName(room)) throw refuse();
  const secure = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const signalling = fields.get('signal') ?? `${secure}//${url.host}${signallingPath}`;
  if (!URL.canParse(signalling) || !/^wss?:/.test(signalling)) throw refuse();
  const invitation = fields.get('invitation');
  if (invitation === null) return { signalling, room };
  if (!isInvitation(invitation)) throw refuse();
  return { signalling, room, invitation };
};

/** Reads a member's label for `--label`. */
export const labelFlag: FlagReader<string> = (text) => {
  if (isLabel(text)) return text;
  throw badValue('--label', `1 to ${maxLabelCharacters} letters and digits, with single spaces between them`, text);
};

/** Returns whether a value is a valid name of a room: 1 to 64 letters, digits, hyphens or underscores. */
export function isRoomName(text: unknown): text is string {
  return typeof text === 'string' && roomPattern.test(text);
}

/** Reads the name of a room for `--room`. */
export const roomNameFlag: FlagReader<string> = (text) => {
  if (isRoomName(text)) return text;
  throw badValue('--room', '1 to 64 letters, digits, hyphens or underscores', text);
};

/** Returns a room name that is hard to guess: 40 random bits, without letters that resemble digits. */
export function freshRoomName(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(8), (byte) => alphabet[byte & 31]!).join('');
}
