import { isObject, requireNumber, requireObject, requireText } from '@tutti/core/input';
import {
  isCard,
  isMemberName,
  isText,
  maxCardCharacters,
  maxMembers,
  requireMemberName,
  requireRoomName,
} from './messages.ts';
import { type Signalling, type SignallingEvent, SignallingEvents } from './signalling.ts';

/** Options of {@link joinTabs}. */
export interface TabsOptions {
  /** Name of the room, which is shared by the tabs of one browser or, in Node, by the threads of one process. */
  readonly room: string;
  /** Name of this member: 64 lower-case hexadecimal digits. */
  readonly member: string;
  /** Card for the other members, in addition to the name. */
  readonly card: string;
  /** Time to wait for answers from members that are already present, ms. Default: 400. */
  readonly gatherMs?: number;
}

/**
 * Announcement of a tab to the other tabs. `sinceMs` is the wall-clock time of the tab's arrival, by which all tabs
 * order the members identically.
 */
interface Presence {
  readonly member: string;
  readonly card: string;
  readonly sinceMs: number;
}

type TabMessage =
  | ({ readonly type: 'hello' } & Presence)
  | ({ readonly type: 'here' } & Presence)
  | { readonly type: 'bye'; readonly member: string }
  | { readonly type: 'signal'; readonly from: string; readonly to: string; readonly text: string }
  | { readonly type: 'announcement'; readonly from: string; readonly text: string };

/**
 * Default of {@link TabsOptions.gatherMs}, ms. Tabs answer within a turn or two, including hidden ones, because
 * browsers delay timers but not messages.
 */
const defaultGatherMs = 400;

/**
 * Joins a room without a server: the tabs of one browser announce themselves to each other on a BroadcastChannel. A tab
 * announces that it is being closed; a crashed tab only becomes silent.
 *
 * @throws EnvironmentError `room-name`; TypeError or RangeError for invalid options.
 */
export async function joinTabs(options: TabsOptions): Promise<Signalling> {
  requireObject('options', options);
  const { room, member, card, gatherMs = defaultGatherMs } = options;
  requireRoomName(room);
  requireMemberName(member);
  requireText('card', card);
  requireNumber('gatherMs', gatherMs, 0, 2 ** 31 - 1);
  if (card.length > maxCardCharacters)
    throw new TypeError(`card: expected at most ${maxCardCharacters} characters, got ${card.length}`);
  const channel = new BroadcastChannel(`tutti room ${room}`);
  const events = new SignallingEvents();
  const self: Presence = { member, card, sinceMs: Date.now() };
  const present = new Map<string, Presence>([[member, self]]);
  let gathering = true;
  /** Events that occurred before the present members were known. */
  const held: SignallingEvent[] = [];
  let closed = false;
  const say = (message: TabMessage) => {
    if (!closed) channel.postMessage(message);
  };
  const emit = (event: SignallingEvent) => {
    if (gathering) held.push(event);
    else events.emit(event);
  };
  const meet = ({ member, card, sinceMs }: Presence) => {
    if (present.has(member) || present.size >= maxMembers) return;
    present.set(member, { member, card, sinceMs });
    if (!gathering) events.emit({ type: 'came', member, card });
  };
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    const message = asTabMessage(data);
    if (message === undefined || closed) return;
    switch (message.type) {
      case 'hello':
        meet(message);
        return say({ type: 'here', ...self });
      case 'here':
        return meet(message);
      case 'bye':
        if (message.member !== member && present.delete(message.member) && !gathering)
          events.emit({ type: 'went', member: message.member });
        return;
      case 'signal':
        if (message.to === member) emit({ type: 'signal', from: message.from, text: message.text });
        return;
      case 'announcement':
        return emit({ type: 'announcement', from: message.from, text: message.text });
    }
  };
  say({ type: 'hello', ...self });
  await new Promise((gathered) => setTimeout(gathered, gatherMs));
  gathering = false;
  for (const { member, card } of [...present.values()].sort(inOrder)) events.emit({ type: 'came', member, card });
  for (const event of held) events.emit(event);
  return {
    signal: (to, text) => say({ type: 'signal', from: member, to, text }),
    announce: (text) => say({ type: 'announcement', from: member, text }),
    onEvent: (listener) => events.listen(listener),
    close() {
      say({ type: 'bye', member });
      closed = true;
      channel.close();
    },
  };
}

function inOrder(a: Presence, b: Presence): number {
  return a.sinceMs - b.sinceMs || (a.member < b.member ? -1 : 1);
}

/**
 * Reads a message, or returns undefined for a value that is not a message. Any script of the same origin may post any
 * value.
 */
function asTabMessage(data: unknown): TabMessage | undefined {
  if (!isObject(data)) return undefined;
  const { type, member, card, sinceMs, from, to, text } = data;
  switch (type) {
    case 'hello':
    case 'here': {
      const isPresence = isMemberName(member) && isCard(card) && Number.isFinite(sinceMs);
      return isPresence ? { type, member, card, sinceMs: sinceMs as number } : undefined;
    }
    case 'bye':
      return isMemberName(member) ? { type, member } : undefined;
    case 'signal':
      return isMemberName(from) && isMemberName(to) && isText(text) ? { type, from, to, text } : undefined;
    case 'announcement':
      return isMemberName(from) && isText(text) ? { type, from, text } : undefined;
    default:
      return undefined;
  }
}
