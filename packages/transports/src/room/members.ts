import { Counts } from '../counts.ts';
import type { Refusal } from '../refusals.ts';
import type { Card } from './card.ts';
import type { MemberProgress } from './messages.ts';
import type { MemberCondition } from './roomView.ts';

/** Time after which a member counts as silent, ms: three missed heartbeats. */
const silentMs = 10_000;

/** A member of a room, as another member knows it. */
export class Member {
  readonly name: string;
  /** Card of the member; undefined if it is invalid. */
  readonly card: Card | undefined;
  readonly refused = new Counts<Refusal>();
  heardMs: number;
  awake = true;
  left = false;
  lied = false;
  progress: MemberProgress | undefined;
  answer: number | undefined;
  /** Whether all validators of the card are genuine; undefined before the check. */
  validates: boolean | undefined;

  constructor(name: string, card: Card | undefined, nowMs: number) {
    this.name = name;
    this.card = card;
    this.heardMs = nowMs;
    this.validates = card === undefined ? false : undefined;
  }
}

/** Members of a room, in order of arrival, and what follows from the times at which they were heard. */
export class Members extends Map<string, Member> {
  readonly #self: string;
  /** Time of the last event, ms. */
  nowMs = 0;

  /** @param self name of this member, which is never silent. */
  constructor(self: string) {
    super();
    this.#self = self;
  }

  /** The leader: the first member that may lead, is present and is not silent. */
  get leader(): string | undefined {
    for (const member of this.values()) if (member.card?.mayLead && this.#isPresent(member)) return member.name;
    return undefined;
  }

  /** Number of silent members. */
  get silent(): number {
    return [...this.values()].filter((member) => this.#isSilent(member)).length;
  }

  /** Returns the members that the next round would have. */
  present(): Member[] {
    return [...this.values()].filter((member) => this.#isPresent(member));
  }

  /** Returns the state of a member for display. */
  condition(member: Member): MemberCondition {
    if (member.card === undefined) return 'refused';
    if (member.left) return 'left';
    return member.awake && !this.#isSilent(member) ? 'here' : 'asleep';
  }

  #isPresent(member: Member): boolean {
    return member.card !== undefined && !member.left && !this.#isSilent(member);
  }

  #isSilent({ name, heardMs }: Member): boolean {
    return name !== this.#self && this.nowMs - heardMs >= silentMs;
  }
}
