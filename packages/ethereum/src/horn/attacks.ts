import type { CollectionRule, MemberSet, SlotClock } from '@tutti/core/horn';
import { expected, requireArray, requireNumber, requireObject } from '@tutti/core/internal';
import { addMember, emptySet, hasMember, sizeOf } from '@tutti/core/internal/horn';
import { griefedAggregate } from './griefing.ts';

/** What one of Eve's aggregators knows when it is time to send, in members of its subcommittee. */
export interface EveKnowledge {
  /** Votes that it has verified, and its own where it cast one. */
  readonly verified: MemberSet;
  /** Eve's live validators in the subcommittee. */
  readonly hers: MemberSet;
  /** The member that the aggregator is. */
  readonly member: number;
  /**
   * Members in the order in which she leaves them out, the same for all of her aggregators. Read no further than
   * needed.
   */
  readonly order: Iterable<number>;
}

/**
 * A way for Eve's validators to behave in a slot. They all relay what they verify, since gossip drops from its meshes
 * those that do not. As aggregators and collectors they send what they like, when they like.
 */
export interface HornAttack {
  /** As `--attack NAME:SHARE` spells it. */
  readonly name: string;
  readonly section: string;
  /** What it is meant to do, one sentence. */
  readonly aim: string;
  /** @param aggregates whether one of hers is an aggregator of the subcommittee. */
  votes(aggregates: boolean): boolean;
  /** The votes that her aggregator puts into its aggregate; none for silence. */
  aggregate(known: EveKnowledge): MemberSet;
  readonly collection: CollectionRule;
  /** Whether an aggregate of hers is better than any other to her collectors, however heavy that is. */
  readonly prefersHers: boolean;
  /** When she acts. */
  clock(clock: SlotClock, collects: boolean): SlotClock;
}

const inTime = (clock: SlotClock): SlotClock => clock;

/** All attacks on a slot. Names shared with Handel's attacks mean the same. */
export const hornAttacks: readonly HornAttack[] = [
  {
    name: 'silent',
    section: 'Horn: Future research',
    aim: 'Neither votes, aggregates nor collects, so that nobody speaks for a subcommittee or a committee whose elected members are all hers.',
    votes: () => false,
    aggregate: ({ hers }) => new Int32Array(hers.length),
    collection: 'nothing',
    prefersHers: false,
    clock: inTime,
  },
  {
    name: 'griefing',
    section: 'Horn: Reward griefing attacks against Horn',
    aim: 'Keeps her votes to herself, and as an aggregator leaves out as many honest votes as she can replace with hers and still be heavier.',
    votes: (aggregates) => !aggregates,
    aggregate: griefed,
    collection: 'best',
    prefersHers: true,
    clock: inTime,
  },
  {
    name: 'worthless',
    section: 'Horn: Verification time for collections',
    aim: 'Has others verify aggregates and collections that are valid and hold a single vote.',
    votes: () => true,
    aggregate({ hers, member }) {
      const alone = new Int32Array(hers.length);
      addMember(alone, member);
      return alone;
    },
    collection: 'own-vote',
    prefersHers: false,
    clock: inTime,
  },
  {
    name: 'late',
    section: 'Horn: Slot time increase',
    aim: 'Sends everything too late to be of use: aggregates when collections are due, collections when the slot ends.',
    votes: () => true,
    aggregate: ({ verified }) => verified,
    collection: 'best',
    prefersHers: false,
    clock: (clock, collects) => ({
      ...clock,
      aggregateUs: collects ? clock.collectUs : clock.endUs,
      collectUs: clock.endUs,
    }),
  },
];

/** Validators of Eve's and what they do. */
export interface HornAttackShare {
  /** One of {@link hornAttacks}. */
  readonly name: string;
  /** Of all validators, in [0, 1). */
  readonly share: number;
}

/**
 * @param taken share of the validators that cannot be hers, since they are dead.
 * @throws RangeError naming what is wrong.
 */
export function validateHornAttacks(attacks: readonly HornAttackShare[], taken: number): void {
  requireArray('attacks', attacks);
  let sum = taken;
  for (const attack of attacks) {
    requireObject('attacks', attack);
    const { name, share } = attack;
    if (hornAttackNamed(name) === undefined) {
      throw new RangeError(expected('attacks', hornAttacks.map((one) => one.name).join(' or '), name));
    }
    requireNumber(`share of ${name}`, share, 0, 1);
    sum += share;
  }
  if (sum >= 1) throw new RangeError(expected('dead and Byzantine shares together', 'under 1', sum));
}

export function hornAttackNamed(name: string): HornAttack | undefined {
  return hornAttacks.find((attack) => attack.name === name);
}

/**
 * The heaviest aggregate that her votes allow with as few honest ones as possible. When hers is due she has not heard
 * the others' yet, so she assumes that they have the votes that she has verified.
 */
function griefed({ verified, hers, order }: EveKnowledge): MemberSet {
  const set = emptySet(32 * verified.length);
  verified.forEach((word, index) => {
    set[index] = word | hers[index]!;
  });
  const eveVotes = sizeOf(hers);
  let { censored } = griefedAggregate(sizeOf(set) - eveVotes, eveVotes);
  if (censored === 0) return set;
  for (const member of order) {
    if (!hasMember(set, member) || hasMember(hers, member)) continue;
    set[member >>> 5]! &= ~(1 << (member & 31));
    censored--;
    if (censored === 0) break;
  }
  return set;
}
