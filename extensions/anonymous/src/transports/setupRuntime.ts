import { type ListedEntry, sharedKeys } from '@tutti/certificates';
import { type Contribution, type Endpoint, noContribution, type Port } from '@tutti/core';
import {
  concat,
  readUint,
  requireArray,
  requireBytesIn,
  requireMethods,
  requireObject,
  toHex,
} from '@tutti/core/input';
import {
  Channel,
  type Clock,
  Counts,
  type CryptoSuite,
  MemberLink,
  Reassembly,
  type Refusal,
  requireTransport,
  splitMessage,
  type Transport,
} from '@tutti/transports';
import { maxListedNames, nobody, type SetupConfig, SetupMessage, SetupNode, type SetupRefusal } from '../setup.ts';
import { maxHostBytes, type RegistrationFault, registrationOverheadBytes } from './registration.ts';
import { nameBytes, type SignedRegistrations } from './registrations.ts';

/** Codes of all reasons for which a member of a set-up rejects a message. */
type MemberRefusal = Refusal | SetupRefusal | RegistrationFault | 'bad-list';

/**
 * First byte of a packet that does not reveal its sender; it differs from the version byte with which the channel's
 * packets begin.
 */
const anonymousKind = 0xa1;
const anonymousHeaderBytes = 5;
const messageHeaderBytes = 2;

/** Options of a {@link SetupRuntime}. */
export interface SetupRuntimeOptions {
  /** Crypto suite: `nodeCrypto`, or `nobleCrypto` outside Node. */
  readonly crypto: CryptoSuite;
  /** Index of this member in the public registry. */
  readonly index: number;
  /** X25519 secret key of this member for the public registry, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /** Public registry: each member's X25519 public key, 32 bytes, and the address of its inbox. */
  readonly members: readonly { readonly networkKey: Uint8Array; readonly endpoint: Endpoint }[];
  /** Identifier of registry and event, 32 bytes, see `sessionId`. */
  readonly session: Uint8Array;
  /** Transport that listens at this member's address in the public registry. */
  readonly inbox: Transport;
  /**
   * Transport behind a proxy, by which no member can identify this member. The hidden transport remains open for
   * Handel.
   */
  readonly hidden: Pick<Transport, 'send' | 'maxPacketBytes'>;
  readonly clock: Clock;
  readonly config: SetupConfig;
  readonly registrations: SignedRegistrations;
  /** Registrations by this member, created by `makeRegistration`; an honest member has one. */
  readonly own: readonly Uint8Array[];
  /**
   * Called when this member itself fails: a verification cannot be performed, or a callback of a timer or a socket
   * throws. A peer's input never triggers this callback. Without this callback, such an exception has no handler.
   */
  readonly onFailure?: (error: Error) => void;
}

/** Result of a set-up, and the set-up's costs for this member. */
export interface SetupReport {
  /** Anonymous registry, in the order of its keys, which does not reveal the keys' owners. */
  readonly entries: readonly ListedEntry[];
  /**
   * Members that registered more than once. `author` is an index in the public registry if the ring signatures trace
   * the author.
   */
  readonly doubles: readonly { readonly author: number | undefined }[];
  /** Number of members, including this one, whose last list equalled this member's list. */
  readonly agreeing: number;
  readonly messagesSent: number;
  /** Number of bytes sent in packets, without IP and UDP headers. */
  readonly bytesSent: number;
  /** Number of rejected messages from peers, by code. */
  readonly refused: Readonly<Record<string, number>>;
}

/**
 * Runs a node of the set-up phase in real time (v1.03 section 5.3). Relayed messages go from inbox to inbox by the
 * authenticated channel. The member's own registration goes over the hidden transport, in packets that do not name the
 * sender:
 *
 *     0xa1 | session 4 | a piece of the message, see `splitMessage`
 *
 * A packet on the hidden transport is not sealed, because its content is intended for all members. The hidden transport
 * must prevent observers from learning the packet's origin.
 */
export class SetupRuntime {
  readonly #options: SetupRuntimeOptions;
  readonly #node: SetupNode;
  /** Addresses of the inboxes of all members. */
  readonly #endpoints: readonly Endpoint[];
  readonly #link: MemberLink;
  readonly #anonymous: Reassembly;
  readonly #refused = new Counts<MemberRefusal>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #accepted: Contribution[] = [];
  #nextTicket = 1;
  #messagesSent = 0;
  readonly #counts = { bytesSent: 0, bytesReceived: 0 };
  #closed = false;

  /** @throws TypeError for an option that is missing or has the wrong type; RangeError for a value out of its range. */
  constructor(options: SetupRuntimeOptions) {
    requireObject('options', options);
    const { crypto, index, members, session, networkSecret, inbox, hidden, clock, registrations, config, own } =
      options;
    requireArray('members', members);
    for (const [place, member] of members.entries()) requireBytesIn(`members[${place}]`, member, ['networkKey']);
    requireTransport('inbox', inbox);
    requireMethods('hidden', hidden, ['send']);
    requireMethods('clock', clock, ['nowUs']);
    requireMethods('registrations', registrations, ['decode', 'verify', 'relate']);
    requireArray('own', own);
    this.#options = options;
    this.#endpoints = members.map(({ endpoint }) => endpoint);
    const channel = new Channel({
      crypto,
      session,
      self: index,
      secret: networkSecret,
      publicKeys: members.map(({ networkKey }) => networkKey),
      maxPacketBytes: inbox.maxPacketBytes,
    });
    const longestSignature = Math.max(...registrations.signatureBytes);
    const longestRegistration = registrationOverheadBytes + maxHostBytes + longestSignature;
    const onRefused = (code: Refusal) => this.#refused.add(code);
    this.#anonymous = new Reassembly({ maxMessageBytes: messageHeaderBytes + longestRegistration, onRefused });
    const handles = own.map((bytes) => {
      const read = registrations.decode(bytes);
      if (!read.ok) throw new RangeError(`own: expected registrations, got one that is ${read.code}`);
      return read.handle;
    });
    this.#node = new SetupNode({
      id: index,
      scheme: registrations,
      config,
      own: handles,
      port: this.#port(),
      random: (bound) => readUint(crypto.randomBytes(6), 0, 6) % bound,
    });
    for (const handle of handles) registrations.release(handle);
    this.#link = new MemberLink({
      endpoints: this.#endpoints,
      transport: this.#sealed(inbox),
      channel,
      maxMessageBytes: messageHeaderBytes + Math.max(longestRegistration, maxListedNames * nameBytes * members.length),
      counts: this.#counts,
      refused: this.#refused,
      onMessage: (from, message) => this.#onMessage(from, message),
    });
  }

  start(): void {
    this.#node.start();
  }

  /** Whether the set-up has ended for this member. */
  get ended(): boolean {
    return this.#node.ended;
  }

  /** Number of registrations accepted so far, for progress reports. */
  get accepted(): number {
    return this.#node.roll.acceptedCount;
  }

  report(): SetupReport {
    const { registrations } = this.#options;
    const refused = new Counts<MemberRefusal>();
    refused.addAll(this.#refused.toRecord());
    refused.addAll(this.#node.refused);
    return {
      entries: anonymousRegistry(this.#accepted.map((handle) => registrations.entry(handle))),
      doubles: this.#node.roll.doubles.map(({ author }) => ({ author })),
      agreeing: this.#node.agreeing,
      messagesSent: this.#messagesSent,
      bytesSent: this.#counts.bytesSent,
      refused: refused.toRecord(),
    };
  }

  /** Stops the set-up node and closes the inbox. The hidden transport stays open, and the report remains available. */
  close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    return this.#link.close();
  }

  /**
   * Returns the inbox as a transport for the channel, without the packets that do not reveal their senders; this class
   * handles those packets.
   */
  #sealed(inbox: Transport): Transport {
    return {
      local: inbox.local,
      maxPacketBytes: inbox.maxPacketBytes,
      counters: inbox.counters,
      send: (to, bytes) => inbox.send(to, bytes),
      close: () => inbox.close(),
      onPacket: (listener) =>
        inbox.onPacket((bytes, from) =>
          this.#orFail(() => {
            if (bytes[0] !== anonymousKind) return listener(bytes, from);
            this.#onAnonymous(bytes, from);
            return false;
          }),
        ),
    };
  }

  #onAnonymous(bytes: Uint8Array, { host, port }: Endpoint): void {
    if (this.#closed) return;
    const { crypto, session } = this.#options;
    if (session.subarray(0, anonymousHeaderBytes - 1).some((byte, i) => byte !== bytes[1 + i])) {
      this.#refused.add('wrong-session');
      return;
    }
    // All addresses share 256 slots, so that the memory for reassembly is limited.
    const [slot = 0] = crypto.sha256([session, new TextEncoder().encode(`${host} ${port}`)]);
    const message = this.#anonymous.take(slot, bytes.subarray(anonymousHeaderBytes));
    if (message !== undefined) this.#onMessage(nobody, message);
  }

  #onMessage(from: number, message: Uint8Array): void {
    const { registrations } = this.#options;
    const [level = 0, flags = 0] = message;
    const body = message.subarray(messageHeaderBytes);
    const read = level === SetupMessage.list ? this.#readList(body) : registrations.decode(body);
    if (!read.ok) {
      this.#refused.add(read.code);
      return;
    }
    this.#node.onMessage(from, level, read.handle, noContribution, flags);
    registrations.release(read.handle);
  }

  #readList(body: Uint8Array) {
    const { registrations, members } = this.#options;
    if (body.length % nameBytes !== 0 || body.length > maxListedNames * nameBytes * members.length)
      return { ok: false, code: 'bad-list' } as const;
    return { ok: true, handle: registrations.readList(body) } as const;
  }

  #port(): Port {
    const { clock, registrations } = this.#options;
    return {
      nowUs: () => clock.nowUs(),
      send: (to, level, handle, _, flags) => this.#send(to, level, handle, flags),
      setTimer: (delayUs, timer) => this.#setTimer(delayUs, timer),
      verify: (registration) => this.#verify(registration),
      output: (registration) => {
        registrations.retain(registration);
        this.#accepted.push(registration);
      },
      refuse: () => {},
      trace: () => {},
    };
  }

  #send(to: number, level: number, handle: Contribution, flags: number): void {
    if (this.#closed) return;
    const { registrations, hidden, crypto, session } = this.#options;
    const body = level === SetupMessage.list ? registrations.listBytes(handle) : registrations.bytes(handle);
    const message = concat(Uint8Array.of(level, flags), body);
    this.#messagesSent++;
    if (level === SetupMessage.register) {
      const number = readUint(crypto.randomBytes(4), 0, 4);
      const head = concat(Uint8Array.of(anonymousKind), session.subarray(0, anonymousHeaderBytes - 1));
      for (const piece of splitMessage(message, hidden.maxPacketBytes - anonymousHeaderBytes, number)) {
        const packet = concat(head, piece);
        this.#counts.bytesSent += packet.length;
        hidden.send(this.#endpoints[to]!, packet);
      }
      return;
    }
    this.#link.send(to, message);
  }

  #setTimer(delayUs: number, timer: number): void {
    if (this.#closed) return;
    const timeout = setTimeout(
      () => {
        this.#timers.delete(timeout);
        this.#orFail(() => this.#node.onTimer(timer));
      },
      Math.ceil(delayUs / 1000),
    );
    this.#timers.add(timeout);
  }

  #verify(registration: Contribution): number {
    const ticket = this.#nextTicket++;
    this.#options.registrations
      .verify(registration)
      .then((valid) => {
        if (!this.#closed) this.#node.onVerified(ticket, valid);
      })
      .catch((error: Error) => this.#fail(error));
    return ticket;
  }

  /**
   * Reports an exception in a timer or socket callback as a failure of this member, because no caller would receive it.
   */
  #orFail<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#fail(error as Error);
      return undefined;
    }
  }

  #fail(error: Error): void {
    const { onFailure } = this.#options;
    if (onFailure === undefined) throw error;
    onFailure(error);
  }
}

/**
 * Returns the registry of the accepted registrations, in the order of their keys, which reveals neither time nor owner.
 * Entries that share a key with another entry are all omitted. Each of these entries is signed with the shared key, so
 * the members that registered them have agreed to the sharing.
 */
export function anonymousRegistry(accepted: readonly ListedEntry[]): ListedEntry[] {
  const sharers = new Set(sharedKeys(accepted).flatMap(({ index, earlier }) => [index, earlier]));
  return accepted
    .filter((_, index) => !sharers.has(index))
    .map((entry) => ({ entry, key: toHex(entry.publicKey) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
