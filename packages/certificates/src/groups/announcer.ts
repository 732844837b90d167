import type { Endpoint } from '@tutti/core/registry';
import type { Refusal, Transport } from '@tutti/transports';
import { Channel, Counts, type CryptoSuite, Reassembly, splitMessage, vouchesFor } from '@tutti/transports/parts';
import { announcementHeaderBytes, heightBytes } from './ask.ts';

const firstPauseMs = 200;
const longestPauseMs = 10_000;
/** Whom a member tells of a message at a time, after it has told everybody. */
const toldAtATime = 4;
/** A round whose certificate got no more signers in so many periods is over; a node that lacks some asks once in them. */
const quietPeriods = 32;

export interface TellingOptions {
  readonly crypto: CryptoSuite;
  /** Members, and which of them tells. */
  readonly size: number;
  readonly self: number;
  /** Whether nobody told of the message before. */
  readonly isFirst: boolean;
  readonly periodMs: number;
  /** Of the certificate so far; 0 where there is none. */
  readonly signers: () => number;
  readonly tell: (to: number) => void;
  /** Called each time that the certificate was found to get no more signers. */
  readonly onQuiet: () => void;
}

/** Tells everybody of a message, and later some at a time until all have signed, less and less often. */
export class Telling {
  readonly #options: TellingOptions;
  #times = 0;
  /** When it was told last. */
  #signers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  /** Begins, or goes on where it was stopped. */
  start(): void {
    if (this.#timer !== undefined) return;
    if (this.#times === 0) this.#next();
    else this.#wait(pauseAfter(this.#times - 1));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#timer = undefined;
    const { size, periodMs, signers, tell, onQuiet } = this.#options;
    const count = signers();
    if (count === size) return;
    const quietMs = Math.min(longestPauseMs, quietPeriods * periodMs);
    if (count > 0 && count === this.#signers && pauseAfter(this.#times - 1) >= quietMs) onQuiet();
    this.#signers = count;
    for (const to of this.#toTell()) tell(to);
    this.#wait(pauseAfter(this.#times++));
  }

  #wait(pauseMs: number): void {
    this.#timer = setTimeout(() => this.#next(), pauseMs);
    // A timer that waits for nobody does not keep a program of Node running.
    if (typeof this.#timer === 'object') (this.#timer as { unref?(): void }).unref?.();
  }

  /** Everybody, by whoever was asked first; then some at a time, drawn at random. */
  #toTell(): number[] {
    const { crypto, size, self, isFirst } = this.#options;
    const others = Array.from({ length: size }, (_, index) => index).filter((index) => index !== self);
    if (this.#times === 0) return isFirst ? others : [];
    const [high = 0, low = 0] = crypto.randomBytes(2);
    const start = high * 256 + low;
    const count = Math.min(others.length, toldAtATime);
    return Array.from({ length: count }, (_, place) => others[(start + place) % others.length]!);
  }
}

/** How long to wait before a message is told again, when it was told so often before, ms. */
function pauseAfter(times: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** times);
}

/**
 * What members tell each other besides rounds: a message to sign, and the certificate of one. Both may have a height in
 * front, 8 bytes.
 */
export const AnnouncedKind = { message: 1, certificate: 2, messageOfHeight: 3, certificateOfHeight: 4 } as const;

/** The longest message that is signed, bytes. */
export const longestStatementBytes = 65_536;

interface AnnouncerOptions {
  readonly crypto: CryptoSuite;
  readonly session: Uint8Array;
  readonly index: number;
  readonly networkSecret: Uint8Array;
  readonly networkKeys: readonly Uint8Array[];
  readonly endpoints: readonly Endpoint[];
  /** Of the session alone. */
  readonly transport: Transport;
  /** Told of what a member said. */
  readonly onTold: (from: number, kind: number, bytes: Uint8Array) => void;
}

/** Carries messages and certificates between members, over the authenticated channel, whole. */
export class Announcer {
  readonly refused = new Counts<Refusal>();
  readonly #options: AnnouncerOptions;
  readonly #channel: Channel;
  readonly #reassembly: Reassembly;

  constructor(options: AnnouncerOptions) {
    const { crypto, session, index, networkSecret, networkKeys, transport } = options;
    this.#options = options;
    this.#channel = new Channel({
      crypto,
      session,
      self: index,
      secret: networkSecret,
      publicKeys: networkKeys,
      maxPacketBytes: transport.maxPacketBytes,
      // The session is that of the registry. What members tell each other does no harm when it comes twice.
      forgetsLives: true,
    });
    this.#reassembly = new Reassembly({
      // The kind, a height, and a request.
      maxMessageBytes: 1 + heightBytes + announcementHeaderBytes + longestStatementBytes,
      onRefused: (code) => this.refused.add(code),
    });
    transport.onPacket((bytes, from) => this.#onPacket(bytes, from));
  }

  tell(to: number, kind: number, bytes: Uint8Array): void {
    const { endpoints, transport } = this.#options;
    const message = new Uint8Array(bytes.length + 1);
    message[0] = kind;
    message.set(bytes, 1);
    for (const payload of splitMessage(message, this.#channel.maxPayloadBytes, this.#channel.nextNumber(to)))
      transport.send(endpoints[to]!, this.#channel.seal(to, payload));
  }

  close(): void {
    void this.#options.transport.close();
  }

  #onPacket(bytes: Uint8Array, address: Endpoint): boolean {
    const { endpoints, transport, onTold } = this.#options;
    const opened = this.#channel.open(bytes);
    if (!opened.ok) {
      this.refused.add(opened.code);
      if (opened.answer !== undefined) transport.send(endpoints[opened.answer.to]!, opened.answer.packet);
      return false;
    }
    const message = opened.payload.length > 0 ? this.#reassembly.take(opened.from, opened.payload) : undefined;
    if (message !== undefined && message.length > 0) onTold(opened.from, message[0]!, message.slice(1));
    return vouchesFor(endpoints, opened.from, bytes, address);
  }
}
