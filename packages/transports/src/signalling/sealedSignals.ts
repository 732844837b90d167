import { Channel } from '../channel/channel.ts';
import { Counts } from '../counts.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { fromHex, toHex } from '../hex.ts';
import type { Refusal } from '../refusals.ts';
import { isMemberName, maxTextCharacters } from './messages.ts';
import type { PeerSignals } from './signalling.ts';

export interface SealedSignalsOptions {
  readonly crypto: CryptoSuite;
  /** Signals of one room are none of another. */
  readonly room: string;
  /** This member's X25519 secret key, 32 bytes; its name is the public one. */
  readonly secret: Uint8Array;
  /** Carries what was sealed. */
  readonly carry: (to: string, sealed: string) => void;
  /**
   * Members that are known for good, those that left too; 4096 by default. Signals of any more are neither sent nor
   * heard.
   */
  readonly mostMembers?: number;
}

/** What a sealed text is for; the number is its first byte. */
const purposes = { link: 0, room: 1 } as const;
export type SignalPurpose = keyof typeof purposes;

type Listener = (from: string, text: string) => void;

const maxSealedBytes = maxTextCharacters / 2;
const signalsDomain = 'tutti room signals v2';
const mostMembersEver = 4096;
const decoder = new TextDecoder();

/**
 * Signals between members, each sealed with the key that the pair shares. A member's name is its network key, so that
 * no directory stands between a name and whom it names: whoever carries the signals, the signalling server above all,
 * can lose them, but neither read, change nor repeat them. So the fingerprint in an offer, against which the link's
 * encryption is checked, is the one that its sender put there for this link.
 *
 * What guards against repetition is kept of every member that was ever heard or spoken to, whatever the server says of
 * who left.
 */
export class SealedSignals {
  readonly #options: SealedSignalsOptions;
  readonly #self: string;
  readonly #session: Uint8Array;
  readonly #mostMembers: number;
  readonly #channels = new Map<string, Channel>();
  readonly #listeners: (Listener | undefined)[] = [];
  readonly #refused = new Counts<Refusal>();

  constructor(options: SealedSignalsOptions) {
    const { crypto, room, secret, mostMembers = mostMembersEver } = options;
    const text = new TextEncoder();
    this.#options = options;
    this.#mostMembers = mostMembers;
    this.#self = toHex(crypto.keyAgreement(secret).publicKey);
    this.#session = crypto.sha256([text.encode(signalsDomain), text.encode(room)]);
  }

  /** What was refused, by code: those of the channel, `not-sealed`, `unknown-purpose` and `too-many-members`. */
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
    const known = this.#channels.get(from);
    if (known === undefined && this.#isFull()) return;
    const channel = known ?? this.#channelWith(from);
    const opened = channel.open(packet);
    if (!opened.ok) {
      this.#refused.add(opened.code);
      return;
    }
    // An untrusted peer's name costs nothing to make up, so that one is kept from when it has proven to be somebody's.
    this.#channels.set(from, channel);
    if (opened.payload.length === 0) return;
    const listener = this.#listeners[opened.payload[0]!];
    if (listener === undefined) this.#refused.add('unknown-purpose');
    else listener(from, decoder.decode(opened.payload.subarray(1)));
  }

  /** Gives back what can be made anew of a member that is said to have left: the keys, not what was heard and said. */
  forget(member: string): void {
    this.#channels.get(member)?.forgetKeys();
  }

  #send(to: string, purpose: number, text: string): void {
    if (!isMemberName(to) || to === this.#self) return;
    const known = this.#channels.get(to);
    if (known === undefined && this.#isFull()) return;
    const channel = known ?? this.#channelWith(to);
    const bytes = new TextEncoder().encode(text);
    if (bytes.length + 1 > channel.maxPayloadBytes) {
      this.#refused.add('too-long');
      return;
    }
    const payload = new Uint8Array(bytes.length + 1);
    payload[0] = purpose;
    payload.set(bytes, 1);
    this.#channels.set(to, channel);
    this.#options.carry(to, toHex(channel.seal(indexOf(to, this.#self), payload)));
  }

  #isFull(): boolean {
    const isFull = this.#channels.size >= this.#mostMembers;
    if (isFull) this.#refused.add('too-many-members');
    return isFull;
  }

  #channelWith(member: string): Channel {
    const { crypto, secret } = this.#options;
    return new Channel({
      crypto,
      session: this.#session,
      self: indexOf(this.#self, member),
      secret,
      publicKeys: [this.#self, member].sort().map((name) => fromHex(name, 32)!),
      maxPacketBytes: maxSealedBytes,
    });
  }
}

/** The place of one of two names in their order. */
function indexOf(name: string, other: string): number {
  return name < other ? 0 : 1;
}
