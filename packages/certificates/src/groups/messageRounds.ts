import { type Group, Peer, type PeerTotals, type Transport } from '@tutti/transports';
import { messageHash } from '../verification/certificate.ts';
import { roundHash } from './ask.ts';
import { type ReadyOptions, seedOf } from './joinOptions.ts';
import type { SigningEntry } from './signingQueue.ts';
import { type Certified, certifiedOf } from './storedCertificates.ts';

/** Options of {@link MessageRounds}. */
interface MessageRoundsOptions {
  readonly options: ReadyOptions;
  readonly group: Group;
  /** Registry index of this member. */
  readonly index: number;
  /** Called with each certificate of a running round. Each certificate of a round is heavier than the previous one. */
  readonly onCertified: (certified: Certified) => void;
  /** Called when a packet arrives for a round that this member has closed, with the packet's claimed sender. */
  readonly onLate: (round: number, from: number) => void;
}

const noSigners: ReadonlySet<number> = new Set();

/** The rounds of the protocol that this member runs, one per message, and the members that it bans from them. */
export class MessageRounds {
  readonly #options: ReadyOptions;
  readonly #group: Group;
  readonly #peer: Peer;
  readonly #running = new Map<number, SigningEntry>();
  readonly #invalidBySender = new Map<number, number>();
  #failure: Error | undefined;

  constructor({ options, group, index, onCertified, onLate }: MessageRoundsOptions) {
    const { registry, key, kernel, transport, config, maxOpen } = options;
    this.#options = options;
    this.#group = group;
    this.#peer = new Peer({
      group,
      index,
      networkSecret: key.networkSecret,
      sign: (message) => kernel.sign(key.secretKey, message),
      transport,
      // The number of signers has no threshold, because their weight decides; see the group's minimum weight.
      config: { ...config, threshold: 1 },
      maxOpen,
      onOutput: ({ round, output }) => {
        const entry = this.#running.get(round);
        if (entry !== undefined && output !== undefined) onCertified(certifiedOf(group, registry, entry, output));
      },
      onInvalid: (from) => this.#countInvalid(from),
      onLate,
      onFailure: (error) => {
        this.#failure = error;
      },
    });
  }

  /** Number of invalid contributions from each sender. */
  get invalidBySender(): ReadonlyMap<number, number> {
    return this.#invalidBySender;
  }

  /** Error of the last verification that could not be carried out; undefined if there was none. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  totals(): PeerTotals {
    return this.#peer.totals();
  }

  /** Signs a message and opens its round. @throws an error of the kernel or of `Peer` if the round cannot be opened. */
  open(entry: SigningEntry): void {
    const { number, bytes, height } = entry;
    const seed = seedOf(this.#group, roundHash(messageHash(bytes), height), this.#options.beacon);
    this.#peer.open({ number, message: bytes, seed });
    this.#running.set(number, entry);
  }

  /** Starts the protocol of an open round. */
  start({ number }: SigningEntry): void {
    this.#peer.start(number);
  }

  /** Closes the round of a message, if it is running. */
  stop(entry: SigningEntry): void {
    if (!this.isRunning(entry)) return;
    this.#running.delete(entry.number);
    this.#peer.closeRound(entry.number);
  }

  isRunning(entry: SigningEntry): boolean {
    return this.#running.get(entry.number) === entry;
  }

  /** Returns the members whose signatures were verified in a message's round; none if the round is not running. */
  signersOf(entry: SigningEntry): ReadonlySet<number> {
    return this.isRunning(entry) ? this.#peer.signersOf(entry.number) : noSigners;
  }

  isBanned(from: number): boolean {
    return this.#peer.isBanned(from);
  }

  /** Bans a member for several rounds because it sent, outside rounds, a message that only a faulty member sends. */
  ban(from: number): void {
    this.#countInvalid(from);
    this.#peer.ban(from);
  }

  /** Returns a transport for the packets of a session that is not a round, on the member's transport. */
  transportOf(session: Uint8Array): Transport {
    return this.#peer.transportOf(session);
  }

  /** Closes all rounds and the member's transport. */
  close(): Promise<void> {
    return this.#peer.close();
  }

  #countInvalid(from: number): void {
    this.#invalidBySender.set(from, (this.#invalidBySender.get(from) ?? 0) + 1);
  }
}
