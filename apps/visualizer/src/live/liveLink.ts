import { isInvitation } from '@tutti/transports/rooms';
import { type Field, Fields, optional, parametersOf } from '../links/fields.ts';

/**
 * Location of a live room, on a signalling server or in the tabs of this browser, and whether this page sends invalid
 * contributions.
 */
export type LiveLink = { readonly isByzantine?: true } & RoomPlace;

type RoomPlace =
  | {
      readonly kind: 'server';
      readonly room: string;
      readonly signalling: string;
      /** The page's invitation, for a room that requires one. */
      readonly invitation?: string;
    }
  | { readonly kind: 'tabs'; readonly room: string };

/** Link to a live room with an invalid part. */
interface BadLink {
  readonly kind: 'bad';
  /** Expected and actual text of the invalid part. */
  readonly reason: string;
}

/** Path of the signalling on a server that also provides this page. */
const signallingPath = '/signal';

/** Returns an optional field for a text that `is` accepts. */
const textThat = (takes: string, is: (text: string) => boolean): Field<string | undefined> =>
  optional({ first: '', takes, read: (text) => (is(text) ? text : undefined), write: String });

const linkFields = new Fields({
  live: textThat('ROOM or tabs:ROOM, where ROOM has 1 to 64 letters, digits, - and _', (text) =>
    /^(tabs:)?[A-Za-z0-9_-]{1,64}$/.test(text),
  ),
  signal: textThat('a WebSocket address (ws: or wss:)', (text) => URL.canParse(text) && /^wss?:/.test(text)),
  invitation: textThat('an invitation', isInvitation),
  byzantine: { ...textThat('yes', (text) => text === 'yes'), formerName: 'lies' },
});

/**
 * Parses the address of a page: `#live=ROOM`, with signalling on the page's server;
 * `#live=ROOM&signal=wss://OTHER/signal`; or `#live=tabs:ROOM`. A link to a room that requires an invitation ends in
 * `&invitation=SECRET`, and the link of a Byzantine member ends in `&byzantine=yes`. Returns undefined for an address
 * without a live room.
 */
export function readLiveLink(address: string): LiveLink | BadLink | undefined {
  const url = new URL(address);
  const link = parametersOf(url.hash);
  if (!link.has('live')) return undefined;
  const { values, notices } = linkFields.read(link, [...link.keys()]);
  const { live, signal, invitation } = values;
  const role = values.byzantine !== undefined && { isByzantine: true as const };
  const [notice] = notices;
  if (live === undefined || notice !== undefined) return { kind: 'bad', reason: notice!.replace(/; [^;]*$/, '') };
  if (live.startsWith('tabs:')) return { kind: 'tabs', room: live.slice('tabs:'.length), ...role };
  if (signal === undefined && url.host === '')
    return { kind: 'bad', reason: `live: expected tabs:ROOM in a page from a file, got "${live}"` };
  const protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const signalling = signal ?? `${protocol}//${url.host}${signallingPath}`;
  return { kind: 'server', room: live, signalling, ...role, ...(invitation && { invitation }) };
}

/**
 * Returns whether another browser can open an address. Other browsers cannot reach this browser's tabs or a loopback
 * address of this machine, and an invitation is valid for one member only.
 */
export function isForOthers(address: string): boolean {
  const link = readLiveLink(address);
  return !isOfThisMachine(address) && link?.kind === 'server' && link.invitation === undefined;
}

/** Returns whether an address can be opened on this machine only: a loopback address, or a file. */
export function isOfThisMachine(address: string): boolean {
  return /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\]|)$/.test(new URL(address).hostname);
}

/** Returns a link to a new room that consists of tabs of this browser. */
export function freshTabsLink(): string {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return `#live=tabs:${number!.toString(36)}`;
}
