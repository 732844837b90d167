import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseJson, WorldError } from '@tutti/core/input';
import { isInvitation } from '@tutti/transports/rooms';
import { UsageError } from '../context.ts';
import { readSecret, writeWhole } from '../output/files.ts';
import { freshRoomName, isRoomName } from './roomLink.ts';

/** A room with invitations, in the form that is stored between runs of its server. */
interface InvitedRoom {
  readonly room: string;
  /** Invitations, one for each member: 128 random bits in base64url. */
  readonly invitations: readonly string[];
}

/** Maximum number of members of a room. */
export const maxInvitations = 128;
/** File mode: an invitation admits its reader. */
const secretMode = 0o600;
const bytesPerInvitation = 16;

interface WantedRoom {
  readonly room?: string | undefined;
  readonly count?: number | undefined;
  /** File in which the room is stored, so that its links work after a restart of the server. */
  readonly path?: string | undefined;
}

/**
 * Returns the room of an existing file, or a new one, which is written if a file is named.
 *
 * @returns undefined if no invitations are requested.
 * @throws UsageError if the file has another room or count; WorldError `cannot-read`, `bad-invitations` or
 * `cannot-write`.
 */
export function invitedRoom({ room, count, path }: WantedRoom): InvitedRoom | undefined {
  if (path !== undefined && existsSync(path)) {
    const stored = readInvitedRoom(path);
    if (count !== undefined && count !== stored.invitations.length)
      throw new UsageError(`--invite-count: ${path} has ${stored.invitations.length}, got ${count}`);
    if (room !== undefined && room !== stored.room)
      throw new UsageError(`--room: ${path} has ${stored.room}, got ${room}`);
    return stored;
  }
  if (count === undefined) {
    if (path !== undefined)
      throw new UsageError(`--invite-file: no file ${path}; use --invite-count to create invitations`);
    return undefined;
  }
  const invitations = Array.from({ length: count }, () => randomBytes(bytesPerInvitation).toString('base64url'));
  const fresh = { room: room ?? freshRoomName(), invitations };
  if (path !== undefined) writeWhole(path, `${JSON.stringify(fresh, undefined, 2)}\n`, secretMode);
  return fresh;
}

function readInvitedRoom(path: string): InvitedRoom {
  const { room, invitations } = readSecret(path, parsed);
  const holds =
    isRoomName(room) &&
    Array.isArray(invitations) &&
    invitations.length >= 1 &&
    invitations.length <= maxInvitations &&
    new Set(invitations).size === invitations.length &&
    invitations.every(isInvitation);
  if (holds) return { room, invitations };
  throw new WorldError(
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
