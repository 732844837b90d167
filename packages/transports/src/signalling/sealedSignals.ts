import { fromHex, toHex } from '@tutti/core/input';
import { Channel, isBoundToIncarnation } from '../channel/channel.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { Counts, type Refusal } from '../refusals.ts';
import { isMemberName, maxTextCharacters } from './messages.ts';
import type { PeerSignals } from './signalling.ts';

/** Options of {@link SealedSignals}. */
interface SealedSignalsOptions {
  readonly crypto: CryptoSuite;
  /** Room of the signals. Other rooms cannot open these signals. */
  readonly room: string;
  /** X25519 secret key of this member, 32 bytes. The corresponding public key is the member's name. */
  readonly secret: Uint8Array;
  /** Sends a sealed text. */
  readonly carry: (to: string, sealed: string) => void;
  /**
   * Maximum number of known members, including those that left. A further member replaces one of the known members.
   * Default: 4096.
   */
  readonly maxMembers?: number;
}

interface Known {
  readonly channel: Channel;
  /** Whether any signal of the member has been opened. Before the first opened signal, there is nothing to replay. */
  heard: boolean;
  /** Whether the carrier reported that the member has left. */
  gone: boolean;
  /**
   * Whether the member was first met after another member was forgotten, and has not yet sent a signal to this
   * incarnation. Messages of such a member may be replays.
   */
  mayRepeat: boolean;
}

/** Purposes of sealed texts. The first byte of a text is the number of its purpose. */
const purposes = { link: 0, room: 1 } as const;
type SignalPurpose = keyof typeof purposes;

type Listener = (from: string, text: string) => void;

/** Maximum length of a sealed signal, bytes; a text contains two hexadecimal digits per byte. */
const maxSealedBytes = maxTextCharacters / 2;
const signalsDomain = 'tutti room signals v2';
const defaultMaxMembers = 4096;
/** Maximum number of unknown senders whose channels are stored after an answer. */
const maxAnswered = 64;
const decoder = new TextDecoder();

/**
 * Signals between members, each sealed with the key shared by sender and receiver. A member's name is its network key,
 * so no directory from names to keys is needed. A carrier of signals, such as the signalling server, can lose signals,
 * but cannot read, change or replay them. The fingerprint in an offer, which is used to check the link's encryption, is
 * therefore the one that the sender chose for this link.
 *
 * The channel keeps replay state for every member that has sent a signal, even if the server reports the member's
 * departure, until there are too many names. If there are too many names, unproven names are forgotten first. After a
 * proven name was forgotten, a member's first signal is accepted only if it is sealed for this incarnation of the
 * channel. Any other first signal is answered but not accepted, so that the member's next signal can be accepted.
 */
export class SealedSignals {
  readonly #options: SealedSignalsOptions;
  readonly #self: string;
  readonly #session: Uint8Array;
  readonly #maxMembers: number;
  /** Members ordered by the last signal that was sent to them or opened from them, the oldest first. */
  readonly #known = new Map<string, Known>();
  /**
   * Unknown senders whose signal for an earlier incarnation was answered, the oldest first. The next signal of such a
   * sender is sealed for the incarnation named in the answer, and only the same channel can open it.
   */
  readonly #answered = new Map<string, Known>();
  readonly #listeners: (Listener | undefined)[] = [];
  readonly #refused = new Counts<Refusal>();
  #hasForgotten = false;

  constructor(options: SealedSignalsOptions) {
    const { crypto, room, secret, maxMembers = defaultMaxMembers } = options;
    const text = new TextEncoder();
    this.#options = options;
    this.#maxMembers = maxMembers;
    this.#self = toHex(crypto.keyAgreement(secret).publicKey);
    this.#session = crypto.sha256([text.encode(signalsDomain), text.encode(room)]);
  }

  /** Number of rejections by code: the codes of the channel, `not-sealed`, `unknown-purpose` and `too-long`. */
  get refused(): Readonly<Record<string, number>> {
    return this.#refused.toRecord();
  }

  /** Returns the signals of one purpose, which has one listener. */
  for(purpose: SignalPurpose): PeerSignals {
    return {
      send: (to, text) => this.#send(to, purposes[purpose], text),
      onSignal: (listener) => {
        this.#listeners[purposes[purpose]] = listener;
      },
    };
  }

  /** Handles a signal with arbitrary content from a claimed sender. */
  onSignal(from: string, sealed: string): void {
    const packet = fromHex(sealed);
    if (packet === undefined || !isMemberName(from) || from === this.#self) {
      this.#refused.add('not-sealed');
      return;
    }
    const known = this.#find(from);
    const { channel } = known;
    const opened = channel.open(packet);
    if (!opened.ok) {
      this.#refused.add(opened.code);
      if (opened.answer === undefined) return;
      if (!this.#known.has(from)) this.#keepAnswered(from, known);
      this.#options.carry(from, toHex(opened.answer.packet));
      return;
    }
    // An untrusted peer can invent names at no cost, so a sender is stored only after it has proven its name.
    known.heard = true;
    this.#keep(from, known);
    if (isBoundToIncarnation(packet)) known.mayRepeat = false;
    if (opened.payload.length === 0) return;
    if (known.mayRepeat) {
      this.#refused.add('replayed');
      this.#options.carry(from, toHex(channel.seal(indexOf(from, this.#self), new Uint8Array(0))));
      return;
    }
    const listener = this.#listeners[opened.payload[0]!];
    if (listener === undefined) this.#refused.add('unknown-purpose');
    else listener(from, decoder.decode(opened.payload.subarray(1)));
  }

  /**
   * Releases the keys for a member that reportedly left. Released keys can be derived again. The member's replay state
   * is kept.
   */
  forget(member: string): void {
    this.#answered.delete(member);
    const known = this.#known.get(member);
    if (known === undefined) return;
    known.channel.forgetKeys();
    known.gone = true;
  }

  #send(to: string, purpose: number, text: string): void {
    if (!isMemberName(to) || to === this.#self) return;
    const known = this.#find(to);
    const { channel } = known;
    const bytes = new TextEncoder().encode(text);
    if (bytes.length + 1 > channel.maxPayloadBytes) {
      this.#refused.add('too-long');
      return;
    }
    const payload = new Uint8Array(bytes.length + 1);
    payload[0] = purpose;
    payload.set(bytes, 1);
    this.#keep(to, known);
    this.#options.carry(to, toHex(channel.seal(indexOf(to, this.#self), payload)));
  }

  #find(member: string): Known {
    return this.#known.get(member) ?? this.#answered.get(member) ?? this.#meet(member);
  }

  #meet(member: string): Known {
    const { crypto, secret } = this.#options;
    const channel = new Channel({
      crypto,
      session: this.#session,
      self: indexOf(this.#self, member),
      secret,
      publicKeys: [this.#self, member].sort().map((name) => fromHex(name, 32)!),
      maxPacketBytes: maxSealedBytes,
    });
    return { channel, heard: false, gone: false, mayRepeat: this.#hasForgotten };
  }

  /** Records a member as the most recently used one, and forgets another member if there are too many. */
  #keep(member: string, known: Known): void {
    known.gone = false;
    this.#answered.delete(member);
    this.#known.delete(member);
    if (this.#known.size >= this.#maxMembers) {
      const worth = ({ heard, gone }: Known) => 2 * Number(heard) + Number(!gone);
      const [name, { heard }] = [...this.#known].reduce((min, one) => (worth(one[1]) < worth(min[1]) ? one : min));
      if (heard) this.#hasForgotten = true;
      this.#known.delete(name);
    }
    this.#known.set(member, known);
  }

  /** Stores an unknown sender that was answered, and forgets the oldest one if there are too many. */
  #keepAnswered(member: string, known: Known): void {
    this.#answered.set(member, known);
    if (this.#answered.size > maxAnswered) this.#answered.delete(this.#answered.keys().next().value!);
  }
}

/** Returns the index, 0 or 1, of `name` among the two sorted names. */
function indexOf(name: string, other: string): number {
  return name < other ? 0 : 1;
}
