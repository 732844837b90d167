import { type HandelConfig, minWeight } from '@tutti/core';
import { WorldError } from '@tutti/core/errors';
import { requireBytes, requireBytesIn, requireFunction, requireMethods, requireObject, toHex } from '@tutti/core/input';
import {
  defaultThreshold,
  looksLikeIdentity,
  type RegistryEntry,
  type RegistryTransport,
  weightsOf,
} from '@tutti/core/registry';
import {
  fittingPeriodMs,
  Group,
  type GroupKernel,
  hostCrypto,
  Peer,
  type PeerTotals,
  type RoundReport,
  type RoundSignature,
  type Transport,
} from '@tutti/transports';
import { Counts, type CryptoSuite, sessionId } from '@tutti/transports/parts';
import { defaultKernel, openNamed } from '#host-member';
import { isHeight, memorySignedLog, type SignedLog, type SignedStatement } from '../log/signedLog.ts';
import { sharedKeys } from '../registry/sharedKeys.ts';
import {
  type CertificateKernel,
  type CertificateRegistry,
  decodeCertificate,
  encodeCertificate,
  messageHash,
  verifyCertificate,
} from '../verification/certificate.ts';
import { looksLikeSuccession } from '../verification/succession.ts';
import { AnnouncedKind, Announcer, maxStatementBytes, RepeatedAnnouncement } from './announcer.ts';
import type { ApproveRequest } from './approvals.ts';
import type { Ask } from './ask.ts';
import { type Certified, KeptCertificates } from './keptCertificates.ts';
import { type MemberRecord, memberRecords } from './members.ts';
import { announced, readAnnounced, requireHeight, roundHash, roundName, roundNumber } from './namedHeight.ts';
import { Requesters } from './requesters.ts';
import { type RequestRefusal, Requests } from './requests.ts';
import { Turns } from './signingOrder.ts';
import { type SigningEntry, SigningQueue } from './signingQueue.ts';

/** A kernel that signs and verifies, such as `Bls` of `@tutti/wasm-bls`. */
export interface SigningKernel extends GroupKernel, CertificateKernel {
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
  publicKey(secretKey: Uint8Array): Uint8Array;
}

/** A registry whose members can reach each other. */
export interface GroupRegistry extends CertificateRegistry {
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint' | 'weight'>[];
}

/** Options of {@link joinGroup}. */
export interface JoinGroupOptions {
  /** The registry. Members of one process should share one object, and with it the public data of rounds. */
  readonly registry: GroupRegistry;
  /** Keys of this member. Its public key determines its place in the registry. */
  readonly key: { readonly secretKey: Uint8Array; readonly networkSecret: Uint8Array };
  /** Kernel of the signatures. Default in Node: `await loadBls()` of `@tutti/wasm-bls`. */
  readonly kernel?: SigningKernel;
  /**
   * Transport at the entry's address. In Node also the name of a transport to open there. The group owns it and closes
   * it.
   */
  readonly transport: Transport | RegistryTransport;
  /**
   * Decides whether to sign a message that another member requests. Without this function, the member signs a message
   * only after its own `certify`. An exception counts as a rejection. The height is the one that the other member
   * announced.
   */
  readonly approve?: (bytes: Uint8Array, from: number, height: bigint | undefined) => boolean | Promise<boolean>;
  /**
   * Decides whether to sign a succession, which replaces the registry, that another member requests. `approve` is not
   * called for successions. Default: the member signs only successions that it certifies itself.
   */
  readonly approveSuccession?: (bytes: Uint8Array, from: number) => boolean | Promise<boolean>;
  /**
   * Returns the slot or height that a message contains. The member never signs two messages of one height. All members
   * must use the same function. A different height, named by `certify` or by another member, is rejected.
   */
  readonly heightOf?: (bytes: Uint8Array) => bigint | undefined;
  /** Log of the signed messages. Default: in memory, until the process ends; see `openSignedLog`. */
  readonly signedLog?: SignedLog;
  /** Maximum number of open rounds. Default: 16. */
  readonly maxOpen?: number;
  /** Maximum number of messages that wait for a round. Default: 1,024. */
  readonly maxWaiting?: number;
  /** Maximum number of certificates stored for members that missed them. Default: 1,024. */
  readonly maxKept?: number;
  /** Certificates of an earlier session, oldest first. Invalid certificates are ignored. */
  readonly kept?: Iterable<Pick<Certified, 'bytes' | 'certificate' | 'height'>>;
  /** Time for which a round without a certificate keeps its place, ms. Default: 60,000. */
  readonly giveUpMs?: number;
  /** Public randomness that no one could predict when the members chose their keys; see `roundSeed`. Default: none. */
  readonly beacon?: Uint8Array;
  readonly crypto?: CryptoSuite;
  readonly config?: Partial<Omit<HandelConfig, 'threshold'>>;
}

/** Options with defaults applied and names resolved. */
export type ReadyOptions = JoinGroupOptions & { readonly kernel: SigningKernel; readonly transport: Transport };

/** Options of {@link CertifyingGroup.certify}. */
export interface CertifyOptions {
  /**
   * Slot or height of the message, 0 to 2^64 - 1. This member then signs no other message of that height. Neither does
   * any other honest signer of the certificate, unless it signed the same message for another height only. All members
   * must certify the message with the same height.
   */
  readonly height?: bigint;
}

/** Reason to reject a message of another member outside the rounds, as a code. */
export type ApprovalRefusal = RequestRefusal | 'blacklisted' | 'invalid-certificate';

const text = new TextEncoder();

const groups = new WeakMap<GroupRegistry, Group>();

/**
 * Joins a group that signs messages: any bytes, several messages at a time.
 *
 * @throws RangeError if no entry has the key, and for a limit less than 1; TypeError for a missing option or one of the
 * wrong type.
 */
export async function joinGroup(options: JoinGroupOptions): Promise<CertifyingGroup> {
  requireObject('options', options);
  const { registry, key, kernel = await defaultKernel(), transport } = options;
  requireJoinOptions({ ...options, kernel });
  if (typeof transport !== 'string') return new CertifyingGroup({ ...options, kernel, transport });
  const { endpoint } = registry.entries[placeOf(registry, kernel.publicKey(key.secretKey))]!;
  const opened = await openNamed(transport, endpoint);
  try {
    return new CertifyingGroup({ ...options, kernel, transport: opened });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * A member of a group that signs messages. A round is identified by the hash of its message, the height named for it,
 * and the registry's epoch.
 */
export class CertifyingGroup {
  /** Kernel that signs and verifies here; it also serves as an argument of `verifyCertificate`. */
  readonly kernel: SigningKernel;
  /** Registry index of this member. */
  readonly index: number;
  readonly #options: ReadyOptions;
  readonly #crypto: CryptoSuite;
  readonly #group: Group;
  readonly #peer: Peer;
  readonly #announcer: Announcer;
  readonly #log: SignedLog;
  readonly #signingQueue: SigningQueue;
  readonly #byNumber = new Map<number, SigningEntry>();
  readonly #requesters = new Requesters<Certified>();
  readonly #kept: KeptCertificates;
  readonly #requests: Requests;
  readonly #refused = new Counts<ApprovalRefusal>();
  readonly #listeners = new Set<(certificate: Certified) => void>();
  /** Number of invalid contributions, by sender. */
  readonly #invalidBySender = new Map<number, number>();
  readonly #reports: { certified: number; gaveUp: number } = { certified: 0, gaveUp: 0 };
  #failure: Error | undefined;
  #closed = false;

  constructor(options: ReadyOptions) {
    requireJoinOptions(options);
    const { registry, key, kernel, transport, crypto = hostCrypto, signedLog = memorySignedLog() } = options;
    this.#options = options;
    this.kernel = kernel;
    this.#crypto = crypto;
    this.#log = signedLog;
    const { maxOpen, maxKept } = limitsOf(options);
    this.#kept = new KeptCertificates(maxKept, stillValid(options));
    this.#group = groupOf(registry, kernel, crypto);
    this.index = placeOf(registry, kernel.publicKey(key.secretKey));
    const turns = new Turns((index) => this.#group.weightOf(index), this.#group.faultyWeight);
    this.#signingQueue = this.#newSigningQueue(turns);
    this.#requests = this.#newRequests(turns);
    this.#peer = new Peer({
      group: this.#group,
      index: this.index,
      networkSecret: key.networkSecret,
      sign: (message) => kernel.sign(key.secretKey, message),
      transport,
      // The weight of the signers decides, not their number; see the group's minimum weight.
      config: { ...options.config, threshold: 1 },
      maxOpen: maxOpen + 1,
      onOutput: (report) => this.#onOutput(report),
      onInvalid: (index) => this.#invalidBySender.set(index, (this.#invalidBySender.get(index) ?? 0) + 1),
      onLate: (round, index) => this.#onLate(round, index),
      onFailure: (error) => {
        this.#failure = error;
      },
    });
    this.#announcer = announcerOf(this.#group, this.#peer, this.index, key.networkSecret, (from, kind, bytes) =>
      this.#onAnnounced(from, kind, bytes),
    );
  }

  /** Number of open rounds, of waiting messages, and of stored certificates. */
  get counts(): { readonly open: number; readonly waiting: number; readonly kept: number } {
    return { ...this.#signingQueue.counts, kept: this.#kept.size };
  }

  /** Returns the totals of this member so far, including rejections by code. */
  totals(): PeerTotals & { readonly certified: number; readonly gaveUp: number } {
    const totals = this.#peer.totals();
    return { ...totals, refused: summed(totals.refused, this.#refused, this.#announcer.refused), ...this.#reports };
  }

  /**
   * Returns a record of each member: its number of signatures in the stored certificates, and its number of invalid
   * contributions.
   */
  members(): MemberRecord[] {
    return memberRecords(this.#options.registry.entries, this.#kept.values(), this.#invalidBySender);
  }

  /** Error that ended verification; undefined if there was none. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Returns a stored certificate, given the hash of its message (hexadecimal). */
  certificate(name: string): Certified | undefined {
    return this.#kept.ofMessage(name);
  }

  /**
   * Calls the listener with each certificate, and with each better one of the same message. @returns a function that
   * removes the listener.
   */
  on(_event: 'certificate', listener: (certificate: Certified) => void): () => void {
    requireFunction('listener', listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Signs a message and requests the other members' signatures. Resolves when the signers have enough weight. Repeated
   * calls share one round.
   *
   * @throws WorldError `already-signed` if another message of its height was signed, `too-many-messages` if the maximum
   * number of messages is waiting, `gave-up` if there were not enough signers in time, `group-closed`,
   * `signed-log-failed` if the signed log cannot be written; RangeError for a height out of range, or one that differs
   * from the message's.
   */
  certify(bytes: Uint8Array, { height: named }: CertifyOptions = {}): Promise<Certified> {
    requireStatement(bytes);
    const height = announcedHeight(this.#options, bytes, named);
    const message = messageHash(bytes);
    const name = roundName(toHex(message), height);
    const kept = height === undefined ? this.certificate(name) : this.#kept.get(name);
    if (kept !== undefined) return givenAgain(kept, { message, height }, this.#log);
    const asked = this.#requesters.ask(name);
    this.#request(bytes.slice(), name, height);
    return asked;
  }

  /** Announces the message, even if it has to wait, because all members start waiting messages in the same order. */
  #request(bytes: Uint8Array, name: string, height: bigint | undefined): void {
    const known = this.#signingQueue.find(name);
    if (known !== undefined) {
      known.isOwn = true;
      known.origins.add(this.index);
    } else if (this.#closed)
      this.#requesters.reject(name, new WorldError('group-closed', 'group: expected an open one'));
    else if (this.#signingQueue.hasRoomForOwn) this.#admit(this.#statementOf(bytes, name, height));
    else this.#requesters.reject(name, tooMany(limitsOf(this.#options).maxWaiting));
  }

  /**
   * Creates the entry of a message. @param ask request of another member; without it, the entry is this member's own
   * request.
   */
  #statementOf(bytes: Uint8Array, name: string, height: bigint | undefined, ask?: Ask): SigningEntry {
    const statement: SigningEntry = {
      ...entryOf(bytes, name, height, this.index, ask, ask?.sequence ?? this.#requests.nextSequence()),
      announcement: new RepeatedAnnouncement({
        crypto: this.#crypto,
        size: this.#group.size,
        self: this.index,
        isFirst: ask === undefined,
        periodMs: periodOf(this.#options, this.#group),
        signers: () => this.#kept.get(name)?.signers ?? 0,
        announce: (to) => {
          const announcement = this.#requests.announcementOf(statement);
          if (announcement !== undefined) this.#announcer.announce(to, ...announcement);
        },
        onQuiet: () => this.#rest(statement),
      }),
    };
    return statement;
  }

  /** Leaves the group. Pending requests for certificates are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#signingQueue.close();
    this.#requesters.rejectAll(new WorldError('group-closed', 'group: closed before there was a certificate'));
    this.#announcer.close();
    await this.#peer.close();
    this.#log.close();
  }

  /** Starts a message, or queues it. This member's own request is recorded immediately. */
  #admit(statement: SigningEntry): void {
    if (statement.isOwn) {
      if (!this.#isAccepted(statement, () => record(statement, this.#log, this.#options))) return;
      statement.announcement.start();
    }
    this.#signingQueue.admit(statement);
  }

  /**
   * Performs an action, and counts a rejection if the message may not be signed. @returns whether the action succeeded.
   */
  #isAccepted(statement: SigningEntry, action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      const code = refusalOf(error);
      // A log that cannot be written now may be writable when the message is announced again.
      if (code !== 'signed-log-failed') this.#requests.finish(statement.asks.values());
      if (!statement.isOwn) this.#refused.add(code);
      this.#requesters.reject(statement.name, error as Error);
      return false;
    }
  }

  #newSigningQueue(turns: Turns): SigningQueue {
    const { giveUpMs, ...most } = limitsOf(this.#options);
    const periodMs = periodOf(this.#options, this.#group);
    return new SigningQueue({
      ...most,
      giveUpMs,
      crypto: this.#crypto,
      turns,
      size: this.#group.size,
      periodMs,
      isKept: (name) => this.#kept.has(name),
      signersOf: ({ number }) => this.#peer.signersOf(number),
      hasQuorum: ({ signers }) => this.#group.isQuorum(signers),
      begin: (statement) => this.#begin(statement),
      rest: (statement) => this.#rest(statement),
      onDropped: (why) => this.#refused.add(why),
      onGaveUp: (statement) => {
        this.#reports.gaveUp++;
        this.#requests.finish(statement.asks.values());
        this.#requesters.reject(statement.name, gaveUp(statement.name, giveUpMs));
      },
    });
  }

  #newRequests(turns: Turns): Requests {
    const { maxOpen, maxWaiting } = limitsOf(this.#options);
    const { digest, size, networkKeys } = this.#group;
    return new Requests({
      crypto: this.#crypto,
      signingQueue: this.#signingQueue,
      turns,
      digest,
      self: this.index,
      networkKeys,
      networkSecret: this.#options.key.networkSecret,
      approvalOf: (bytes) => approvalOf(bytes, this.#options),
      share: Math.max(maxOpen, Math.floor(maxWaiting / size)),
      longestBytes: maxStatementBytes,
      refused: this.#refused,
      onInvalid: (from) => this.#onInvalid(from),
      onApproved: ({ name, height, bytes, ask }) => {
        if (this.#closed || this.#signingQueue.find(name) !== undefined || this.#kept.has(name)) return;
        this.#admit(this.#statementOf(bytes, name, height, ask));
      },
    });
  }

  /** Bans a member for some rounds after it sent a message that only a faulty member sends. */
  #onInvalid(from: number): void {
    this.#invalidBySender.set(from, (this.#invalidBySender.get(from) ?? 0) + 1);
    this.#peer.ban(from);
  }

  /** Opens a round, signs, and announces the message. @returns whether the message may be signed. */
  #begin(statement: SigningEntry): boolean {
    const { number, bytes, announcement, height } = statement;
    const seed = seedOf(this.#group, roundHash(messageHash(bytes), height), this.#options.beacon);
    const isOpen = this.#isAccepted(statement, () => {
      record(statement, this.#log, this.#options);
      this.#peer.open({ number, message: bytes, seed });
    });
    if (!isOpen) return false;
    statement.isRunning = true;
    this.#byNumber.set(number, statement);
    announcement.start();
    this.#peer.start(number);
    return true;
  }

  /** Stops the protocol of a round. Otherwise it would endlessly ask a member that never signs. */
  #rest(round: SigningEntry): void {
    if (!round.isRunning) return;
    round.isRunning = false;
    this.#byNumber.delete(round.number);
    this.#peer.closeRound(round.number);
  }

  #onAnnounced(from: number, kind: number, payload: Uint8Array): void {
    if (this.#closed) return;
    if (this.#peer.isBanned(from)) {
      this.#refused.add('blacklisted');
      return;
    }
    const read = readAnnounced(kind, payload);
    if (read?.what === 'message') this.#onMessage(from, read.bytes, read.height);
    else if (read?.what === 'certificate') this.#onCertificate(from, read.bytes, read.height);
    else if (kind === AnnouncedKind.messageOfHeight) this.#refused.add('malformed-request');
    else if (kind === AnnouncedKind.certificateOfHeight) this.#onForged(from);
  }

  #onMessage(from: number, payload: Uint8Array, named: bigint | undefined): void {
    const request = this.#requests.read(from, payload, named);
    if (request === undefined) return;
    const height = heightByAnother(this.#options, request.bytes, named);
    if (height === 'refused') {
      this.#refused.add('forbidden-message');
      return;
    }
    const name = roundName(toHex(messageHash(request.bytes)), height);
    const known = this.#signingQueue.find(name);
    if (this.#kept.has(name)) {
      if (known?.isRunning !== true) this.#give(from, name);
    } else if (known === undefined) this.#requests.consider({ ...request, name, height }, from);
    else this.#requests.join(known, request.ask, from);
  }

  /**
   * Handles a certificate from another member that has already closed the round. A certificate of an unknown round is
   * ignored.
   */
  #onCertificate(from: number, bytes: Uint8Array, height: bigint | undefined): void {
    const read = decodeCertificate(bytes);
    if (read === undefined) {
      this.#onForged(from);
      return;
    }
    const message = toHex(read.message);
    const name = roundName(message, height);
    const round = this.#signingQueue.find(name);
    if (round === undefined || this.#kept.has(name)) return;
    const { registry, kernel } = this.#options;
    const verdict = verifyCertificate({ registry, bytes: round.bytes, certificate: bytes, kernel });
    if (verdict.ok) this.#keep(certifiedBy(round, message, bytes, verdict.signers));
    else this.#onForged(from);
  }

  #onForged(from: number): void {
    this.#refused.add('invalid-certificate');
    this.#onInvalid(from);
  }

  /**
   * Handles a member that is still running a round that has ended here. Sends it the certificate, so that its place
   * becomes free.
   */
  #onLate(number: number, member: number): void {
    const name = this.#kept.nameOf(number);
    if (name !== undefined) this.#give(member, name);
  }

  /** Sends a member the certificate of a message, if one is stored. */
  #give(member: number, name: string): void {
    const due = this.#kept.due(name, member);
    if (due !== undefined) this.#announcer.announce(member, ...announced('certificate', due.height, due.certificate));
  }

  #onOutput({ round: number, output }: RoundReport): void {
    const round = this.#byNumber.get(number);
    if (round === undefined || output === undefined) return;
    this.#keep(certifiedOf(this.#group, this.#options.registry, round, output));
  }

  #keep(certified: Certified): void {
    const name = roundName(certified.name, certified.height);
    if (!this.#kept.has(name)) this.#reports.certified++;
    this.#requests.finish(this.#signingQueue.find(name)?.asks.values() ?? []);
    this.#kept.keep(certified);
    this.#requesters.resolve(name, certified);
    for (const listener of this.#listeners) listener(certified);
    this.#signingQueue.next();
  }
}

function entryOf(
  bytes: Uint8Array,
  name: string,
  height: bigint | undefined,
  self: number,
  ask: Ask | undefined,
  sequence: number,
): Omit<SigningEntry, 'announcement'> {
  const account = ask?.origin ?? self;
  return {
    name,
    number: roundNumber(messageHash(bytes), height),
    bytes,
    height,
    account,
    sequence,
    isOwn: ask === undefined,
    origins: new Set([account]),
    asks: new Map(ask && [[account, ask]]),
    signers: new Set([self]),
    drawn: undefined,
    isOnRecord: false,
    isRunning: false,
    ticks: 0,
    totalTicks: 0,
    turnsWithoutQuorum: 0,
  };
}

function tooMany(maxWaiting: number): WorldError {
  const what = `group: expected at most ${maxWaiting} messages to wait, got one more`;
  return new WorldError('too-many-messages', what);
}

function gaveUp(name: string, giveUpMs: number): WorldError {
  return new WorldError('gave-up', `message ${name.replace('@', ' of height ')}: not enough signers in ${giveUpMs} ms`);
}

function certifiedOf(
  { digest, size }: Group,
  { epoch = 0n }: GroupRegistry,
  round: SigningEntry,
  { bits, signature, weight }: RoundSignature,
): Certified {
  const message = messageHash(round.bytes);
  const certificate = encodeCertificate({ registry: digest, epoch, message, size, bits, signature });
  return certifiedBy(round, toHex(message), certificate, weight);
}

function certifiedBy(
  { bytes, height }: SigningEntry,
  name: string,
  certificate: Uint8Array,
  signers: number,
): Certified {
  return { name, bytes, certificate, signers, ...(height === undefined ? {} : { height }) };
}

/** Returns the code with which an error of a message to sign is counted. */
function refusalOf(error: unknown): ApprovalRefusal {
  const { code } = error as WorldError;
  return code === 'already-signed' || code === 'signed-log-failed' ? code : 'forbidden-message';
}

function summed(counted: Readonly<Record<string, number>>, ...more: readonly Counts[]): Record<string, number> {
  const sums = { ...counted };
  for (const counts of more)
    for (const [code, times] of Object.entries(counts.toRecord())) sums[code] = (sums[code] ?? 0) + times;
  return sums;
}

/**
 * Returns the function that decides about a message of another member, or undefined if the member waits for its own
 * request.
 */
function approvalOf(bytes: Uint8Array, { approve, approveSuccession }: JoinGroupOptions): ApproveRequest | undefined {
  if (!looksLikeSuccession(bytes)) return approve;
  return approveSuccession ?? (approve === undefined ? undefined : () => false);
}

function requireJoinOptions(options: JoinGroupOptions): void {
  requireObject('options', options);
  const { registry, key, kernel, approve, approveSuccession, heightOf } = options;
  requireObject('registry', registry);
  requireBytesIn('key', key, ['secretKey', 'networkSecret']);
  requireMethods('kernel', kernel, ['sign', 'publicKey', 'fastAggregateVerify']);
  if (approve !== undefined) requireFunction('approve', approve);
  if (approveSuccession !== undefined) requireFunction('approveSuccession', approveSuccession);
  if (heightOf !== undefined) requireFunction('heightOf', heightOf);
  for (const [name, max] of Object.entries(limitsOf(options)))
    if (!(Number.isFinite(max) && max >= 1)) throw new RangeError(`${name}: expected a number from 1 on, got ${max}`);
}

/**
 * Returns the height to announce with a message: the named one, unless the message contains its height.
 *
 * @throws RangeError for a height out of range, and for one that differs from the message's.
 */
function announcedHeight(
  { heightOf }: JoinGroupOptions,
  bytes: Uint8Array,
  named: bigint | undefined,
): bigint | undefined {
  requireHeight(named);
  const own = named === undefined ? undefined : heightOf?.(bytes);
  if (own === undefined) return named;
  if (own !== named) throw new RangeError(`height: expected ${own}, which the message has, got ${named}`);
  return undefined;
}

function heightByAnother(...args: Parameters<typeof announcedHeight>): bigint | undefined | 'refused' {
  try {
    return announcedHeight(...args);
  } catch {
    return 'refused';
  }
}

/** Records a statement before its signature is sent. */
function record(statement: SigningEntry, log: SignedLog, { heightOf }: JoinGroupOptions): void {
  const { bytes, isOnRecord, height } = statement;
  refuseIdentity(bytes);
  if (!isOnRecord) recorded(log, { message: messageHash(bytes), height: height ?? heightOf?.(bytes) });
  statement.isOnRecord = true;
}

/** Returns a stored certificate for a request with a height, if the log records that height only for this message. */
async function givenAgain(kept: Certified, statement: SignedStatement, log: SignedLog): Promise<Certified> {
  if (statement.height !== undefined) recorded(log, statement);
  return kept;
}

/** Error codes of a log that are passed on unchanged. Any other error becomes `signed-log-failed`. */
const recordFaults: ReadonlySet<string> = new Set(['already-signed', 'signed-log-failed']);

/**
 * Records a statement. @throws WorldError `signed-log-failed` for an error of the system; the log's own errors
 * unchanged.
 */
function recorded(log: SignedLog, statement: SignedStatement): void {
  try {
    log.record(statement);
  } catch (cause) {
    if (cause instanceof RangeError || (cause instanceof WorldError && recordFaults.has(cause.code))) throw cause;
    const why = (cause as { readonly code?: string }).code ?? String(cause);
    throw new WorldError('signed-log-failed', `signed log: cannot be written (${why}); nothing is signed`, { cause });
  }
}

function refuseIdentity(bytes: Uint8Array): void {
  if (!looksLikeIdentity(bytes)) return;
  const what = 'message: the statement of an identity, which nobody may be asked to sign';
  throw new WorldError('reserved-message', what);
}

function requireStatement(bytes: Uint8Array): void {
  requireBytes('bytes', bytes);
  if (bytes.length > maxStatementBytes)
    throw new RangeError(`bytes: expected at most ${maxStatementBytes}, got ${bytes.length}`);
}

/** Returns the registry index of a key. @throws RangeError if no entry has the key. */
function placeOf({ entries }: GroupRegistry, key: Uint8Array): number {
  const own = toHex(key);
  const index = entries.findIndex(({ publicKey }) => toHex(publicKey) === own);
  if (index >= 0) return index;
  throw new RangeError(`key: expected one that the registry has, got the secret of ${own}, which it has not`);
}

function announcerOf(
  { crypto, digest, networkKeys, endpoints }: Group,
  peer: Peer,
  index: number,
  networkSecret: Uint8Array,
  onAnnounced: (from: number, kind: number, bytes: Uint8Array) => void,
): Announcer {
  const session = sessionId(crypto, digest, 'messages to certify');
  const transport = peer.transportOf(session);
  return new Announcer({ crypto, session, index, networkSecret, networkKeys, endpoints, transport, onAnnounced });
}

function seedOf({ crypto, digest }: Group, message: Uint8Array, beacon: Uint8Array = new Uint8Array(0)): Uint8Array {
  return crypto.sha256([text.encode('tutti message seed v1'), digest, message, beacon]);
}

function groupOf(registry: GroupRegistry, kernel: SigningKernel, crypto: CryptoSuite): Group {
  const made = groups.get(registry);
  if (made !== undefined && made.kernel === kernel) return made;
  const { entries, epoch, threshold, margin } = registry;
  const [shared] = sharedKeys(entries);
  if (shared !== undefined) {
    const { index, earlier, what } = shared;
    const which = what === 'publicKey' ? 'key of entry' : 'network key of entry';
    throw new RangeError(
      `registry: entry ${index} has the ${which} ${earlier}${what === 'publicKey' ? ' or its negative' : ''}`,
    );
  }
  const total = weightsOf(entries)?.reduce((sum, one) => sum + one, 0n) ?? BigInt(entries.length);
  const min = aimedAt(registry, total);
  const group = new Group({ crypto, kernel, entries, epoch, threshold, margin, minWeight: min });
  groups.set(registry, group);
  return group;
}

/** Returns the threshold plus its margin, limited to the total. */
function aimedAt({ threshold = defaultThreshold, margin }: GroupRegistry, total: bigint): bigint {
  const min = minWeight(total, threshold.numerator, threshold.denominator);
  if (margin === undefined) return min;
  const sum = min + minWeight(total, margin.numerator, margin.denominator);
  return sum < total ? sum : total;
}

function* stillValid({ registry, kernel, kept = [] }: ReadyOptions): Iterable<Certified> {
  for (const { bytes, certificate, height } of kept) {
    if (height !== undefined && !isHeight(height)) continue;
    const verdict = verifyCertificate({ registry, bytes, certificate, kernel });
    if (verdict.ok) yield { name: toHex(messageHash(bytes)), bytes, certificate, signers: verdict.signers, height };
  }
}

/** Returns the limits, with defaults for missing ones. */
function limitsOf({
  maxOpen = 16,
  maxWaiting = 1024,
  maxKept = 1024,
  giveUpMs = 60_000,
}: JoinGroupOptions): Record<'maxOpen' | 'maxWaiting' | 'maxKept' | 'giveUpMs', number> {
  return { maxOpen, maxWaiting, maxKept, giveUpMs };
}

function periodOf({ config }: JoinGroupOptions, { peers }: Group): number {
  return config?.disseminationPeriodMs ?? fittingPeriodMs(peers.size);
}
