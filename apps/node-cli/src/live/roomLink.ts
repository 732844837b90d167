import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { EnvironmentError, parseJson } from '@tutti/core/input';
import { signallingPath } from '@tutti/transports/node';
import { isInvitation, isLabel, maxLabelCharacters } from '@tutti/transports/rooms';
import { UsageError } from '../context.ts';
import { badValue, type FlagReader } from '../flags.ts';
import { readSecret, writeWhole } from '../output/files.ts';

const roomPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Parts of the link to a live room. */
export interface RoomLink {
  /** URL of the signalling server, with the scheme ws: or wss:. */
  readonly signalling: string;
  readonly room: string;
  /** Invitation, for a room that requires one. */
  readonly invitation?: string;
}

/**
 * Reads the link shown on the page of a live room. `http://HOST/#live=ROOM` uses the signalling server of that host;
 * `https://HOST/#live=ROOM&signal=wss://OTHER/signal` names another server. The link to a room with invitations ends
 * with `&invitation=SECRET`.
 *
 * @throws UsageError for any text that is not such a link.
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

/** Reads the label of a member for `--label`. */
export const labelFlag: FlagReader<string> = (text) => {
  if (isLabel(text)) return text;
  throw badValue('--label', `1 to ${maxLabelCharacters} letters and digits, with single spaces between them`, text);
};

/** Returns whether a value is a valid room name: 1 to 64 letters, digits, hyphens or underscores. */
export function isRoomName(text: unknown): text is string {
  return typeof text === 'string' && roomPattern.test(text);
}

/** Reads a room name for `--room`. */
export const roomNameFlag: FlagReader<string> = (text) => {
  if (isRoomName(text)) return text;
  throw badValue('--room', '1 to 64 letters, digits, hyphens or underscores', text);
};

/** Returns a room name that is hard to guess: 40 random bits, written without letters that resemble digits. */
export function freshRoomName(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  return Array.from(randomBytes(8), (byte) => alphabet[byte & 31]!).join('');
}

/** A room with invitations, in the form that the server stores between its runs. */
interface InvitedRoom {
  readonly room: string;
  /** Invitations, one per member: 128 random bits each, in base64url. */
  readonly invitations: readonly string[];
}

/** Maximum number of invitations to a room. Each member needs its own invitation. */
export const maxInvitations = 128;
/** File mode for the stored room, because anyone who reads an invitation can join. */
const secretMode = 0o600;
const bytesPerInvitation = 16;

interface WantedRoom {
  readonly room?: string | undefined;
  readonly count?: number | undefined;
  /** File that stores the room, so that the links remain valid after a restart of the server. */
  readonly path?: string | undefined;
}

/**
 * Returns the room from an existing file, or a new room, which is written to the file if one is named.
 *
 * @returns undefined if the user requests no invitations.
 * @throws UsageError if the file contains a different room or count, or does not exist and no count is given;
 * EnvironmentError `cannot-read`, `not-utf8`, `bad-invitations`, `not-a-file` or `cannot-write`.
 */
export function invitedRoom({ room, count, path }: WantedRoom): InvitedRoom | undefined {
  if (path !== undefined && existsSync(path)) {
    const stored = readInvitedRoom(path);
    if (count !== undefined && count !== stored.invitations.length)
      throw new UsageError(`--invite-count: expected ${stored.invitations.length}, as in ${path}, got ${count}`);
    if (room !== undefined && room !== stored.room)
      throw new UsageError(`--room: expected ${stored.room}, as in ${path}, got ${room}`);
    return stored;
  }
  if (count === undefined) {
    if (path !== undefined)
      throw new UsageError(
        `--invite-file: expected an existing file, got none at ${path}; use --invite-count to create invitations`,
      );
    return undefined;
  }
  const invitations = Array.from({ length: count }, () => randomBytes(bytesPerInvitation).toString('base64url'));
  const fresh = { room: room ?? freshRoomName(), invitations };
  if (path !== undefined) writeWhole(path, `${JSON.stringify(fresh, undefined, 2)}\n`, secretMode);
  return fresh;
}

function readInvitedRoom(path: string): InvitedRoom {
  return readSecret(path, (text) => invitedRoomOf(text, path));
}

/** Reads a stored room. @throws EnvironmentError `bad-invitations`, with the path. */
function invitedRoomOf(text: string, path: string): InvitedRoom {
  const { room, invitations } = parsed(text);
  const isValid =
    isRoomName(room) &&
    Array.isArray(invitations) &&
    invitations.length >= 1 &&
    invitations.length <= maxInvitations &&
    new Set(invitations).size === invitations.length &&
    invitations.every(isInvitation);
  if (isValid) return { room, invitations };
  throw new EnvironmentError(
    'bad-invitations',
    `${path}: expected "room" and "invitations", 1 to ${maxInvitations} different ones, as 'tutti serve --live --invite-count N --invite-file FILE' writes them`,
  );
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(parseJson(text));
  } catch {
    return {};
  }
}
