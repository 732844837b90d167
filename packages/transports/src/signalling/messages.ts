import { EnvironmentError, isObject, requireText, shownValue } from '@tutti/core/input';

/**
 * Messages between members and the signalling server: one JSON object per WebSocket message. Decoders are strict. For
 * an invalid message, the decoders return undefined and never throw. Decoders drop unknown fields.
 */

/** Messages from a member to the server. */
export type SignallingRequest =
  | {
      readonly type: 'join';
      readonly room: string;
      readonly member: string;
      readonly card: string;
      /** Proof that the member owns its name, 64 hexadecimal digits; see `proveName`. */
      readonly proof: string;
      /** Invitation, for a room that requires one. */
      readonly invitation?: string | undefined;
    }
  | { readonly type: 'signal'; readonly to: string; readonly text: string }
  | { readonly type: 'announce'; readonly text: string };

/** The server's first message on each new connection, which requests a proof that the member owns its name. */
export interface JoinChallenge {
  /** Public X25519 key of the server, 64 hexadecimal digits. */
  readonly key: string;
  /** Nonce, 32 hexadecimal digits, new for each connection. */
  readonly nonce: string;
}

interface PresentMember {
  readonly member: string;
  readonly card: string;
}

/** Messages from the server to a member. */
export type SignallingNotice =
  | ({ readonly type: 'challenge' } & JoinChallenge)
  | { readonly type: 'joined'; readonly members: readonly PresentMember[] }
  | { readonly type: 'came'; readonly member: string; readonly card: string }
  | { readonly type: 'went'; readonly member: string }
  | { readonly type: 'signal'; readonly from: string; readonly text: string }
  | { readonly type: 'announcement'; readonly from: string; readonly text: string }
  | { readonly type: 'refused'; readonly code: SignallingRefusal; readonly line: string };

/** Reasons why the server rejected a request. */
export const signallingRefusals = {
  malformed: 'expected a JSON object with a request of this protocol',
  'not-joined': 'expected a join request before any other request',
  'already-joined': 'expected at most one join request per connection',
  'not-your-name': 'expected a proof that this member knows the secret key for its name',
  'too-many-rooms': 'this server has reached its maximum number of rooms; try again when a room is empty',
  'too-many-rooms-of-address':
    'this address has reached its maximum number of open rooms; try again when a room is empty',
  'too-many-members-of-address': 'this address has reached its maximum number of members in rooms',
  'too-many-in-room-of-address':
    'this address has reached its maximum number of places in this room; the others are for other addresses',
  'room-full': 'this room is full',
  'not-invited': 'expected an invitation from this server to this room, because the room requires an invitation',
  'invitation-taken': 'a member with this invitation is already in the room; each invitation is for one member',
  'name-taken': 'a member with this name is already in the room; join under another name',
  'unknown-member': 'no member with that name is in the room',
  'too-fast': "this member exceeded the server's rate limit; send less often",
} as const;
/** Code of a rejected request. */
export type SignallingRefusal = keyof typeof signallingRefusals;

/** Maximum length of a card, characters, which slightly exceeds the length of a member's registry entries as JSON. */
export const maxCardCharacters = 5120;
/** Maximum length of a text, characters, which exceeds the length of a sealed session description in hexadecimal. */
export const maxTextCharacters = 24 * 1024;
/** Maximum length of a message from a member, bytes. The server's own message `joined` can be longer. */
export const maxRequestBytes = maxTextCharacters + 1024;
/** Maximum number of members that any server admits to one room. */
export const maxMembers = 128;

/** Pattern of a room name. Links can contain the characters of a room name without escaping. */
const roomPattern = /^[A-Za-z0-9_-]{1,64}$/;
/** Pattern of 32 bytes in hexadecimal: a network key or a proof. */
const hex32Bytes = /^[0-9a-f]{64}$/;
const noncePattern = /^[0-9a-f]{32}$/;
/** Pattern of an invitation: 128 random bits in base64url, which cannot be guessed. */
const invitationPattern = /^[A-Za-z0-9_-]{22}$/;

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/**
 * Checks a room name: 1 to 64 letters, digits, hyphens or underscores.
 *
 * @throws EnvironmentError `room-name` for an invalid name; TypeError for a value that is not a text.
 */
export function requireRoomName(text: string): void {
  requireText('room', text);
  if (roomPattern.test(text)) return;
  const expected = '1 to 64 letters, digits, hyphens or underscores';
  throw new EnvironmentError('room-name', `room: expected ${expected}, got ${shownValue(text)}`);
}

/** Returns whether a text is a member's name, which is its network key (X25519): 64 lower-case hexadecimal digits. */
export function isMemberName(text: unknown): text is string {
  return matches(hex32Bytes, text);
}

/**
 * Checks a member's own name.
 *
 * @throws TypeError for any value that {@link isMemberName} rejects.
 */
export function requireMemberName(text: string): void {
  if (!isMemberName(text))
    throw new TypeError(`member: expected 64 lower-case hexadecimal digits, got ${shownValue(text)}`);
}

/**
 * Returns whether a text is an invitation (22 letters, digits, hyphens and underscores), which is the secret for one
 * place in a room.
 */
export function isInvitation(text: unknown): text is string {
  return matches(invitationPattern, text);
}

export function decodeRequest(text: string): SignallingRequest | undefined {
  if (text.length > maxRequestBytes) return undefined;
  const value = parseObject(text);
  switch (value?.type) {
    case 'join': {
      const { room, member, card, proof, invitation } = value;
      if (!matches(roomPattern, room) || !isMemberName(member) || !isCard(card)) return undefined;
      if (!matches(hex32Bytes, proof)) return undefined;
      if (invitation === undefined) return { type: 'join', room, member, card, proof };
      return isInvitation(invitation) ? { type: 'join', room, member, card, proof, invitation } : undefined;
    }
    case 'signal': {
      const { to, text: carried } = value;
      return isMemberName(to) && isText(carried) ? { type: 'signal', to, text: carried } : undefined;
    }
    case 'announce':
      return isText(value.text) ? { type: 'announce', text: value.text } : undefined;
    default:
      return undefined;
  }
}

export function decodeNotice(text: string): SignallingNotice | undefined {
  const value = parseObject(text);
  switch (value?.type) {
    case 'challenge': {
      const { key, nonce } = value;
      const isChallenge = matches(hex32Bytes, key) && matches(noncePattern, nonce);
      return isChallenge ? { type: 'challenge', key, nonce } : undefined;
    }
    case 'joined': {
      const { members } = value;
      if (!Array.isArray(members) || members.length > maxMembers) return undefined;
      const present = members.map(asPresent);
      return present.every((one) => one !== undefined) ? { type: 'joined', members: present } : undefined;
    }
    case 'came': {
      const present = asPresent(value);
      return present && { type: 'came', ...present };
    }
    case 'went':
      return isMemberName(value.member) ? { type: 'went', member: value.member } : undefined;
    case 'signal':
    case 'announcement': {
      const { type, from, text: carried } = value;
      return isMemberName(from) && isText(carried) ? { type, from, text: carried } : undefined;
    }
    case 'refused': {
      const { code } = value;
      if (typeof code !== 'string' || !Object.hasOwn(signallingRefusals, code)) return undefined;
      return refusal(code as SignallingRefusal);
    }
    default:
      return undefined;
  }
}

/** Returns a rejection with this side's message for its code, regardless of the text that the other side sent. */
export function refusal(code: SignallingRefusal): Extract<SignallingNotice, { type: 'refused' }> {
  return { type: 'refused', code, line: `${code}: ${signallingRefusals[code]}` };
}

function asPresent(value: unknown): PresentMember | undefined {
  if (!isObject(value)) return undefined;
  const { member, card } = value;
  return isMemberName(member) && isCard(card) ? { member, card } : undefined;
}

/** Returns whether a value has the form of a card that the server forwards; see {@link maxCardCharacters}. */
export function isCard(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxCardCharacters;
}

/** Returns whether a value has the form of a signal or an announcement; see {@link maxTextCharacters}. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTextCharacters;
}

/** Parses a JSON object from a peer, or returns undefined if the text is not a JSON object. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
