import { EnvironmentError, requireFunction, requireObject, toHex } from '@tutti/core/input';
import { Counts, type Group, type PeerTotals, sessionId } from '@tutti/transports';
import { defaultKernel, openNamed } from '#host-member';
import { decodeCertificate, messageHash, verifyCertificate } from '../verification/certificate.ts';
import { Announcer } from './announcer.ts';
import { AnnouncedKind, announced, readAnnounced, roundName } from './ask.ts';
import {
  checkedOptions,
  groupOf,
  indexOfKey,
  type JoinGroupOptions,
  periodOf,
  type ReadyOptions,
  requireNetworkSecret,
  type SigningKernel,
} from './joinOptions.ts';
import { MessageRounds } from './messageRounds.ts';
import { RepeatedAnnouncement } from './repeatedAnnouncement.ts';
import { Requests } from './requests.ts';
import {
  type ApprovalRefusal,
  announcedHeight,
  approvalOf,
  gaveUp,
  givenAgain,
  heightByAnother,
  record,
  refusalOf,
  requireStatement,
  tooMany,
} from './signable.ts';
import { Turns } from './signingOrder.ts';
import { entryOf, type QueuedMessage, type SigningEntry, SigningQueue } from './signingQueue.ts';
import {
  type Certified,
  type MemberRecord,
  memberRecords,
  PendingCertificates,
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
  readonly height?: bigint | undefined;
}

/**
 * Joins a group that signs messages: any bytes, several messages at a time.
 *
 * @throws RangeError if no registry entry has the BLS key, if the entry has a different network key, or if a limit is
 * out of range; EnvironmentError `registry-duplicate` if two entries share a key; TypeError if an option is missing or
 * has the wrong type.
 */
export async function joinGroup(options: JoinGroupOptions): Promise<CertifyingGroup> {
  requireObject('options', options);
  const { registry, key, kernel = await defaultKernel(), transport } = options;
  const checked = checkedOptions({ ...options, kernel });
  if (typeof transport !== 'string') return new CertifyingGroup({ ...checked, transport });
  const { endpoint } = registry.entries[indexOfKey(registry, kernel.publicKey(key.secretKey))]!;
  const opened = await openNamed(transport, endpoint);
  try {
    return new CertifyingGroup({ ...checked, transport: opened });
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
  readonly #group: Group;
  readonly #rounds: MessageRounds;
  readonly #announcer: Announcer;
  readonly #signingQueue: SigningQueue;
  readonly #requests: Requests;
  readonly #stored: StoredCertificates;
  readonly #pending = new PendingCertificates();
  readonly #refused = new Counts<ApprovalRefusal>();
  readonly #listeners = new Set<(certificate: Certified) => void>();
  readonly #outcomes = { certified: 0, gaveUp: 0 };
  #closed = false;

  /** @param options checked by {@link joinGroup}. */
  constructor(options: ReadyOptions) {
    const { registry, key, kernel, crypto, maxStored, stored = [] } = options;
    this.#options = options;
    this.kernel = kernel;
    this.#stored = new StoredCertificates(maxStored, stillValid(stored, registry, kernel));
    this.#group = groupOf(registry, kernel, crypto);
    this.index = indexOfKey(registry, kernel.publicKey(key.secretKey));
    requireNetworkSecret(registry.entries[this.index]!, key.networkSecret, crypto);
    const turns = new Turns((index) => this.#group.weightOf(index), this.#group.faultyWeight);
    this.#signingQueue = this.#newSigningQueue(turns);
    this.#requests = this.#newRequests(turns);
    this.#rounds = new MessageRounds({
      options,
      group: this.#group,
      index: this.index,
      onCertified: (certified) => this.#keep(certified),
      // The sender still runs a round that has ended here. With the certificate, it can close the round.
      onLate: (round, from) => this.#give(from, this.#stored.nameOf(round)),
    });
    this.#announcer = this.#newAnnouncer();
  }

  /** Number of open rounds, number of waiting messages, and number of stored certificates. */
  get counts(): { readonly open: number; readonly waiting: number; readonly stored: number } {
    return { ...this.#signingQueue.counts, stored: this.#stored.size };
  }

  /** Returns the totals that this member has counted so far, including rejections by code. */
  totals(): PeerTotals & { readonly certified: number; readonly gaveUp: number } {
    const totals = this.#rounds.totals();
    const refused = new Counts();
    for (const counts of [totals.refused, this.#refused.toRecord(), this.#announcer.refused.toRecord()])
      refused.addAll(counts);
    return { ...totals, refused: refused.toRecord(), ...this.#outcomes };
  }

  /**
   * Returns a record of each member, with the member's number of signatures in the stored certificates and its number
   * of invalid contributions.
   */
  members(): MemberRecord[] {
    return memberRecords(this.#options.registry.entries, this.#stored.values(), this.#rounds.invalidBySender);
  }

  /** Error of the last verification that could not be carried out; undefined if there was none. */
  get failure(): Error | undefined {
    return this.#rounds.failure;
  }

  /** Returns the stored certificate of the message with this SHA-256 hash, hexadecimal. */
  certificate(name: string): Certified | undefined {
    return this.#stored.ofMessage(name);
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
   * @returns a promise that rejects with EnvironmentError `already-signed` if another message of this height was
   * signed, `too-many-messages` if the maximum number of messages is waiting, `gave-up` if there were not enough
   * signers in time, `group-closed`, `signed-log-failed` if the signed log cannot be written, `reserved-message` for an
   * identity statement; and with RangeError while another round with the same number is open.
   * @throws TypeError if the message is not a Uint8Array; RangeError if the message is too long, or if the height is
   * out of range or differs from the height in the message.
   */
  certify(bytes: Uint8Array, { height: named }: CertifyOptions = {}): Promise<Certified> {
    requireStatement(bytes);
    const height = announcedHeight(this.#options, bytes, named);
    const message = messageHash(bytes);
    const name = roundName(toHex(message), height);
    const stored = height === undefined ? this.certificate(name) : this.#stored.get(name);
    if (stored !== undefined && !this.#closed) return givenAgain(stored, { message, height }, this.#options.signedLog);
    const certified = this.#pending.wait(name);
    this.#request({ name, bytes: bytes.slice(), height });
    return certified;
  }

  /** Announces the message, even if it has to wait, because all members start waiting messages in the same order. */
  #request(message: QueuedMessage): void {
    const { name } = message;
    const known = this.#signingQueue.find(name);
    if (known !== undefined) {
      known.isOwn = true;
      known.origins.add(this.index);
      if (this.#isAccepted(known, () => record(known, this.#options))) known.announcement.start();
    } else if (this.#closed)
      this.#pending.reject(name, new EnvironmentError('group-closed', 'group: expected an open one'));
    else if (this.#signingQueue.hasRoomForOwn) this.#admit(this.#entryOf(message));
    else this.#pending.reject(name, tooMany(this.#options.maxWaiting));
  }

  /** Creates the queue entry of a message. */
  #entryOf(message: QueuedMessage): SigningEntry {
    const { name, ask } = message;
    const by = ask ?? { origin: this.index, sequence: this.#requests.nextSequence() };
    const entry: SigningEntry = {
      ...entryOf(message, by, this.index),
      announcement: new RepeatedAnnouncement({
        crypto: this.#options.crypto,
        size: this.#group.size,
        self: this.index,
        isFirst: ask === undefined,
        periodMs: periodOf(this.#options, this.#group),
        signers: () => this.#stored.get(name)?.signers ?? 0,
        announce: (to) => {
          const announcement = this.#requests.announcementOf(entry);
          if (announcement !== undefined) this.#announcer.announce(to, ...announcement);
        },
        // Without this, the protocol would endlessly ask a member that never signs.
        onQuiet: () => this.#rounds.stop(entry),
      }),
    };
    return entry;
  }

  /** Leaves the group. The call rejects all pending requests for certificates. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#signingQueue.close();
    this.#pending.rejectAll(new EnvironmentError('group-closed', 'group: closed before there was a certificate'));
    this.#announcer.close();
    try {
      await this.#rounds.close();
    } finally {
      this.#options.signedLog.close();
    }
  }

  /**
   * Starts the round of a message, or queues the message. A message that this member requested is recorded in the
   * signed log immediately.
   */
  #admit(entry: SigningEntry): void {
    if (entry.isOwn) {
      if (!this.#isAccepted(entry, () => record(entry, this.#options))) return;
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
      this.#pending.reject(entry.name, error as Error);
      return false;
    }
  }

  #newSigningQueue(turns: Turns): SigningQueue {
    const { crypto, maxOpen, maxWaiting, giveUpMs } = this.#options;
    return new SigningQueue({
      crypto,
      turns,
      size: this.#group.size,
      maxOpen,
      maxWaiting,
      giveUpMs,
      periodMs: periodOf(this.#options, this.#group),
      isStored: (name) => this.#stored.has(name),
      signersOf: (entry) => this.#rounds.signersOf(entry),
      hasQuorum: ({ signers }) => this.#group.isQuorum(signers),
      begin: (entry) => this.#begin(entry),
      stop: (entry) => this.#rounds.stop(entry),
      onDropped: (why) => this.#refused.add(why),
      onGaveUp: (entry) => {
        this.#outcomes.gaveUp++;
        this.#requests.finish(entry.asks.values());
        this.#pending.reject(entry.name, gaveUp(entry.name, giveUpMs));
      },
    });
  }

  #newRequests(turns: Turns): Requests {
    return new Requests({
      crypto: this.#options.crypto,
      signingQueue: this.#signingQueue,
      turns,
      group: this.#group,
      self: this.index,
      networkSecret: this.#options.key.networkSecret,
      approvalOf: (bytes) => approvalOf(bytes, this.#options),
      refused: this.#refused,
      onInvalid: (from) => this.#rounds.ban(from),
      onApproved: (message) => {
        const { name } = message;
        if (this.#closed || this.#signingQueue.find(name) !== undefined || this.#stored.has(name)) return;
        this.#admit(this.#entryOf(message));
      },
    });
  }

  #newAnnouncer(): Announcer {
    const { crypto, key } = this.#options;
    const { digest, networkKeys, endpoints } = this.#group;
    const session = sessionId(crypto, digest, 'messages to certify');
    return new Announcer({
      crypto,
      session,
      index: this.index,
      networkSecret: key.networkSecret,
      networkKeys,
      endpoints,
      transport: this.#rounds.transportOf(session),
      onAnnounced: (from, kind, bytes) => this.#onAnnounced(from, kind, bytes),
    });
  }

  /** Opens a message's round, signs, and announces the message. @returns whether the message may be signed. */
  #begin(entry: SigningEntry): boolean {
    const isOpen = this.#isAccepted(entry, () => {
      record(entry, this.#options);
      this.#rounds.open(entry);
    });
    if (!isOpen) return false;
    entry.announcement.start();
    this.#rounds.start(entry);
    return true;
  }

  #onAnnounced(from: number, kind: number, payload: Uint8Array): void {
    if (this.#closed) return;
    if (this.#rounds.isBanned(from)) {
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
    if (this.#stored.has(name)) {
      if (known === undefined || !this.#rounds.isRunning(known)) this.#give(from, name);
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
    const name = toHex(read.message);
    const round = roundName(name, height);
    const entry = this.#signingQueue.find(round);
    if (entry === undefined || this.#stored.has(round)) return;
    const { registry, kernel } = this.#options;
    const verdict = verifyCertificate({ registry, bytes: entry.bytes, certificate: bytes, kernel });
    if (verdict.ok) this.#keep({ name, bytes: entry.bytes, certificate: bytes, signers: verdict.signers, height });
    else this.#onForged(from);
  }

  #onForged(from: number): void {
    this.#refused.add('invalid-certificate');
    this.#rounds.ban(from);
  }

  /** Sends a member the certificate of a round, if the certificate is stored and was not sent recently. */
  #give(member: number, name: string | undefined): void {
    const due = name === undefined ? undefined : this.#stored.due(name, member);
    if (due !== undefined) this.#announcer.announce(member, ...announced('certificate', due.height, due.certificate));
  }

  #keep(certified: Certified): void {
    const name = roundName(certified.name, certified.height);
    if (!this.#stored.has(name)) this.#outcomes.certified++;
    this.#requests.finish(this.#signingQueue.find(name)?.asks.values() ?? []);
    this.#stored.keep(certified);
    this.#pending.resolve(name, certified);
    for (const listener of this.#listeners) listener(certified);
    this.#signingQueue.next();
  }
}
