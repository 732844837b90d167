import { isInvitation } from '@tutti/transports/rooms';

/** Where a live room is: at a signalling server, or among the tabs of this browser. */
export type LiveLink =
  | {
      readonly kind: 'server';
      readonly room: string;
      readonly signalling: string;
      /** This page's own, into a room that is by invitation. */
      readonly invitation?: string;
    }
  | { readonly kind: 'tabs'; readonly room: string };

/** Where a server that serves this page too carries signals. */
const signallingPath = '/signal';

const roomPattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads a page's address: `#live=ROOM`, whose server carries the signals too; `#live=ROOM&signal=wss://OTHER/signal`;
 * or `#live=tabs:ROOM`. A link of a room that is by invitation ends in `&invitation=SECRET`. Undefined when it asks for no live room, `bad` when it asks for one that cannot be.
 */
export function readLiveLink(address: string): LiveLink | 'bad' | undefined {
  const url = new URL(address);
  const fields = new URLSearchParams(url.hash.slice(1));
  const live = fields.get('live');
  if (live === null) return undefined;
  const tabs = live.startsWith('tabs:');
  const room = tabs ? live.slice('tabs:'.length) : live;
  if (!roomPattern.test(room)) return 'bad';
  if (tabs) return { kind: 'tabs', room };
  const secure = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const signalling = fields.get('signal') ?? `${secure}//${url.host}${signallingPath}`;
  if (!URL.canParse(signalling) || !/^wss?:/.test(signalling)) return 'bad';
  const invitation = fields.get('invitation');
  if (invitation === null) return { kind: 'server', room, signalling };
  return isInvitation(invitation) ? { kind: 'server', room, signalling, invitation } : 'bad';
}

/**
 * Can another follow an address? Not into a browser's tabs, nor to what only this machine calls its own, nor with an
 * invitation that is somebody's.
 */
export function isForOthers(address: string): boolean {
  const { hostname } = new URL(address);
  const isOwn = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\]|)$/.test(hostname);
  const link = readLiveLink(address);
  return !isOwn && link !== 'bad' && link?.kind === 'server' && link.invitation === undefined;
}

/** A link to a room among the tabs of this browser that nobody is in yet. */
export function freshTabsLink(): string {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return `#live=tabs:${number!.toString(36)}`;
}
