import { isBytes } from '@tutti/core/input';
import type SimplePeer from '#simple-peer';
import { BoundedQueue } from '../transport/bounded.ts';
import { plain } from '../transport/transport.ts';
import { type LinkSignal, withoutTcp } from './linkSignal.ts';

/** STUN or TURN servers, in the form of RTCPeerConnection. */
export interface IceServer {
  readonly urls: string | readonly string[];
  /** User name for a TURN server. */
  readonly username?: string;
  /** Password for a TURN server. */
  readonly credential?: string;
}

interface LinkOptions {
  /** Whether this end makes the offer. */
  readonly initiator: boolean;
  /** Number of the offer; see {@link LinkSignal.attempt}. */
  readonly attempt: number;
  /** WebRTC implementation, required if the platform has none; see `loadNodeRtc`. */
  readonly rtc: unknown;
  readonly iceServers: readonly IceServer[];
  /** Maximum number of packets that wait until the link is open, or while the peer is slow to receive. */
  readonly queueBound: number;
  /** Time after which an unopened link counts as failed, ms. */
  readonly openWithinMs: number;
  readonly onSignal: (signal: LinkSignal) => void;
  readonly onPacket: (bytes: Uint8Array) => void;
  /** Called with the length of each packet that was handed to the data channel, bytes. */
  readonly onSent: (bytes: number) => void;
  readonly onOpen: () => void;
  /** Called for an arriving message that is not a packet. */
  readonly onMalformed: () => void;
  /**
   * Called once when the link ends, regardless of which side ended it. `unsent` is the number of packets still waiting,
   * and `wasOpen` tells whether the link was ever open.
   */
  readonly onEnd: (unsent: number, wasOpen: boolean) => void;
}

/**
 * Maximum time to gather this machine's addresses before the signal is sent, ms. After this time, the link no longer
 * waits for a STUN server's answer.
 */
const gatherMs = 2000;

/** Settings of a data channel with the guarantees of the internet: unordered and without retransmissions. */
const unreliableChannel = { ordered: false, maxRetransmits: 0 };

/** One connection to a peer. The connection is first opening, then open, and finally ended for good. */
export class Link {
  readonly initiator: boolean;
  readonly attempt: number;
  readonly #options: LinkOptions;
  readonly #waiting: BoundedQueue<Uint8Array>;
  readonly #deadline: ReturnType<typeof setTimeout>;
  #state: 'opening' | 'open' | 'ended' = 'opening';
  /** The connection; undefined until the library has been loaded. */
  #peer: SimplePeer | undefined;
  /** Session description of this end. */
  #signal: LinkSignal | undefined;
  /** Session description of the other end. */
  #accepted: LinkSignal | undefined;
  #full = false;

  constructor(options: LinkOptions) {
    const { initiator, attempt, queueBound, openWithinMs } = options;
    this.initiator = initiator;
    this.attempt = attempt;
    this.#options = options;
    this.#waiting = new BoundedQueue(queueBound);
    this.#deadline = setTimeout(() => this.end(), openWithinMs);
    // The library is loaded with the first link, because users of UDP or TCP do not need it.
    import('#simple-peer').then(
      (library) => this.#connect(library.default),
      () => this.end(),
    );
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /**
   * Sends this end's description, if it is available. A repeated call sends the description again, in case it was lost.
   */
  signal(): void {
    if (this.#state === 'opening' && this.#signal !== undefined) this.#options.onSignal(this.#signal);
  }

  /** Accepts the other end's first description while the link is opening. Returns false for any other description. */
  accept(signal: LinkSignal): boolean {
    const due = this.initiator ? 'answer' : 'offer';
    if (this.#accepted !== undefined || this.#state !== 'opening' || signal.type !== due) return false;
    this.#accepted = signal;
    this.#peer?.signal(signal);
    return true;
  }

  /** Sends a packet now, or once the link is open. Returns true if an older packet was dropped. */
  send(bytes: Uint8Array): boolean {
    const dropped = this.#waiting.push(bytes);
    if (this.#state === 'open') this.#drain();
    return dropped;
  }

  /** Removes and returns the waiting packets, for a link that replaces this link. */
  takeWaiting(): Uint8Array[] {
    const waiting: Uint8Array[] = [];
    for (let bytes = this.#waiting.shift(); bytes !== undefined; bytes = this.#waiting.shift()) waiting.push(bytes);
    return waiting;
  }

  /** Ends the link, open or not. A second call has no effect. */
  end(): void {
    if (this.#state === 'ended') return;
    const wasOpen = this.#state === 'open';
    this.#state = 'ended';
    clearTimeout(this.#deadline);
    const unsent = this.#waiting.length;
    this.#waiting.clear();
    this.#peer?.destroy();
    this.#options.onEnd(unsent, wasOpen);
  }

  #connect(Library: typeof SimplePeer): void {
    if (this.#state === 'ended') return;
    const { rtc, iceServers } = this.#options;
    const peer = new Library({
      initiator: this.initiator,
      trickle: false,
      objectMode: true,
      ...(rtc === undefined ? {} : { wrtc: rtc }),
      config: { iceServers },
      channelConfig: unreliableChannel,
      iceCompleteTimeout: gatherMs,
    });
    this.#peer = peer;
    peer.on('signal', ({ type, sdp }) => {
      if (type !== 'offer' && type !== 'answer') return;
      this.#signal = { type, attempt: this.attempt, sdp: withoutTcp(sdp) };
      this.signal();
    });
    peer.on('connect', () => this.#onConnect());
    peer.on('drain', () => {
      this.#full = false;
      this.#drain();
    });
    peer.on('data', (message) => this.#onMessage(message));
    // An error is always followed by a close event.
    peer.on('error', () => {});
    peer.on('close', () => this.end());
    if (this.#accepted !== undefined) peer.signal(this.#accepted);
  }

  #onConnect(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    clearTimeout(this.#deadline);
    this.#options.onOpen();
    this.#drain();
  }

  #drain(): void {
    while (this.#state === 'open' && !this.#full) {
      const bytes = this.#waiting.shift();
      if (bytes === undefined) return;
      this.#full = !this.#peer!.write(bytes);
      this.#options.onSent(bytes.length);
    }
  }

  #onMessage(message: unknown): void {
    if (this.#state === 'ended') return;
    if (isBytes(message)) this.#options.onPacket(plain(message));
    else this.#options.onMalformed();
  }
}
