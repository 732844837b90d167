import { type HandelConfig, type RegistryEntry, type RegistryVerifier, verifyEntry } from '@tutti/core';
import { requireBytesIn, requireFunction, requireMethods, requireObject, requireText, toHex } from '@tutti/core/input';
import { hostCrypto } from '#host-crypto';
import { type CryptoSuite, rememberedSecrets, requireSuite } from '../crypto/suite.ts';
import type { HornKernel } from '../horn/hornGroup.ts';
import { Counts, type Refusal } from '../refusals.ts';
import type { RoundProtocol } from '../rounds/protocol.ts';
import { SharedTransport } from '../rounds/sharedTransport.ts';
import type { OpenVerifier } from '../rounds/verifier.ts';
import { SealedSignals } from '../signalling/sealedSignals.ts';
import type { PeerSignals, Signalling, SignallingEvent } from '../signalling/signalling.ts';
import type { Transport } from '../transport/transport.ts';
import type { MemberIdentity } from './card.ts';
import type { RoundProposal } from './messages.ts';
import { Room } from './room.ts';
import { type RoomResult, RoomSession, type RoomStep } from './roomSession.ts';
import type { RoomRound, RoomView } from './roomState.ts';
import { type RoomBlock, type RoomSlot, type SlotAttack, SlotSession } from './slotSession.ts';

/** Options of a {@link LiveMember}. */
export interface LiveMemberOptions {
  /** Name of the room, to which sealed signals are bound. */
  readonly room: string;
  readonly identity: MemberIdentity;
  /** The joined room, with the name and the card of the identity. The member owns the joined room. */
  readonly signalling: Signalling;
  /** Crypto suite. Default: `nodeCrypto`, or `nobleCrypto` outside Node. */
  readonly crypto?: CryptoSuite;
  readonly kernel: HornKernel & RegistryVerifier;
  /** Opens verifiers of contributions. Default: the kernel verifies contributions on this thread. */
  readonly openVerifier?: OpenVerifier;
  /** Opens the transport for packets under the identity's name, with sealed signals. The member owns the transport. */
  readonly openTransport: (signals: PeerSignals) => Transport;
  readonly config?: Partial<HandelConfig>;
  /** Protocol of the member's node in each round. Default: Handel, which the other members run. */
  readonly protocol?: RoundProtocol | undefined;
  /** Returns the options of an adversary's node in a slot. Only a demonstration of adversaries sets it. */
  readonly slotAttack?: SlotAttack | undefined;
  /** Proposal that this member makes when becoming the leader. Default: a fixed text and a share of 0.66. */
  readonly proposal?: RoundProposal;
  /** Called when something to display has changed, often several times per turn of the event loop. */
  readonly onChange?: (member: LiveMember) => void;
  /** Called when the round produces a multi-signature, or a heavier one than before. */
  readonly onResult?: (result: RoomResult) => void;
  /** Called at the end of a slot with the block that this member would propose. */
  readonly onBlock?: (block: RoomBlock) => void;
  /** Called when a round or a slot with this member begins, before its first step. */
  readonly onBegin?: (view: LiveView) => void;
  readonly onStep?: (step: RoomStep) => void;
  readonly onFailure?: (error: Error) => void;
}

/** A member's view of its room, for display, including the state of the member's own node. */
export interface LiveView extends RoomView {
  /** Digest of the registry of the current or last round, 32 bytes; undefined before this member's first round. */
  readonly digest: Uint8Array | undefined;
  /**
   * Names of the members by their places in the tree of the current or last round, or by the places of their validators
   * in the slot. `position` is this member's own place, or the first of the places of its validators.
   */
  readonly assignment: readonly string[];
  readonly position: number | undefined;
  readonly result: RoomResult | undefined;
  /** The current or last slot; undefined if the current or last round is a round of Handel. */
  readonly slot: RoomSlot | undefined;
  /** Block at the end of the slot; undefined before the end. */
  readonly block: RoomBlock | undefined;
  /**
   * Reason why the signalling has stopped, temporarily or permanently. Rounds continue over the existing links while
   * signalling is stopped. The reason becomes undefined when the signalling works again.
   */
  readonly lost: string | undefined;
  /** Number of signals that this member rejected, by code. */
  readonly signalsRefused: Readonly<Record<string, number>>;
  /** Number of this member's requests that the server has rejected, by code. */
  readonly serverRefused: Readonly<Record<string, number>>;
}

/** Interval between two calls of the room's `tick`, ms. */
const tickMs = 250;

/** Handel's period in a room, ms. Links of phones are slow, and a few members need only a few messages. */
const periodMs = 50;

/** A member of a live room, from joining to leaving, with its identity, its links, and its node in each round. */
export class LiveMember {
  readonly #options: LiveMemberOptions;
  readonly #crypto: CryptoSuite;
  readonly #room: Room;
  readonly #sealed: SealedSignals;
  readonly #transport: SharedTransport;
  readonly #ticking: ReturnType<typeof setInterval>;
  readonly #serverRefused = new Counts<Refusal>();
  #session: RoomSession | SlotSession | undefined;
  #result: RoomResult | undefined;
  #block: RoomBlock | undefined;
  #lost: string | undefined;
  #closed = false;

  /** @throws TypeError for a missing option or an option of the wrong type; RangeError for an invalid proposal. */
  constructor(options: LiveMemberOptions) {
    requireObject('options', options);
    const { room, identity, signalling, crypto = hostCrypto, kernel, openVerifier, openTransport, proposal } = options;
    requireText('room', room);
    requireBytesIn('identity', identity, ['networkSecret']);
    requireMethods('signalling', signalling, ['signal', 'announce', 'onEvent', 'close']);
    requireSuite(crypto);
    requireMethods('kernel', kernel, ['validatePublicKey', 'verify', 'verifyPossession']);
    if (openVerifier !== undefined) requireFunction('openVerifier', openVerifier);
    requireFunction('openTransport', openTransport);
    if (proposal !== undefined) requireObject('proposal', proposal);
    this.#options = options;
    this.#crypto = rememberedSecrets(crypto);
    this.#sealed = new SealedSignals({
      crypto,
      room,
      secret: identity.networkSecret,
      carry: (to, sealed) => signalling.signal(to, sealed),
    });
    const roomSignals = this.#sealed.for('room');
    this.#room = new Room({
      self: identity,
      proposal,
      port: {
        announce: (text) => signalling.announce(text),
        send: (member, text) => roomSignals.send(member, text),
        isGenuine: (entry) => isGenuine(kernel, entry),
        beacon: () => toHex(crypto.randomBytes(32)),
        begin: (round) => this.#begin(round),
        changed: () => options.onChange?.(this),
      },
    });
    roomSignals.onSignal((from, text) => this.#room.onLeaderMessage(from, text, performance.now()));
    this.#transport = new SharedTransport(openTransport(this.#sealed.for('link')));
    signalling.onEvent((event) => this.#onEvent(event));
    this.#ticking = setInterval(() => this.#room.tick(performance.now()), tickMs);
    this.#room.tick(performance.now());
  }

  get isLeader(): boolean {
    return this.#room.isLeader;
  }

  view(): LiveView {
    return {
      ...this.#room.view(),
      digest: this.#session?.digest,
      assignment: this.#session?.assignment ?? [],
      position: this.#session?.position,
      result: this.#result,
      slot: this.#session instanceof SlotSession ? this.#session.slot : undefined,
      block: this.#block,
      lost: this.#lost,
      signalsRefused: this.#sealed.refused,
      serverRefused: this.#serverRefused.toRecord(),
    };
  }

  /** Proposes the next round; see `Room.propose`. */
  propose(proposal: RoundProposal): void {
    this.#room.propose(proposal);
  }

  /** Starts a round; see `Room.start`. */
  start(): void {
    this.#room.start();
  }

  /** Sets this member's answer to the question on its page; see `Room.setAnswer`. */
  setAnswer(answer: number | undefined): void {
    this.#room.setAnswer(answer);
  }

  /** Starts a slot of Horn; see `Room.startSlot`. */
  startSlot(phaseMs?: number): void {
    this.#room.startSlot(phaseMs);
  }

  /** Sets whether the page is visible; see `Room.setAwake`. */
  setAwake(awake: boolean): void {
    this.#room.setAwake(awake);
  }

  /** Leaves the room. A second call to leave has no effect. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#ticking);
    this.#options.signalling.close();
    await this.#session?.close();
    await this.#transport.close();
  }

  #onEvent(event: SignallingEvent): void {
    if (this.#closed) return;
    const nowMs = performance.now();
    if (event.type === 'came') this.#room.onCame(event.member, event.card, nowMs);
    else if (event.type === 'signal') this.#sealed.onSignal(event.from, event.text);
    else if (event.type === 'announcement') this.#room.onAnnouncement(event.from, event.text, nowMs);
    else if (event.type === 'went') {
      this.#sealed.forget(event.member);
      this.#room.onWent(event.member, nowMs);
    } else if (event.type === 'back') {
      this.#lost = undefined;
      this.#room.onBack(nowMs);
    } else {
      if (event.type === 'lost') this.#lost = event.line;
      else this.#serverRefused.add(event.code);
      this.#options.onChange?.(this);
    }
  }

  #begin(round: RoomRound): void {
    const { identity, kernel, openVerifier, config, protocol, slotAttack, onBegin, onStep, onFailure } = this.#options;
    void this.#session?.close();
    this.#result = undefined;
    this.#block = undefined;
    const isCurrent = (): boolean => this.#session === session && !this.#closed;
    const onProgress = (): void => {
      if (isCurrent()) this.#room.setProgress(session.progress());
    };
    const common = {
      round,
      identity,
      crypto: this.#crypto,
      kernel,
      openVerifier,
      transport: this.#transport,
      onProgress,
      onRefused: (member: string, code: Refusal) => this.#room.onRefused(member, code),
      onInvalid: (member: string) => this.#room.onInvalid(member),
      onFailure: (error: Error) => {
        if (isCurrent()) onFailure?.(error);
      },
    };
    const session: RoomSession | SlotSession =
      round.slot !== undefined
        ? new SlotSession({
            ...common,
            attack: slotAttack,
            onBlock: (block) => {
              if (!isCurrent()) return;
              this.#block = block;
              this.#options.onBlock?.(block);
            },
          })
        : new RoomSession({
            ...common,
            config: { disseminationPeriodMs: periodMs, ...config },
            protocol,
            onResult: (result) => {
              if (!isCurrent()) return;
              this.#result = result;
              this.#options.onResult?.(result);
            },
            onStep: (step) => {
              onProgress();
              onStep?.(step);
            },
          });
    this.#session = session;
    onBegin?.(this.view());
    session.start();
  }
}

function isGenuine(kernel: RegistryVerifier, entry: RegistryEntry): boolean {
  try {
    verifyEntry(entry, 0, kernel);
    return true;
  } catch {
    return false;
  }
}
