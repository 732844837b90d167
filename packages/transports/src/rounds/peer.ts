import { requireBytes, requireFunction, requireInteger, requireMethods, requireObject } from '@tutti/core/input';
import { claimedBy, markOf } from '../channel/channel.ts';
import { type CryptoSuite, rememberedSecrets } from '../crypto/suite.ts';
import { Counts, type Refusal } from '../refusals.ts';
import { type Clock, processClock } from '../runtime/clock.ts';
import { LastOf } from '../transport/bounded.ts';
import type { Transport } from '../transport/transport.ts';
import type { Group } from './group.ts';
import { type PeerConfig, peerConfig, type RoundPlan } from './plan.ts';
import type { RoundProtocol } from './protocol.ts';
import { type RoundReport, RoundSession } from './roundSession.ts';
import { SharedTransport } from './sharedTransport.ts';

/** Duration of a member's first ban, in rounds. */
const minBanRounds = 2;
/** Maximum duration of a ban, in rounds. */
const maxBanRounds = 64;

/**
 * Temporary bans of members that sent invalid contributions. If a member sends another invalid contribution soon after
 * a ban, within as many rounds as the ban lasted, the next ban is twice as long.
 *
 * The channel authenticates sender and session, and honest members verify contributions before they send them.
 * Therefore, no member can cause a ban of another member. The memory for each member is at most two numbers.
 */
export class Bans {
  readonly #banned = new Map<number, { readonly until: number; readonly rounds: number }>();
  #opened = 0;

  /** Counts a new round. @returns the round's index among the opened rounds. */
  open(): number {
    return this.#opened++;
  }

  /**
   * Bans a member for an invalid contribution in a round, or outside rounds if no round is given. Several invalid
   * contributions in simultaneously open rounds count as one.
   */
  ban(index: number, round: number = this.#opened): void {
    const { until, rounds } = this.#banned.get(index) ?? { until: 0, rounds: 0 };
    if (round < until) return;
    const isAgain = round < until + rounds;
    const next = isAgain ? Math.min(maxBanRounds, 2 * rounds) : minBanRounds;
    this.#banned.set(index, { until: this.#opened + next, rounds: next });
  }

  /** Returns whether a member is banned in a round. Default: the next round. */
  isBanned(index: number, round: number = this.#opened): boolean {
    return round < (this.#banned.get(index)?.until ?? 0);
  }
}

/** Default maximum number of open rounds: the current round, and the previous round, which still answers late peers. */
const defaultMaxOpen = 2;

/** Maximum number of closed rounds whose packets are recognised. */
const maxRemembered = 1024;

/** Options of a {@link Peer}. */
export interface PeerOptions {
  readonly group: Group;
  /** Registry index of this peer's entry. */
  readonly index: number;
  /** X25519 secret key of the peer, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /**
   * Signs a round's message with the key of the entry. With BLS, the signature takes 96 bytes in G2, or 48 bytes in G1
   * (`min-sig`).
   */
  readonly sign: (message: Uint8Array, plan: RoundPlan) => Uint8Array;
  /** Transport at the entry's address. The peer owns this transport and closes it. */
  readonly transport: Transport;
  /** Clock of the peer. Default: a clock shared by all peers of the process. */
  readonly clock?: Clock;
  /**
   * Parameters of Handel. The threshold, a number of entries, is required. Other parameters default to
   * `defaultHandelConfig`, with a period that suits the number of peers of this process when a round is opened
   * (`fittingPeriodMs`).
   */
  readonly config: PeerConfig;
  /** Protocol of the rounds; all members must use the same one. Default: Handel. */
  readonly protocol?: RoundProtocol;
  /** Maximum number of open rounds, at least 1. Opening a further round closes the oldest one. Default: 2. */
  readonly maxOpen?: number;
  /** Called for each output of a round. Each output is heavier than the previous one. */
  readonly onOutput?: (report: RoundReport) => void;
  /** Called when this peer closes a round, with the final report. */
  readonly onClosed?: (report: RoundReport) => void;
  /** Called when a verification could not be carried out; a peer's input is never the cause. */
  readonly onFailure?: (error: Error) => void;
  /** Called with the registry index of a peer that sent an invalid contribution in a round. */
  readonly onInvalid?: (index: number) => void;
  /**
   * Called when a packet arrives for a closed round, with the round's number and the registry index of the packet's
   * claimed, unverified sender, which is another member.
   */
  readonly onLate?: (round: number, index: number) => void;
}

/** Totals over all rounds of a peer so far. */
export interface PeerTotals {
  readonly roundsStarted: number;
  /** Number of rounds in which this peer produced an output. */
  readonly roundsReached: number;
  /** Number of started rounds that were closed without an output. */
  readonly roundsMissed: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
  /** Number of bytes in sealed packets, without IP and UDP headers. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Number of requested verifications. */
  readonly checked: number;
  /** Number of calls to the protocol nodes. */
  readonly events: number;
  /** Number of rejections by code, both in rounds and for packets outside all rounds. */
  readonly refused: Readonly<Record<string, number>>;
}

const sums = ['messagesSent', 'messagesReceived', 'bytesSent', 'bytesReceived', 'checked', 'events'] as const;

/**
 * The owner of a registry entry: one identity on one transport, used in successive rounds. Each packet is assigned to a
 * round by its session; packets of no open round are counted as `wrong-session` and dropped. Secrets shared with peers
 * are kept from round to round. All other state belongs to a single round.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #clock: Clock;
  readonly #maxOpen: number;
  readonly #crypto: CryptoSuite;
  readonly #transport: SharedTransport;
  readonly #sessions = new Map<number, RoundSession>();
  readonly #bans = new Bans();
  /** Numbers of closed rounds, keyed by the prefix of the session's identifier in packets. */
  readonly #ended = new LastOf<number>(maxRemembered);
  readonly #refused = new Counts<Refusal>();
  readonly #totals = {
    roundsStarted: 0,
    roundsReached: 0,
    roundsMissed: 0,
    messagesSent: 0,
    messagesReceived: 0,
    bytesSent: 0,
    bytesReceived: 0,
    checked: 0,
    events: 0,
  };
  #closed = false;

  /**
   * @throws TypeError for a missing option or an option of the wrong type; RangeError for an index beyond the registry,
   * and for `maxOpen` less than 1.
   */
  constructor(options: PeerOptions) {
    requireObject('options', options);
    const { group, index, networkSecret, sign, transport, clock = processClock, config, protocol } = options;
    const { maxOpen = defaultMaxOpen } = options;
    requireMethods('group', group, ['enter', 'leave']);
    requireInteger('index', index, 0, group.size - 1);
    requireBytes('networkSecret', networkSecret);
    requireFunction('sign', sign);
    requireMethods('clock', clock, ['nowUs']);
    requireObject('config', config);
    if (!(maxOpen >= 1)) throw new RangeError(`maxOpen: expected a number from 1 on, got ${maxOpen}`);
    if (protocol !== undefined) requireMethods('protocol', protocol, ['createNode']);
    this.#options = options;
    this.#clock = clock;
    this.#maxOpen = maxOpen;
    this.#crypto = rememberedSecrets(group.crypto);
    this.#transport = new SharedTransport(transport, (packet) => this.#onStray(packet));
    group.peers.add(this);
  }

  /** Numbers of the open rounds, oldest first. */
  get openRounds(): number[] {
    return [...this.#sessions.keys()];
  }

  /**
   * Signs a round's message and begins to receive the round's packets. Call `start` to start the round. If the maximum
   * number of rounds is already open, the oldest of them is closed.
   *
   * @throws RangeError if a round with that number is already open or the peer is closed; any error that `sign` throws;
   * the same further errors as `roundSession`.
   */
  open(plan: RoundPlan): void {
    const { group, index, networkSecret, sign, config, protocol } = this.#options;
    requireObject('plan', plan);
    if (this.#closed) throw new RangeError('peer: expected an open peer, got a closed peer');
    if (this.#sessions.has(plan.number))
      throw new RangeError(`round ${plan.number}: expected a round that is not open`);
    const round = group.enter(plan);
    const transport = this.#transport.open(round.session);
    const place = this.#bans.open();
    try {
      const session = new RoundSession({
        group,
        round,
        index,
        crypto: this.#crypto,
        networkSecret,
        signature: sign(round.message, plan),
        transport,
        clock: this.#clock,
        config: peerConfig(config, group.peers.size),
        protocol,
        onOutput: (session) => this.#options.onOutput?.(session.report()),
        onFailure: (error) => this.#options.onFailure?.(error),
        isBanned: (index) => this.#bans.isBanned(index, place),
        onInvalid: (index) => {
          this.#bans.ban(index, place);
          this.#options.onInvalid?.(index);
        },
      });
      this.#sessions.set(plan.number, session);
    } catch (error) {
      void transport.close();
      group.leave(round);
      throw error;
    }
    for (const oldest of this.openRounds.slice(0, -this.#maxOpen)) this.closeRound(oldest);
  }

  /**
   * Starts an open round. If the round starts late, the other peers send the contributions that this peer missed.
   *
   * @param originUs common start of the round, µs on the peer's clock. Default: now.
   * @throws RangeError if no round with that number is open, the round was already started, or `originUs` is in the
   * future.
   */
  start(round: number, originUs?: number): void {
    this.#session(round).start(originUs);
    this.#totals.roundsStarted++;
  }

  /**
   * Returns a transport for a session that is not a round. The returned transport receives only packets of that
   * session, on the peer's own transport.
   *
   * @param session session identifier, 32 bytes, from `sessionId`.
   * @throws RangeError for an identifier of another length; TypeError for a value that is not bytes.
   */
  transportOf(session: Uint8Array): Transport {
    return this.#transport.open(session);
  }

  /**
   * Bans a member that sent, outside all rounds, a message that only a faulty member would send. The member is ignored
   * for some rounds, as it would be after an invalid contribution.
   */
  ban(index: number): void {
    this.#bans.ban(index);
  }

  /** Returns whether a member is banned now. */
  isBanned(index: number): boolean {
    return this.#bans.isBanned(index);
  }

  /**
   * Returns the registry indices of the members whose signatures this peer verified in an open round.
   *
   * @throws RangeError if the round is not open.
   */
  signersOf(round: number): ReadonlySet<number> {
    return this.#session(round).signers;
  }

  /** Returns the current report of an open round. @throws RangeError if the round is not open. */
  report(round: number): RoundReport {
    return this.#session(round).report();
  }

  /**
   * Leaves a round and frees the round's entire state.
   *
   * @throws RangeError if no round with that number is open.
   */
  closeRound(number: number): void {
    const session = this.#session(number);
    this.#sessions.delete(number);
    const report = session.report();
    void session.close();
    this.#ended.keep(`${markOf(session.round.session)}`, number);
    this.#options.group.leave(session.round);
    for (const sum of sums) this.#totals[sum] += report[sum];
    this.#refused.addAll(report.refused);
    if (session.reached) this.#totals.roundsReached++;
    else if (session.started) this.#totals.roundsMissed++;
    this.#options.onClosed?.(report);
  }

  /** Returns the totals over all rounds of this peer so far, including open rounds. */
  totals(): PeerTotals {
    const totals = { ...this.#totals };
    const refused = new Counts<Refusal>();
    refused.addAll(this.#refused.toRecord());
    refused.addAll(this.#transport.strays);
    for (const session of this.#sessions.values()) {
      const counts = session.counts();
      for (const sum of sums) totals[sum] += counts[sum];
      refused.addAll(counts.refused);
      if (session.reached) totals.roundsReached++;
    }
    return { ...totals, refused: refused.toRecord() };
  }

  /**
   * Closes all rounds and the transport. The returned promise resolves when the transport's address is free again. The
   * totals remain available.
   */
  close(): Promise<void> {
    this.#closed = true;
    this.#options.group.peers.delete(this);
    for (const round of this.openRounds) this.closeRound(round);
    return this.#transport.close();
  }

  #onStray(packet: Uint8Array): void {
    const { mark, sender } = claimedBy(packet);
    const round = this.#ended.get(`${mark}`);
    const { group, index, onLate } = this.#options;
    if (round !== undefined && sender < group.size && sender !== index) onLate?.(round, sender);
  }

  #session(round: number): RoundSession {
    const session = this.#sessions.get(round);
    if (session === undefined) throw new RangeError(`round ${round}: expected an open round`);
    return session;
  }
}
