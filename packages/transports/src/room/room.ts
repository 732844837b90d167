import { thresholdCount } from '@tutti/core';
import type { RegistryEntry } from '@tutti/core/registry';
import { Counts } from '../counts.ts';
import type { Refusal } from '../refusals.ts';
import { maxMembers } from '../signalling/messages.ts';
import { type Card, decodeCard, type MemberIdentity } from './card.ts';
import {
  type Beat,
  decodeBeat,
  decodeLeaderMessage,
  encodeBeat,
  encodeLeaderMessage,
  isMessage,
  isShare,
  type LeaderMessage,
  type MemberProgress,
  type RoundProposal,
} from './messages.ts';

/** A round that the room has begun: everything that its members agree on. */
export interface RoomRound extends RoundProposal {
  /** 1 for the room's first. */
  readonly number: number;
  /** What its shuffle is drawn by, 32 bytes, hexadecimal. */
  readonly beacon: string;
  /** By name, in ascending order. */
  readonly entries: readonly RegistryEntry[];
  /** How many signatures make a multi-signature. */
  readonly threshold: number;
}

/**
 * How a member is to be shown.
 *
 * `here`: heard lately. `asleep`: its page is hidden, or nothing was heard for a while. `left`: gone, while its round
 * still runs. `refused`: its card does not hold, so that it takes part in nothing.
 */
export type MemberCondition = 'here' | 'asleep' | 'left' | 'refused';

export interface MemberView {
  readonly name: string;
  readonly label: string;
  readonly condition: MemberCondition;
  readonly isSelf: boolean;
  readonly isLeader: boolean;
  /** Is in the round that runs or ran last. */
  readonly inRound: boolean;
  readonly progress: MemberProgress | undefined;
  /** What it did that was refused, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** It sent a contribution that does not verify, so its node is no longer listened to. */
  readonly lied: boolean;
}

/** Everything about a room that a page can show. */
export interface RoomView {
  readonly self: string;
  /** The member who chooses the message and starts; undefined if none of those present may. */
  readonly leader: string | undefined;
  readonly members: readonly MemberView[];
  readonly proposal: RoundProposal;
  readonly round: RoomRound | undefined;
  /** Refusals that belong to no particular member, by code. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface RoomPort {
  /** To all others, in the clear. */
  announce(text: string): void;
  /** To one member, sealed. */
  tell(member: string, text: string): void;
  /** Whether an entry's signatures hold; see `verifyEntry`. */
  isGenuine(entry: RegistryEntry): boolean;
  /** 32 random bytes, hexadecimal. */
  beacon(): string;
  /** A round begins, and this member is in it. */
  begin(round: RoomRound): void;
  /** Something to be shown has changed. */
  changed(): void;
}

export interface RoomOptions {
  readonly self: Pick<MemberIdentity, 'name' | 'card'>;
  readonly port: RoomPort;
  /** What a leader proposes before it says otherwise. */
  readonly proposal?: RoundProposal;
}

/** The rest of a room may sleep without holding it up: phones lock, and tabs are hidden. */
const defaultShare = 0.66;

const defaultProposal: RoundProposal = { message: 'All together: many voices, one signature.', share: defaultShare };
/** A member that has nothing new to tell beats this often. */
const beatMs = 3000;
/** In a round, and multiplied by the members: what all of them announce reaches all of them. */
const progressMsAMember = 25;
const minProgressMs = 250;
/** Three beats missed. */
const silentMs = 10_000;

interface Member {
  readonly name: string;
  /** Undefined when its card does not hold. */
  readonly card: Card | undefined;
  readonly refused: Counts<Refusal>;
  heardMs: number;
  awake: boolean;
  left: boolean;
  lied: boolean;
  progress: MemberProgress | undefined;
}

/**
 * A live room, as one member sees it: who is in it, who is its leader, what is to be signed, and which round runs. The
 * leader is the member that may be, has been there longest and is heard; when it leaves or falls silent, the next is.
 * It owns no clock, no socket and no curve: times are arguments, and the port does the rest.
 *
 * Whom it believes: the sealed messages of the leader, for what to sign with whom; its own check of each card, for who
 * is who. The signalling server's word on who came and went, and the beats, are shown, and decide who may be leader; a
 * server that lies about them can keep members apart or pick the leader among them, and no more.
 */
export class Room {
  readonly #self: string;
  readonly #port: RoomPort;
  /** The longest there first. */
  readonly #members = new Map<string, Member>();
  readonly #refused = new Counts<Refusal>();
  #proposal: RoundProposal;
  #round: RoomRound | undefined;
  /** Of the highest round that this member knows of. */
  #number = 0;
  #awake = true;
  #progress: MemberProgress | undefined;
  #progressTold = true;
  #beatAtMs = Number.NEGATIVE_INFINITY;
  #nowMs = 0;

  constructor({ self, port, proposal = defaultProposal }: RoomOptions) {
    this.#self = self.name;
    this.#port = port;
    this.#proposal = proposal;
  }

  /**
   * Somebody came, or was there before: in the order in which they did, this member too.
   */
  onCame(name: string, card: string, nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#members.get(name)?.left) this.#members.delete(name);
    if (this.#members.has(name) || this.#members.size >= 2 * maxMembers) return;
    const read = decodeCard(card);
    const holds =
      read !== undefined &&
      read.entry.endpoint.host === name &&
      (name === this.#self || this.#port.isGenuine(read.entry));
    if (!holds) this.#refused.add(read === undefined ? 'malformed-card' : 'forged-card');
    this.#members.set(name, {
      name,
      card: holds ? read : undefined,
      refused: new Counts<Refusal>(),
      heardMs: nowMs,
      awake: true,
      left: false,
      lied: false,
      progress: undefined,
    });
    if (this.isLeader && holds) {
      if (name === this.#self) this.#tellAllProposal();
      else this.#tellProposal(name);
    }
    this.#port.changed();
  }

  onWent(name: string, nowMs: number): void {
    this.#nowMs = nowMs;
    const member = this.#members.get(name);
    if (member === undefined || name === this.#self) return;
    const wasLeader = this.isLeader;
    member.left = true;
    if (!this.#isInRound(name)) this.#members.delete(name);
    if (this.isLeader && !wasLeader) this.#tellAllProposal();
    this.#port.changed();
  }

  /**
   * This member has joined again, where the room was begun anew: who is in it comes next, in an order in which everybody
   * has them, this member too.
   */
  onBack(nowMs: number): void {
    this.#nowMs = nowMs;
    for (const [name, member] of this.#members) {
      member.left = true;
      if (!this.#isInRound(name) || name === this.#self) this.#members.delete(name);
    }
    this.#port.changed();
  }

  /** A member announced something, or somebody in its name. */
  onAnnouncement(from: string, text: string, nowMs: number): void {
    this.#nowMs = nowMs;
    const member = this.#members.get(from);
    if (member === undefined || from === this.#self) return;
    const beat = decodeBeat(text);
    if (beat === undefined) {
      member.refused.add('malformed-beat');
      return;
    }
    member.heardMs = nowMs;
    member.awake = beat.awake;
    if (beat.progress !== null) member.progress = beat.progress;
    this.#port.changed();
  }

  /** A member told this one something, sealed, so that it was that member. */
  onTold(from: string, text: string, nowMs: number): void {
    this.#nowMs = nowMs;
    const member = this.#members.get(from);
    if (member?.card === undefined) {
      this.#refused.add('unknown-member');
      return;
    }
    const message = decodeLeaderMessage(text);
    if (message === undefined) member.refused.add('malformed-message');
    else if (from !== this.leader) member.refused.add('not-leader');
    else {
      const { message: text, share } = message;
      this.#proposal = { message: text, share };
      if (message.type === 'start') this.#onStart(member, message);
    }
    this.#port.changed();
  }

  /** Time has passed. To be called a few times a second. */
  tick(nowMs: number): void {
    const silentBefore = this.#silent();
    this.#nowMs = nowMs;
    if (this.#silent() !== silentBefore) this.#port.changed();
    const progressMs = Math.max(minProgressMs, progressMsAMember * this.#members.size);
    const waitMs = this.#progressTold ? beatMs : progressMs;
    if (nowMs - this.#beatAtMs >= waitMs) this.#beat();
  }

  /** Undefined if none of those present may be leader. */
  get leader(): string | undefined {
    for (const member of this.#members.values())
      if (member.card?.mayLead && !member.left && !this.#isSilent(member)) return member.name;
    return undefined;
  }

  get isLeader(): boolean {
    return this.leader === this.#self;
  }

  /**
   * The leader's word on what the next round is about.
   *
   * @throws RangeError when this member is not the leader, or the message or the share is invalid.
   */
  propose(proposal: RoundProposal): void {
    this.#requireLeader();
    if (!isMessage(proposal.message))
      throw new RangeError('message: expected 1 to 200 characters on one line, and no statement of an identity');
    if (!isShare(proposal.share))
      throw new RangeError(`share: expected a number over 0 and at most 1, got ${proposal.share}`);
    this.#proposal = proposal;
    this.#tellAllProposal();
    this.#port.changed();
  }

  /**
   * Starts a round with everybody who is there and was heard lately, hidden pages too: they are slow, not silent. Who
   * is in it is settled from here on.
   *
   * @throws RangeError when this member is not the leader.
   */
  start(): void {
    this.#requireLeader();
    const members = [...this.#members.values()]
      .filter((member) => member.card !== undefined && !member.left && !this.#isSilent(member))
      .map(({ name }) => name)
      .sort();
    const number = this.#number + 1;
    const start: LeaderMessage = { type: 'start', number, members, beacon: this.#port.beacon(), ...this.#proposal };
    const text = encodeLeaderMessage(start);
    for (const name of members) if (name !== this.#self) this.#port.tell(name, text);
    this.#begin(start);
    this.#port.changed();
  }

  /** Whether this member's page is shown. */
  setAwake(awake: boolean): void {
    if (this.#awake === awake) return;
    this.#awake = awake;
    this.#beat();
  }

  /** How far this member's own node is. */
  setProgress(progress: MemberProgress): void {
    this.#progress = progress;
    this.#progressTold = false;
    this.#port.changed();
  }

  /** A member's packet in the round was genuine, and its content refused. */
  onRefused(name: string, code: Refusal): void {
    this.#members.get(name)?.refused.add(code);
  }

  /** A member's contribution does not verify. */
  onLie(name: string): void {
    const member = this.#members.get(name);
    if (member === undefined) return;
    member.lied = true;
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
        condition: this.#condition(member),
        isSelf: member.name === this.#self,
        isLeader: member.name === leader,
        inRound: this.#isInRound(member.name),
        progress: member.name === this.#self ? this.#progress : member.progress,
        refused: member.refused.toRecord(),
        lied: member.lied,
      })),
      proposal: this.#proposal,
      round: this.#round,
      refused: this.#refused.toRecord(),
    };
  }

  #onStart(leader: Member, start: Extract<LeaderMessage, { type: 'start' }>): void {
    if (start.number <= this.#number) leader.refused.add('old-round');
    else if (start.members.some((name) => this.#members.get(name)?.card === undefined))
      leader.refused.add('unknown-member-in-round');
    else if (!start.members.includes(this.#self)) this.#number = start.number;
    else this.#begin(start);
  }

  #begin({ number, message, share, members, beacon }: Extract<LeaderMessage, { type: 'start' }>): void {
    const entries = members.map((name) => this.#members.get(name)!.card!.entry);
    this.#number = number;
    this.#round = { number, message, share, beacon, entries, threshold: thresholdCount(share, entries.length) };
    this.#progress = undefined;
    for (const member of this.#members.values()) {
      member.progress = undefined;
      member.lied = false;
      if (member.left && !members.includes(member.name)) this.#members.delete(member.name);
    }
    this.#port.begin(this.#round);
  }

  #beat(): void {
    const beat: Beat = { awake: this.#awake, progress: this.#progress ?? null };
    this.#beatAtMs = this.#nowMs;
    this.#progressTold = true;
    this.#port.announce(encodeBeat(beat));
  }

  #tellAllProposal(): void {
    for (const { name, card, left } of this.#members.values())
      if (name !== this.#self && card !== undefined && !left) this.#tellProposal(name);
  }

  #tellProposal(name: string): void {
    this.#port.tell(name, encodeLeaderMessage({ type: 'propose', ...this.#proposal }));
  }

  #condition(member: Member): MemberCondition {
    if (member.card === undefined) return 'refused';
    if (member.left) return 'left';
    return member.awake && !this.#isSilent(member) ? 'here' : 'asleep';
  }

  #isSilent({ name, heardMs }: Member): boolean {
    return name !== this.#self && this.#nowMs - heardMs >= silentMs;
  }

  #silent(): number {
    let silent = 0;
    for (const member of this.#members.values()) if (this.#isSilent(member)) silent++;
    return silent;
  }

  #isInRound(name: string): boolean {
    return this.#round?.entries.some(({ endpoint }) => endpoint.host === name) ?? false;
  }

  #requireLeader(): void {
    if (!this.isLeader)
      throw new RangeError(`leader: expected to be it, but it is ${this.leader?.slice(0, 8) ?? 'nobody'}`);
  }
}
