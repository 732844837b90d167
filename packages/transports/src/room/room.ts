import { type RegistryEntry, thresholdCount } from '@tutti/core';
import { Counts, type Refusal } from '../refusals.ts';
import { maxMembers } from '../signalling/messages.ts';
import { decodeCard, type MemberIdentity } from './card.ts';
import {
  decodeHeartbeat,
  decodeLeaderMessage,
  encodeHeartbeat,
  encodeLeaderMessage,
  type Heartbeat,
  isAnswer,
  isMessage,
  isPhaseMs,
  isShare,
  type LeaderMessage,
  type MemberProgress,
  maxAnswers,
  maxMessageCharacters,
  maxPhaseMs,
  minPhaseMs,
  type RoundProposal,
} from './messages.ts';
import { Member, Members, type RoomRound, type RoomView, slotRegistry } from './roomState.ts';

/** Functions that the owner of a room provides. */
interface RoomPort {
  /** Sends an unencrypted text to all other members of the room. */
  announce(text: string): void;
  /** Sends a sealed text to one member. */
  send(member: string, text: string): void;
  /** Returns whether the signatures in an entry are valid; see `verifyEntry`. */
  isGenuine(entry: RegistryEntry): boolean;
  /** Returns 32 random bytes in hexadecimal. */
  beacon(): string;
  /** Called when a round with this member begins. */
  begin(round: RoomRound): void;
  /** Called when something to display has changed. */
  changed(): void;
}

/** Options of a {@link Room}. */
interface RoomOptions {
  readonly self: Pick<MemberIdentity, 'name' | 'card'>;
  readonly port: RoomPort;
  /** Proposal that this member makes when becoming the leader. */
  readonly proposal?: RoundProposal | undefined;
}

/**
 * Default share of the members that a multi-signature requires. The other members of a room may be asleep, because
 * phones lock and tabs are hidden.
 */
const defaultShare = 0.66;

const defaultProposal: RoundProposal = { message: 'All together: many voices, one signature.', share: defaultShare };
/** Interval between two heartbeats of a member without news, ms. */
const heartbeatMs = 3000;
/**
 * Interval between two progress messages of a member in a round, ms per member of the room. The interval grows with the
 * number of members, because every member receives all messages.
 */
const progressMsPerMember = 25;
/** Minimum interval between two progress messages, ms. */
const minProgressMs = 250;

/** Default length of a phase in a slot, without the time added per member, ms. */
const slotPhaseMs = 2000;
/** Time added per member to the default length of a phase, ms. Messages and links take longer in a larger room. */
const phaseMsPerMember = 25;

/**
 * Maximum number of rounds by which the number of a started round may be ahead of the latest known one. Without this
 * limit, a leader that announces the largest possible number would make every later round appear old. A member that has
 * seen no round cannot know the latest number, and therefore accepts any number up to `maxFirstRound`.
 */
const maxRoundsAhead = 2 ** 20;
const maxFirstRound = 2 ** 52;

type Start = Extract<LeaderMessage, { type: 'start' }>;

/**
 * A live room from the viewpoint of one member: the members, the leader, the text to sign, and the current round. The
 * leader is the member that has been present longest, among those that may lead and were heard recently. When the
 * leader leaves or becomes silent, the next such member becomes the leader. The room owns no clock, no socket and no
 * curve: times are passed as arguments, and the port provides everything else.
 *
 * Trust assumptions: the leader's sealed messages determine what is signed and with whom; a member's own check of each
 * card determines identities. The signalling server reports arrivals and departures. These reports and the heartbeats
 * are displayed, and determine who may be leader. A malicious server can keep members apart or choose the leader among
 * them, but nothing more.
 */
export class Room {
  readonly #self: string;
  readonly #ownCard: string;
  readonly #port: RoomPort;
  readonly #members: Members;
  readonly #refused = new Counts<Refusal>();
  #proposal: RoundProposal;
  #round: RoomRound | undefined;
  /** Highest round number that this member knows. */
  #number = 0;
  #awake = true;
  #answer: number | undefined;
  #progress: MemberProgress | undefined;
  #isProgressSent = true;
  #heartbeatAtMs = Number.NEGATIVE_INFINITY;
  /** Whether this member was the leader after the last event. */
  #wasLeader = false;

  /** @throws RangeError for an invalid proposal. */
  constructor({ self, port, proposal = defaultProposal }: RoomOptions) {
    requireProposal(proposal);
    this.#self = self.name;
    this.#ownCard = self.card;
    this.#port = port;
    this.#members = new Members(self.name);
    this.#proposal = proposal;
  }

  /**
   * Handles the arrival of a member; calls are in order of arrival. Members that were already present come first, and
   * this member is included, with its own card whichever card the server reports.
   */
  onCame(name: string, card: string, nowMs: number): void {
    this.#members.nowMs = nowMs;
    if (this.#members.get(name)?.left) this.#members.delete(name);
    if (this.#members.has(name) || this.#members.size >= 2 * maxMembers) return;
    const isSelf = name === this.#self;
    const read = decodeCard(isSelf ? this.#ownCard : card);
    const isGenuine =
      read !== undefined && read.entry.endpoint.host === name && (isSelf || this.#port.isGenuine(read.entry));
    if (!isGenuine) this.#refused.add(read === undefined ? 'malformed-card' : 'forged-card');
    this.#members.set(name, new Member(name, isGenuine ? read : undefined, nowMs));
    if (this.isLeader && this.#wasLeader && isGenuine) this.#sendProposal(name);
    this.#checkLeader();
    this.#port.changed();
  }

  onWent(name: string, nowMs: number): void {
    this.#members.nowMs = nowMs;
    const member = this.#members.get(name);
    if (member === undefined || name === this.#self) return;
    member.left = true;
    if (!this.#isInRound(name)) this.#members.delete(name);
    this.#checkLeader();
    this.#port.changed();
  }

  /**
   * Handles the return of this member to a room that was restarted. The arrivals of the room's members follow, in an
   * order that is common to all members, including this one.
   */
  onBack(nowMs: number): void {
    this.#members.nowMs = nowMs;
    for (const [name, member] of this.#members) {
      member.left = true;
      if (!this.#isInRound(name) || name === this.#self) this.#members.delete(name);
    }
    this.#checkLeader();
    this.#port.changed();
  }

  /** Handles an announcement in a member's name; the announcement may be forged. */
  onAnnouncement(from: string, text: string, nowMs: number): void {
    this.#members.nowMs = nowMs;
    const member = this.#members.get(from);
    if (member === undefined || from === this.#self) return;
    const heartbeat = decodeHeartbeat(text);
    if (heartbeat === undefined) {
      member.refused.add('malformed-heartbeat');
      return;
    }
    member.heardMs = nowMs;
    member.awake = heartbeat.awake;
    member.answer = heartbeat.answer;
    if (heartbeat.progress !== null) member.progress = heartbeat.progress;
    this.#checkLeader();
    this.#port.changed();
  }

  /** Handles a sealed, authenticated message from a member. */
  onLeaderMessage(from: string, text: string, nowMs: number): void {
    this.#members.nowMs = nowMs;
    const member = this.#members.get(from);
    if (member?.card === undefined) {
      this.#refused.add('unknown-member');
      return;
    }
    const message = decodeLeaderMessage(text);
    if (message === undefined) member.refused.add('malformed-message');
    else if (from !== this.leader) member.refused.add('not-leader');
    else {
      this.#proposal = { message: message.message, share: message.share };
      if (message.type === 'start') this.#onStart(member, message);
    }
    this.#port.changed();
  }

  /**
   * Handles the passage of time. Call it a few times per second. Each call checks the validators of at most one member.
   */
  tick(nowMs: number): void {
    const unchecked = [...this.#members.values()].find((member) => member.hasGenuineValidators === undefined);
    if (unchecked !== undefined) this.#hasGenuineValidators(unchecked);
    const silentBefore = this.#members.silent;
    this.#members.nowMs = nowMs;
    if (this.#members.silent !== silentBefore) this.#port.changed();
    this.#checkLeader();
    const progressMs = Math.max(minProgressMs, progressMsPerMember * this.#members.size);
    const waitMs = this.#isProgressSent ? heartbeatMs : progressMs;
    if (nowMs - this.#heartbeatAtMs >= waitMs) this.#sendHeartbeat();
  }

  /** The leader; undefined if no present member may lead. */
  get leader(): string | undefined {
    return this.#members.leader;
  }

  get isLeader(): boolean {
    return this.leader === this.#self;
  }

  /**
   * Sets the leader's proposal for the next round.
   *
   * @throws RangeError if this member is not the leader, or the message or the share is invalid.
   */
  propose(proposal: RoundProposal): void {
    this.#requireLeader();
    requireProposal(proposal);
    this.#proposal = proposal;
    this.#sendProposalToAll();
    this.#port.changed();
  }

  /**
   * Starts a round with all present members that were heard recently. Members with hidden pages are included: they are
   * slow, but not silent. The members of the round are then fixed.
   *
   * @throws RangeError if this member is not the leader.
   */
  start(): void {
    this.#requireLeader();
    this.#startWith(this.#members.present());
  }

  /**
   * Starts a slot of Horn with the members that {@link start} would include in a round, except those with an invalid
   * validator.
   *
   * @param phaseMs length of each of the slot's four phases, ms, 100 to 60,000. A phase must be longer than the
   * differences between the times at which members receive the start message. Default: 2,000 ms plus 25 ms per member.
   * @throws RangeError if this member is not the leader, or for a length out of range.
   */
  startSlot(phaseMs?: number): void {
    this.#requireLeader();
    const members = this.#members.present().filter((member) => this.#hasGenuineValidators(member));
    const length = phaseMs ?? slotPhaseMs + phaseMsPerMember * members.length;
    if (!isPhaseMs(length))
      throw new RangeError(`phaseMs: expected an integer from ${minPhaseMs} to ${maxPhaseMs}, got ${length}`);
    this.#startWith(members, length);
  }

  #startWith(present: readonly Member[], phaseMs?: number): void {
    const members = present.map(({ name }) => name).sort();
    const number = this.#number + 1;
    const start: LeaderMessage = {
      type: 'start',
      number,
      members,
      beacon: this.#port.beacon(),
      ...this.#proposal,
      ...(phaseMs !== undefined && { phaseMs }),
    };
    const text = encodeLeaderMessage(start);
    for (const name of members) if (name !== this.#self) this.#port.send(name, text);
    this.#begin(start);
    this.#port.changed();
  }

  /** Sets whether this member's page is visible. */
  setAwake(awake: boolean): void {
    if (this.#awake === awake) return;
    this.#awake = awake;
    this.#sendHeartbeat();
  }

  /**
   * Sets this member's answer to the question on its page; undefined removes the answer.
   *
   * @throws RangeError for an invalid answer number.
   */
  setAnswer(answer: number | undefined): void {
    if (answer !== undefined && !isAnswer(answer))
      throw new RangeError(`answer: expected an integer from 0 to ${maxAnswers - 1}, got ${answer}`);
    this.#answer = answer;
    this.#sendHeartbeat();
    this.#port.changed();
  }

  /** Sets the progress of this member's own node. */
  setProgress(progress: MemberProgress): void {
    this.#progress = progress;
    this.#isProgressSent = false;
    this.#port.changed();
  }

  /** Handles the rejection of the content of a genuine packet from a member of the round. */
  onRefused(name: string, code: Refusal): void {
    this.#members.get(name)?.refused.add(code);
  }

  /** Handles an invalid contribution from a member. */
  onInvalid(name: string): void {
    const member = this.#members.get(name);
    if (member === undefined) return;
    member.isByzantine = true;
    this.#port.changed();
  }

  view(): RoomView {
    const leader = this.leader;
    return {
      self: this.#self,
      leader,
      members: [...this.#members.values()].map((member) => ({
        name: member.name,
        label: member.card?.label ?? '',
        condition: this.#members.condition(member),
        isSelf: member.name === this.#self,
        isLeader: member.name === leader,
        inRound: this.#isInRound(member.name),
        progress: member.name === this.#self ? this.#progress : member.progress,
        answer: member.name === this.#self ? this.#answer : member.answer,
        refused: member.refused.toRecord(),
        isByzantine: member.isByzantine,
      })),
      proposal: this.#proposal,
      round: this.#round,
      refused: this.#refused.toRecord(),
    };
  }

  #onStart(leader: Member, start: Start): void {
    const maxNumber = this.#number === 0 ? maxFirstRound : this.#number + maxRoundsAhead;
    if (start.number <= this.#number) leader.refused.add('old-round');
    else if (start.number > maxNumber) leader.refused.add('round-too-far');
    else if (!start.members.every((name) => this.#canBeIn(start, this.#members.get(name))))
      leader.refused.add('unknown-member-in-round');
    else if (!start.members.includes(this.#self)) this.#number = start.number;
    else this.#begin(start);
  }

  #begin({ number, message, share, members, beacon, phaseMs }: Start): void {
    const cards = members.map((name) => this.#members.get(name)!.card!);
    const slot = phaseMs === undefined ? undefined : slotRegistry(cards, phaseMs);
    this.#number = number;
    this.#round = {
      number,
      message,
      share,
      beacon,
      entries: cards.map(({ entry }) => entry),
      threshold: thresholdCount(share, slot?.validators.length ?? cards.length),
      ...(slot !== undefined && { slot }),
    };
    this.#progress = undefined;
    for (const member of this.#members.values()) {
      member.progress = undefined;
      member.isByzantine = false;
      if (member.left && !members.includes(member.name)) this.#members.delete(member.name);
    }
    this.#port.begin(this.#round);
  }

  #sendHeartbeat(): void {
    const heartbeat: Heartbeat = { awake: this.#awake, progress: this.#progress ?? null, answer: this.#answer };
    this.#heartbeatAtMs = this.#members.nowMs;
    this.#isProgressSent = true;
    this.#port.announce(encodeHeartbeat(heartbeat));
  }

  /** Sends the proposal to all members if this member has become the leader since the last event. */
  #checkLeader(): void {
    const { isLeader } = this;
    if (isLeader && !this.#wasLeader) this.#sendProposalToAll();
    this.#wasLeader = isLeader;
  }

  #sendProposalToAll(): void {
    for (const { name, card, left } of this.#members.values())
      if (name !== this.#self && card !== undefined && !left) this.#sendProposal(name);
  }

  #sendProposal(name: string): void {
    this.#port.send(name, encodeLeaderMessage({ type: 'propose', ...this.#proposal }));
  }

  #canBeIn({ phaseMs }: Start, member: Member | undefined): boolean {
    return member?.card !== undefined && (phaseMs === undefined || this.#hasGenuineValidators(member));
  }

  /**
   * Returns whether all validators on a member's card are genuine. The first call verifies two signatures per
   * validator.
   */
  #hasGenuineValidators(member: Member): boolean {
    if (member.hasGenuineValidators === undefined) {
      const { validators } = member.card!;
      const isGenuine = member.name === this.#self || validators.every((entry) => this.#port.isGenuine(entry));
      member.hasGenuineValidators = isGenuine;
      if (!isGenuine) member.refused.add('forged-card');
    }
    return member.hasGenuineValidators;
  }

  #isInRound(name: string): boolean {
    return this.#round?.entries.some(({ endpoint }) => endpoint.host === name) ?? false;
  }

  #requireLeader(): void {
    if (!this.isLeader)
      throw new RangeError(`leader: expected this member as leader, got ${this.leader?.slice(0, 8) ?? 'nobody'}`);
  }
}

function requireProposal({ message, share }: RoundProposal): void {
  if (!isMessage(message))
    throw new RangeError(
      `message: expected 1 to ${maxMessageCharacters} characters on one line that are not an identity statement`,
    );
  if (!isShare(share)) throw new RangeError(`share: expected a number greater than 0 and at most 1, got ${share}`);
}
