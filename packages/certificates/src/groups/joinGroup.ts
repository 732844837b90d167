import { requireFunction, requireObject, toHex, WorldError } from '@tutti/core/input';
import {
  Counts,
  type CryptoSuite,
  type Group,
  hostCrypto,
  Peer,
  type PeerTotals,
  type RoundReport,
  sessionId,
} from '@tutti/transports';
import { defaultKernel, openNamed } from '#host-member';
import { memorySignedLog, type SignedLog } from '../log/signedLog.ts';
import { decodeCertificate, messageHash, verifyCertificate } from '../verification/certificate.ts';
import { Announcer, RepeatedAnnouncement } from './announcer.ts';
import { AnnouncedKind, type Ask, announced, readAnnounced, roundHash, roundName } from './ask.ts';
import {
  groupOf,
  type JoinGroupOptions,
  limitsOf,
  periodOf,
  placeOf,
  type ReadyOptions,
  requireJoinOptions,
  type SigningKernel,
  seedOf,
} from './joinOptions.ts';
import { Requesters, Requests } from './requests.ts';
import {
  type ApprovalRefusal,
  announcedHeight,
  approvalOf,
  givenAgain,
  heightByAnother,
  record,
  refusalOf,
  requireStatement,
} from './signable.ts';
import { Turns } from './signingOrder.ts';
import { entryOf, type SigningEntry, SigningQueue } from './signingQueue.ts';
import {
  type Certified,
  certifiedBy,
  certifiedOf,
  type MemberRecord,
  memberRecords,
  StoredCertificates,
  stillValid,
} from './storedCertificates.ts';

/** Options of {@link CertifyingGroup.certify}. */
export interface CertifyOptions {
  /**
   * Slot or height of the message, 0 to 2^64 - 1. After signing, this member signs no other message of that height.
   * Neither does any other honest signer of the certificate, unless that signer signed the same message only for
   * another height. All members must certify the message with the same height.
   */
  readonly height?: bigint;
}

/**
 * Joins a group that signs messages: any bytes, several messages at a time.
 *
 * @throws RangeError if no registry entry has the key, or if a limit is less than 1; WorldError `registry-duplicate` if
 * two entries share a key; TypeError if an option is missing or has the wrong type.
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
 * A member of a group that signs messages. A round is identified by the hash of its message, the height named for the
 * message, and the registry's epoch.
 */
export class CertifyingGroup {
  /** Kernel that signs and verifies in this group; it also serves as an argument of `verifyCertificate`. */
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
  readonly #kept: StoredCertificates;
  readonly #requests: Requests;
  readonly #refused = new Counts<ApprovalRefusal>();
  readonly #listeners = new Set<(certificate: Certified) => void>();
  /** Number of invalid contributions from each sender. */
  readonly #invalidBySender = new Map<number, number>();
  readonly #reports: { certified: number; gaveUp: number } = { certified: 0, gaveUp: 0 };
  #failure: Error | undefined;
  #closed = false;

  /** @param options checked by {@link joinGroup}. */
  constructor(options: ReadyOptions) {
    const { registry, key, kernel, transport, crypto = hostCrypto, signedLog = memorySignedLog() } = options;
    this.#options = options;
    this.kernel = kernel;
    this.#crypto = crypto;
    this.#log = signedLog;
    const { maxOpen, maxKept } = limitsOf(options);
    this.#kept = new StoredCertificates(maxKept, stillValid(options.kept ?? [], registry, kernel));
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
      // The number of signers has no threshold, because their weight decides; see the group's minimum weight.
      config: { ...options.config, threshold: 1 },
      maxOpen: maxOpen + 1,
      onOutput: (report) => this.#onOutput(report),
      onInvalid: (index) => this.#countInvalid(index),
      onLate: (round, index) => this.#onLate(round, index),
      onFailure: (error) => {
        this.#failure = error;
      },
    });
    const { digest, networkKeys, endpoints } = this.#group;
    const session = sessionId(crypto, digest, 'messages to certify');
    this.#announcer = new Announcer({
      ...{ crypto, session, index: this.index, networkSecret: key.networkSecret, networkKeys, endpoints },
      transport: this.#peer.transportOf(session),
      onAnnounced: (from, kind, bytes) => this.#onAnnounced(from, kind, bytes),
    });
  }

  /** Number of open rounds, number of waiting messages, and number of stored certificates. */
  get counts(): { readonly open: number; readonly waiting: number; readonly kept: number } {
    return { ...this.#signingQueue.counts, kept: this.#kept.size };
  }

  /** Returns the totals that this member has counted so far, including rejections by code. */
  totals(): PeerTotals & { readonly certified: number; readonly gaveUp: number } {
    const totals = this.#peer.totals();
    const refused = new Counts();
    for (const counts of [totals.refused, this.#refused.toRecord(), this.#announcer.refused.toRecord()])
      refused.addAll(counts);
    return { ...totals, refused: refused.toRecord(), ...this.#reports };
  }

  /**
   * Returns a record of each member, with the member's number of signatures in the stored certificates and its number
   * of invalid contributions.
   */
  members(): MemberRecord[] {
    return memberRecords(this.#options.registry.entries, this.#kept.values(), this.#invalidBySender);
  }

  /** Error of the last verification that could not be carried out; undefined if there was none. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Returns the stored certificate of the message with this SHA-256 hash, hexadecimal. */
  certificate(name: string): Certified | undefined {
    return this.#kept.ofMessage(name);
  }

  /**
   * Calls the listener with each certificate, and with each better certificate of the same message. @returns a function
   * that removes the listener.
   */
  on(_event: 'certificate', listener: (certificate: Certified) => void): () => void {
    requireFunction('listener', listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Signs a message and requests the other members' signatures. The promise resolves when the signers have enough
   * weight. Repeated calls for the same message and height share one round.
   *
   * @throws WorldError `already-signed` if another message of this height was signed, `too-many-messages` if the
   * maximum number of messages is waiting, `gave-up` if there were not enough signers in time, `group-closed`,
   * `signed-log-failed` if the signed log cannot be written, `reserved-message` for an identity statement; RangeError
   * if the message is too long, or if the height is out of range or differs from the height in the message.
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
    else if (this.#signingQueue.hasRoomForOwn) this.#admit(this.#entryOf(bytes, name, height));
    else this.#requesters.reject(name, tooMany(limitsOf(this.#options).maxWaiting));
  }

  /**
   * Creates the queue entry of a message. @param ask request of another member; without it, the entry is this member's
   * own request.
   */
  #entryOf(bytes: Uint8Array, name: string, height: bigint | undefined, ask?: Ask): SigningEntry {
    const entry: SigningEntry = {
      ...entryOf(bytes, name, height, this.index, ask, ask?.sequence ?? this.#requests.nextSequence()),
      announcement: new RepeatedAnnouncement({
        crypto: this.#crypto,
        size: this.#group.size,
        self: this.index,
        isFirst: ask === undefined,
        periodMs: periodOf(this.#options, this.#group),
        signers: () => this.#kept.get(name)?.signers ?? 0,
        announce: (to) => {
          const announcement = this.#requests.announcementOf(entry);
          if (announcement !== undefined) this.#announcer.announce(to, ...announcement);
        },
        onQuiet: () => this.#rest(entry),
      }),
    };
    return entry;
  }

  /** Leaves the group. The call rejects all pending requests for certificates. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#signingQueue.close();
    this.#requesters.rejectAll(new WorldError('group-closed', 'group: closed before there was a certificate'));
    this.#announcer.close();
    await this.#peer.close();
    this.#log.close();
  }

  /**
   * Starts the round of a message, or queues the message. A message that this member requested is recorded in the
   * signed log immediately.
   */
  #admit(entry: SigningEntry): void {
    if (entry.isOwn) {
      if (!this.#isAccepted(entry, () => record(entry, this.#log, this.#options))) return;
      entry.announcement.start();
    }
    this.#signingQueue.admit(entry);
  }

  /**
   * Performs an action. If the action throws because the message may not be signed, counts a rejection of another
   * member's message, or rejects this member's own requests. @returns whether the action succeeded.
   */
  #isAccepted(entry: SigningEntry, action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      const code = refusalOf(error);
      // If writing to the log failed, writing may succeed when the message is announced again.
      if (code !== 'signed-log-failed') this.#requests.finish(entry.asks.values());
      if (!entry.isOwn) this.#refused.add(code);
      this.#requesters.reject(entry.name, error as Error);
      return false;
    }
  }

  #newSigningQueue(turns: Turns): SigningQueue {
    const limits = limitsOf(this.#options);
    const periodMs = periodOf(this.#options, this.#group);
    return new SigningQueue({
      ...limits,
      crypto: this.#crypto,
      turns,
      size: this.#group.size,
      periodMs,
      isKept: (name) => this.#kept.has(name),
      signersOf: ({ number }) => this.#peer.signersOf(number),
      hasQuorum: ({ signers }) => this.#group.isQuorum(signers),
      begin: (entry) => this.#begin(entry),
      rest: (entry) => this.#rest(entry),
      onDropped: (why) => this.#refused.add(why),
      onGaveUp: (entry) => {
        this.#reports.gaveUp++;
        this.#requests.finish(entry.asks.values());
        this.#requesters.reject(entry.name, gaveUp(entry.name, limits.giveUpMs));
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
      refused: this.#refused,
      onInvalid: (from) => this.#onInvalid(from),
      onApproved: ({ name, height, bytes, ask }) => {
        if (this.#closed || this.#signingQueue.find(name) !== undefined || this.#kept.has(name)) return;
        this.#admit(this.#entryOf(bytes, name, height, ask));
      },
    });
  }

  /** Bans a member for several rounds because it sent a message that only a faulty member sends. */
  #onInvalid(from: number): void {
    this.#countInvalid(from);
    this.#peer.ban(from);
  }

  #countInvalid(from: number): void {
    this.#invalidBySender.set(from, (this.#invalidBySender.get(from) ?? 0) + 1);
  }

  /** Opens a message's round, signs, and announces the message. @returns whether the message may be signed. */
  #begin(entry: SigningEntry): boolean {
    const { number, bytes, announcement, height } = entry;
    const seed = seedOf(this.#group, roundHash(messageHash(bytes), height), this.#options.beacon);
    const isOpen = this.#isAccepted(entry, () => {
      record(entry, this.#log, this.#options);
      this.#peer.open({ number, message: bytes, seed });
    });
    if (!isOpen) return false;
    entry.isRunning = true;
    this.#byNumber.set(number, entry);
    announcement.start();
    this.#peer.start(number);
    return true;
  }

  /**
   * Stops the protocol of a round before the round has all signers. Otherwise the protocol would endlessly ask a member
   * that never signs.
   */
  #rest(entry: SigningEntry): void {
    if (!entry.isRunning) return;
    entry.isRunning = false;
    this.#byNumber.delete(entry.number);
    this.#peer.closeRound(entry.number);
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
    else if (kind === AnnouncedKind.certificateOfHeight) this.#onForged(from);
    else this.#refused.add('malformed-request');
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
   * Handles a certificate from another member that has already closed the certificate's round. A certificate of an
   * unknown round is ignored.
   */
  #onCertificate(from: number, bytes: Uint8Array, height: bigint | undefined): void {
    const read = decodeCertificate(bytes);
    if (read === undefined) {
      this.#onForged(from);
      return;
    }
    const message = toHex(read.message);
    const name = roundName(message, height);
    const entry = this.#signingQueue.find(name);
    if (entry === undefined || this.#kept.has(name)) return;
    const { registry, kernel } = this.#options;
    const verdict = verifyCertificate({ registry, bytes: entry.bytes, certificate: bytes, kernel });
    if (verdict.ok) this.#keep(certifiedBy(entry, message, bytes, verdict.signers));
    else this.#onForged(from);
  }

  #onForged(from: number): void {
    this.#refused.add('invalid-certificate');
    this.#onInvalid(from);
  }

  /**
   * Handles a packet from a member that is still running a round that has already ended here. The function sends that
   * member the certificate, so that the member can close its round.
   */
  #onLate(number: number, member: number): void {
    const name = this.#kept.nameOf(number);
    if (name !== undefined) this.#give(member, name);
  }

  /** Sends a member the certificate of a round, if the certificate is stored and was not sent recently. */
  #give(member: number, name: string): void {
    const due = this.#kept.due(name, member);
    if (due !== undefined) this.#announcer.announce(member, ...announced('certificate', due.height, due.certificate));
  }

  #onOutput({ round: number, output }: RoundReport): void {
    const entry = this.#byNumber.get(number);
    if (entry === undefined || output === undefined) return;
    this.#keep(certifiedOf(this.#group, this.#options.registry, entry, output));
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

function tooMany(maxWaiting: number): WorldError {
  const what = `group: expected at most ${maxWaiting} messages to wait, got one more`;
  return new WorldError('too-many-messages', what);
}

function gaveUp(name: string, giveUpMs: number): WorldError {
  return new WorldError('gave-up', `message ${name.replace('@', ' of height ')}: not enough signers in ${giveUpMs} ms`);
}
