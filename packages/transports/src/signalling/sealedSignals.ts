import { Channel } from '../channel.ts';
import { Counts } from '../counts.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { fromHex, toHex } from '../hex.ts';
import { isMemberName, MAX_TEXT_CHARACTERS } from './messages.ts';
import type { PeerSignals } from './signalling.ts';

export interface SealedSignalsOptions {
  readonly crypto: CryptoSuite;
  /** Signals of one room are none of another. */
  readonly room: string;
  /** This member's X25519 secret key, 32 bytes; its name is the public one. */
  readonly secret: Uint8Array;
  /** Carries what was sealed. */
  readonly carry: (to: string, sealed: string) => void;
}

/** What a sealed text is for; the number is its first byte. */
const purposes = { link: 0, room: 1 } as const;
export type SignalPurpose = keyof typeof purposes;

type Listener = (from: string, text: string) => void;

const MAX_SEALED_BYTES = MAX_TEXT_CHARACTERS / 2;
const LABEL = 'tutti room signals v1';
const decoder = new TextDecoder();

/**
 * Signals between members, each sealed with the key that the pair shares. A member's name is its network key, so that no
 * directory stands between a name and whom it names: whoever carries the signals, the signalling server above all, can lose
 * them, but neither read nor change them. So the fingerprint in an offer, against which the link's encryption is checked, is
 * the one that its sender put there.
 */
export class SealedSignals {
  readonly #options: SealedSignalsOptions;
  readonly #self: string;
  readonly #session: Uint8Array;
  readonly #channels = new Map<string, Channel>();
  readonly #listeners: (Listener | undefined)[] = [];
  readonly #refused = new Counts();

  constructor(options: SealedSignalsOptions) {
    const { crypto, room, secret } = options;
    const text = new TextEncoder();
    this.#options = options;
    this.#self = toHex(crypto.keyAgreement(secret).publicKey);
    this.#session = crypto.sha256([text.encode(LABEL), text.encode(room)]);
  }

  /** What was refused, by code: those of the channel, `not-sealed` and `unknown-purpose`. */
  get refused(): Readonly<Record<string, number>> {
    return this.#refused.toRecord();
  }

  for(purpose: SignalPurpose): PeerSignals {
    return {
      send: (to, text) => this.#send(to, purposes[purpose], text),
      onSignal: (listener) => {
        this.#listeners[purposes[purpose]] = listener;
      },
    };
  }

  /** A signal came, which may be anything, and is said to be from that member. */
  onSignal(from: string, sealed: string): void {
    const packet = fromHex(sealed, Math.floor(sealed.length / 2));
    if (packet === undefined || !isMemberName(from) || from === this.#self) {
      this.#refused.add('not-sealed');
      return;
    }
    const opened = this.#channel(from).open(packet);
    if (!opened.ok) {
      this.#refused.add(opened.code);
      return;
    }
    const listener = this.#listeners[opened.payload[0] ?? -1];
    if (listener === undefined) this.#refused.add('unknown-purpose');
    else listener(from, decoder.decode(opened.payload.subarray(1)));
  }

  /** Gives back what was kept of a member that left. */
  forget(member: string): void {
    this.#channels.delete(member);
  }

  #send(to: string, purpose: number, text: string): void {
    if (!isMemberName(to) || to === this.#self) return;
    const channel = this.#channel(to);
    const bytes = new TextEncoder().encode(text);
    if (bytes.length + 1 > channel.maxPayloadBytes) {
      this.#refused.add('too-long');
      return;
    }
    const payload = new Uint8Array(bytes.length + 1);
    payload[0] = purpose;
    payload.set(bytes, 1);
    this.#options.carry(to, toHex(channel.seal(indexOf(to, this.#self), payload)));
  }

  #channel(member: string): Channel {
    const known = this.#channels.get(member);
    if (known !== undefined) return known;
    const { crypto, secret } = this.#options;
    const channel = new Channel({
      crypto,
      session: this.#session,
      self: indexOf(this.#self, member),
      secret,
      publicKeys: [this.#self, member].sort().map((name) => fromHex(name, 32)!),
      maxPacketBytes: MAX_SEALED_BYTES,
    });
    this.#channels.set(member, channel);
    return channel;
  }
}

/** The place of one of two names in their order. */
function indexOf(name: string, other: string): number {
  return name < other ? 0 : 1;
}
