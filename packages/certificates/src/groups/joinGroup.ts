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
import { memorySignedLog, type SignedLog, type SignedStatement } from '../log/signedLog.ts';
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
import { AnnouncedKind, Announcer, longestStatementBytes, Telling } from './announcer.ts';
import type { ApproveRequest } from './approvals.ts';
import type { Ask } from './ask.ts';
import { type Certified, KeptCertificates } from './keptCertificates.ts';
import { type MemberRecord, memberRecords } from './members.ts';
import { announced, readAnnounced, requireHeight, roundHash, roundName, roundNumber } from './namedHeight.ts';
import { Requesters } from './requesters.ts';
import { type RequestRefusal, Requests } from './requests.ts';
import { Turns } from './signingOrder.ts';
import { type SigningEntry, SigningQueue } from './signingQueue.ts';

/** What signs and verifies; `Bls` of `@tutti/wasm-bls` is one. */
export interface SigningKernel extends GroupKernel, CertificateKernel {
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
  publicKey(secretKey: Uint8Array): Uint8Array;
}

/** A registry whose members can reach each other. */
export interface GroupRegistry extends CertificateRegistry {
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'endpoint' | 'weight'>[];
}

export interface JoinGroupOptions {
  /** The members of one process share one object, and with it what is public in a round. */
  readonly registry: GroupRegistry;
  /** This member's: its place in the registry is that of its public key. */
  readonly key: { readonly secretKey: Uint8Array; readonly networkSecret: Uint8Array };
  /** `await loadBls()` of `@tutti/wasm-bls`, which is the default in Node. */
  readonly kernel?: SigningKernel;
  /**
   * At the entry's address, or in Node the name of one that is opened there. The group takes it over, and closes it
   * with itself.
   */
  readonly transport: Transport | RegistryTransport;
  /**
   * Whether to sign a message that another member asks for. Without it the member waits until it is asked itself, by
   * `certify`. What it throws is a refusal. The height is the one that the other member tells.
   */
  readonly approve?: (bytes: Uint8Array, from: number, height: bigint | undefined) => boolean | Promise<boolean>;
  /**
   * Whether to sign a succession that another member asks for: who certifies from then on. `approve` is not asked about
   * successions. Default: none is signed, except those that this member is asked to `certify` itself.
   */
  readonly approveSuccession?: (bytes: Uint8Array, from: number) => boolean | Promise<boolean>;
  /**
   * Slot or height that a message has in its bytes: no two messages of one height are signed. It must be the same
   * function for all members. A height that is named otherwise, by `certify` or by another member, is refused.
   */
  readonly heightOf?: (bytes: Uint8Array) => bigint | undefined;
  /** Where what was signed is remembered. Default: in memory, until the process ends; see `openSignedLog`. */
  readonly signedLog?: SignedLog;
  /** Rounds open at a time. Default 16. */
  readonly maxOpen?: number;
  /** Messages that wait for a round, at most. Default 1024. */
  readonly maxWaiting?: number;
  /** Certificates that are kept, to be given to members that missed them. Default 1024. */
  readonly maxKept?: number;
  /** Certificates of a time before this one, the oldest first; what does not verify is left out. */
  readonly kept?: Iterable<Pick<Certified, 'bytes' | 'certificate' | 'height'>>;
  /** How long a round that came to no certificate keeps its place, ms. Default 60,000. */
  readonly giveUpMs?: number;
  /** What nobody could foresee when the members chose their keys, see `roundSeed`. Default: nothing. */
  readonly beacon?: Uint8Array;
  readonly crypto?: CryptoSuite;
  readonly config?: Partial<Omit<HandelConfig, 'threshold'>>;
}

/** Options with defaults applied and transport names resolved. */
export type ReadyOptions = JoinGroupOptions & { readonly kernel: SigningKernel; readonly transport: Transport };

export interface CertifyOptions {
  /**
   * Slot or height of the message, 0 to 2^64 - 1: this member then signs no other message of that height, and neither
   * does any other signer of the certificate. All members must be asked with the same height.
   */
  readonly height?: bigint;
}

/** Why something that another member sent beside the rounds was refused, by code. */
export type ApprovalRefusal = RequestRefusal | 'blacklisted' | 'invalid-certificate';

const text = new TextEncoder();

const groups = new WeakMap<GroupRegistry, Group>();

/**
 * Joins a group that signs messages: any bytes, several at a time.
 *
 * @throws RangeError where no entry has the key, and for a bound under 1; TypeError for what is missing or of another
 *   kind.
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
 * A member of a group that signs messages. Rounds are named by the hash of what they sign, the height that was named for
 * it, and the registry's epoch.
 */
export class CertifyingGroup {
  /** What signs and verifies here, for `verifyCertificate`. */
  readonly kernel: SigningKernel;
  /** This member's place in the registry. */
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
  /** Invalid contributions, by who sent them. */
  readonly #lies = new Map<number, number>();
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
      // What signers weigh decides; see the group's least weight.
      config: { ...options.config, threshold: 1 },
      maxOpen: maxOpen + 1,
      onOutput: (report) => this.#onOutput(report),
      onLiar: (index) => this.#lies.set(index, (this.#lies.get(index) ?? 0) + 1),
      onLate: (round, index) => this.#onLate(round, index),
      onFailure: (error) => {
        this.#failure = error;
      },
    });
    this.#announcer = announcerOf(this.#group, this.#peer, this.index, key.networkSecret, (from, kind, bytes) =>
      this.#onTold(from, kind, bytes),
    );
  }

  /** Rounds that are open, messages that wait for one, and certificates that are kept. */
  get counts(): { readonly open: number; readonly waiting: number; readonly kept: number } {
    return { ...this.#signingQueue.counts, kept: this.#kept.size };
  }

  /** What this member did so far, and what it refused, by code. */
  totals(): PeerTotals & { readonly certified: number; readonly gaveUp: number } {
    const totals = this.#peer.totals();
    return { ...totals, refused: summed(totals.refused, this.#refused, this.#announcer.refused), ...this.#reports };
  }

  /** What each member did, by the certificates that are kept, and how often it sent what does not verify. */
  members(): MemberRecord[] {
    return memberRecords(this.#options.registry.entries, this.#kept.values(), this.#lies);
  }

  /** What a verification could not be carried out for, if one could not. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** A certificate that is kept, by the hash of its message (hexadecimal). */
  certificate(name: string): Certified | undefined {
    return this.#kept.ofMessage(name);
  }

  /** Calls back with each certificate, and with each better one of a message. @returns what ends that. */
  on(_event: 'certificate', listener: (certificate: Certified) => void): () => void {
    requireFunction('listener', listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Signs a message and has the others asked to. Resolves when the signers weigh enough; asked twice, it is one round.
   *
   * @throws WorldError `already-signed` where another message of its height was signed, `too-many-messages` where more
   *   wait than may, `gave-up` when there were not enough signers in time, `group-closed`, `signed-log-failed` where the
   *   signed log cannot be written; RangeError for a height out of its range, or another one than the message has.
   */
  certify(bytes: Uint8Array, { height: named }: CertifyOptions = {}): Promise<Certified> {
    requireStatement(bytes);
    const height = toldHeight(this.#options, bytes, named);
    const message = messageHash(bytes);
    const name = roundName(toHex(message), height);
    const kept = height === undefined ? this.certificate(name) : this.#kept.get(name);
    if (kept !== undefined) return givenAgain(kept, { message, height }, this.#log);
    const asked = this.#requesters.ask(name);
    this.#request(bytes.slice(), name, height);
    return asked;
  }

  /** The others are told of it also where it has to wait: all members begin what waits in the same order. */
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

  /** @param ask of another member; without one it is this member's own. */
  #statementOf(bytes: Uint8Array, name: string, height: bigint | undefined, ask?: Ask): SigningEntry {
    const statement: SigningEntry = {
      ...entryOf(bytes, name, height, this.index, ask, ask?.sequence ?? this.#requests.nextSequence()),
      telling: new Telling({
        ...{ crypto: this.#crypto, size: this.#group.size, self: this.index, isFirst: ask === undefined },
        periodMs: periodOf(this.#options, this.#group),
        signers: () => this.#kept.get(name)?.signers ?? 0,
        tell: (to) => {
          const announcement = this.#requests.announcementOf(statement);
          if (announcement !== undefined) this.#announcer.tell(to, ...announcement);
        },
        onQuiet: () => this.#rest(statement),
      }),
    };
    return statement;
  }

  /** Leaves the group; certificates that were asked for and are not there are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#signingQueue.close();
    this.#requesters.rejectAll(new WorldError('group-closed', 'group: closed before there was a certificate'));
    this.#announcer.close();
    await this.#peer.close();
    this.#log.close();
  }

  /** Begins, or has it wait; what this member asks for itself it is on record for from now on. */
  #admit(statement: SigningEntry): void {
    if (statement.isOwn) {
      if (!this.#isAccepted(statement, () => record(statement, this.#log, this.#options))) return;
      statement.telling.start();
    }
    this.#signingQueue.admit(statement);
  }

  /** Does what a message that may not be signed is refused by. @returns whether it was not. */
  #isAccepted(statement: SigningEntry, action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      const code = refusalOf(error);
      // A log that cannot be written now may be when the message is told again.
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
      ...{ ...most, giveUpMs, crypto: this.#crypto, turns, size: this.#group.size, periodMs },
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
      ...{ crypto: this.#crypto, signingQueue: this.#signingQueue, turns, digest, self: this.index, networkKeys },
      ...{ networkSecret: this.#options.key.networkSecret, approvalOf: (bytes) => approvalOf(bytes, this.#options) },
      ...{ share: Math.max(maxOpen, Math.floor(maxWaiting / size)), longestBytes: longestStatementBytes },
      refused: this.#refused,
      onLie: (from) => this.#onLie(from),
      onApproved: ({ name, height, bytes, ask }) => {
        if (this.#closed || this.#signingQueue.find(name) !== undefined || this.#kept.has(name)) return;
        this.#admit(this.#statementOf(bytes, name, height, ask));
      },
    });
  }

  /** A member sent what only a faulty one sends: it is not heard for some rounds. */
  #onLie(from: number): void {
    this.#lies.set(from, (this.#lies.get(from) ?? 0) + 1);
    this.#peer.strike(from);
  }

  /** Opens a round, signs, and tells the others. @returns whether the message may be signed. */
  #begin(statement: SigningEntry): boolean {
    const { number, bytes, telling, height } = statement;
    const seed = seedOf(this.#group, roundHash(messageHash(bytes), height), this.#options.beacon);
    const isOpen = this.#isAccepted(statement, () => {
      record(statement, this.#log, this.#options);
      this.#peer.open({ number, message: bytes, seed });
    });
    if (!isOpen) return false;
    statement.isPlayed = true;
    this.#byNumber.set(number, statement);
    telling.start();
    this.#peer.start(number);
    return true;
  }

  /** Leaves a round's protocol, which would ask a member that never signs for ever. */
  #rest(round: SigningEntry): void {
    if (!round.isPlayed) return;
    round.isPlayed = false;
    this.#byNumber.delete(round.number);
    this.#peer.closeRound(round.number);
  }

  #onTold(from: number, kind: number, told: Uint8Array): void {
    if (this.#closed) return;
    if (this.#peer.isStruck(from)) {
      this.#refused.add('blacklisted');
      return;
    }
    const read = readAnnounced(kind, told);
    if (read?.what === 'message') this.#onMessage(from, read.bytes, read.height);
    else if (read?.what === 'certificate') this.#onCertificate(from, read.bytes, read.height);
    else if (kind === AnnouncedKind.messageOfHeight) this.#refused.add('malformed-request');
    else if (kind === AnnouncedKind.certificateOfHeight) this.#onForged(from);
  }

  #onMessage(from: number, payload: Uint8Array, named: bigint | undefined): void {
    const told = this.#requests.read(from, payload, named);
    if (told === undefined) return;
    const height = toldByAnother(this.#options, told.bytes, named);
    if (height === 'refused') {
      this.#refused.add('forbidden-message');
      return;
    }
    const name = roundName(toHex(messageHash(told.bytes)), height);
    const known = this.#signingQueue.find(name);
    if (this.#kept.has(name)) {
      if (known?.isPlayed !== true) this.#give(from, name);
    } else if (known === undefined) this.#requests.consider({ ...told, name, height }, from);
    else this.#requests.join(known, told.ask, from);
  }

  /** A certificate from another member, who has closed the round already; one of a round that is not here is ignored. */
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
    this.#onLie(from);
  }

  /** A member still runs a round that is over here: it gets the certificate, and has its place for another. */
  #onLate(number: number, member: number): void {
    const name = this.#kept.nameOf(number);
    if (name !== undefined) this.#give(member, name);
  }

  /** Sends a member the certificate of a message, if one is kept. */
  #give(member: number, name: string): void {
    const due = this.#kept.due(name, member);
    if (due !== undefined) this.#announcer.tell(member, ...announced('certificate', due.height, due.certificate));
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
): Omit<SigningEntry, 'telling'> {
  const account = ask?.origin ?? self;
  return {
    ...{ name, number: roundNumber(messageHash(bytes), height), bytes, height, account, sequence },
    isOwn: ask === undefined,
    ...{ origins: new Set([account]), asks: new Map(ask && [[account, ask]]), signers: new Set([self]) },
    ...{ drawn: undefined, isOnRecord: false, isPlayed: false, beats: 0, allBeats: 0, vainTurns: 0 },
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

/** The code that an error of a message to sign is counted under. */
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

/** What decides about a message of another member; undefined where the member waits until it is asked itself. */
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
  for (const [name, most] of Object.entries(limitsOf(options)))
    if (!(Number.isFinite(most) && most >= 1))
      throw new RangeError(`${name}: expected a number from 1 on, got ${most}`);
}

/**
 * The height that is told with a message: the one that was named, unless the message has it in its bytes.
 *
 * @throws RangeError for a height out of its range, and for another one than the message has.
 */
function toldHeight({ heightOf }: JoinGroupOptions, bytes: Uint8Array, named: bigint | undefined): bigint | undefined {
  requireHeight(named);
  const own = named === undefined ? undefined : heightOf?.(bytes);
  if (own === undefined) return named;
  if (own !== named) throw new RangeError(`height: expected ${own}, which the message has, got ${named}`);
  return undefined;
}

function toldByAnother(...told: Parameters<typeof toldHeight>): bigint | undefined | 'refused' {
  try {
    return toldHeight(...told);
  } catch {
    return 'refused';
  }
}

/** Has what is to be signed on record, before a signature leaves. */
function record(statement: SigningEntry, log: SignedLog, { heightOf }: JoinGroupOptions): void {
  const { bytes, isOnRecord, height } = statement;
  refuseIdentity(bytes);
  if (!isOnRecord) recorded(log, { message: messageHash(bytes), height: height ?? heightOf?.(bytes) });
  statement.isOnRecord = true;
}

/** A certificate is given to a request with a height while that height is on record for its message alone. */
async function givenAgain(kept: Certified, statement: SignedStatement, log: SignedLog): Promise<Certified> {
  if (statement.height !== undefined) recorded(log, statement);
  return kept;
}

/** Codes that a log's errors keep. Any other error says that it cannot be written. */
const recordFaults: ReadonlySet<string> = new Set(['already-signed', 'signed-log-failed']);

/** @throws WorldError `signed-log-failed` for what a system says; what the log itself refuses with. */
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
  throw new WorldError('message-is-identity', what);
}

function requireStatement(bytes: Uint8Array): void {
  requireBytes('bytes', bytes);
  if (bytes.length > longestStatementBytes)
    throw new RangeError(`bytes: expected at most ${longestStatementBytes}, got ${bytes.length}`);
}

/** @throws RangeError where no entry has the key. */
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
  onTold: (from: number, kind: number, bytes: Uint8Array) => void,
): Announcer {
  const session = sessionId(crypto, digest, 'messages to certify');
  const transport = peer.besideRounds(session);
  return new Announcer({ crypto, session, index, networkSecret, networkKeys, endpoints, transport, onTold });
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
  const least = aimedAt(registry, total);
  const group = new Group({ crypto, kernel, entries, epoch, threshold, margin, minWeight: least });
  groups.set(registry, group);
  return group;
}

/** The threshold with its margin; at most everything. */
function aimedAt({ threshold = defaultThreshold, margin }: GroupRegistry, total: bigint): bigint {
  const least = minWeight(total, threshold.numerator, threshold.denominator);
  if (margin === undefined) return least;
  const sum = least + minWeight(total, margin.numerator, margin.denominator);
  return sum < total ? sum : total;
}

function* stillValid({ registry, kernel, kept = [] }: ReadyOptions): Iterable<Certified> {
  for (const { bytes, certificate, height } of kept) {
    const verdict = verifyCertificate({ registry, bytes, certificate, kernel });
    if (verdict.ok) yield { name: toHex(messageHash(bytes)), bytes, certificate, signers: verdict.signers, height };
  }
}

/** What is bounded, and how far where nothing else is asked for. */
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
