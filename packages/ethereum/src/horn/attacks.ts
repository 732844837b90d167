import {
  addMember,
  type CollectionRule,
  type Election,
  electionModulus,
  hasMember,
  type MemberSet,
  removeMember,
  type SlotClock,
  sizeOf,
  union,
} from '@tutti/core/horn';
import { expected, requireArray, requireInteger, requireNumber, requireObject } from '@tutti/core/input';
import { binomial } from '../statistics.ts';

/** Knowledge that a Byzantine aggregator has when it sends, as members of its subcommittee. */
export interface EveKnowledge {
  /** Votes that the aggregator has verified, including its own if it cast one. */
  readonly verified: MemberSet;
  /** Live Byzantine validators in the subcommittee. */
  readonly hers: MemberSet;
  /** Member number of the aggregator. */
  readonly member: number;
  /**
   * Members in the order in which all of the attacker's aggregators leave them out. The iterable is read only as far as
   * necessary.
   */
  readonly order: Iterable<number>;
}

/**
 * A behaviour of Byzantine validators in a slot. All Byzantine validators relay the messages that they verify, because
 * gossip removes nodes that do not relay from its meshes. As aggregators and collectors they may send any content at
 * any time.
 */
export interface HornAttack {
  /** Name for `--attack NAME:SHARE`. */
  readonly name: string;
  /** Section of the post that concerns the attack. */
  readonly section: string;
  /** Aim of the attack, in one sentence. */
  readonly aim: string;
  /** Returns whether the attacker votes in a subcommittee. @param aggregates whether it has an aggregator there. */
  votes(aggregates: boolean): boolean;
  /** Returns the votes in an aggregate by the attacker. An empty set stands for no message. */
  aggregate(known: EveKnowledge): MemberSet;
  readonly collection: CollectionRule;
  /** Whether the attacker's collectors prefer the attacker's aggregates to all others, whatever their weights. */
  readonly prefersHers: boolean;
  /** Returns the times at which the attacker acts. */
  clock(clock: SlotClock, collects: boolean): SlotClock;
}

const inTime = (clock: SlotClock): SlotClock => clock;

/** All attacks on a slot. Names shared with Handel's attacks have the same meaning. */
export const hornAttacks: readonly HornAttack[] = [
  {
    name: 'silent',
    section: 'Horn: Future research',
    aim: 'Does not vote, aggregate or collect, so that the votes of a subcommittee or a committee whose elected members are all hers are lost.',
    votes: () => false,
    aggregate: ({ hers }) => new Int32Array(hers.length),
    collection: 'nothing',
    prefersHers: false,
    clock: inTime,
  },
  {
    name: 'griefing',
    section: 'Horn: Reward griefing attacks against Horn',
    aim: 'Does not publish her votes. As an aggregator, she omits as many honest votes as possible while her own votes keep her aggregate heavier than the honest ones.',
    votes: (aggregates) => !aggregates,
    aggregate: griefed,
    collection: 'best',
    prefersHers: true,
    clock: inTime,
  },
  {
    name: 'worthless',
    section: 'Horn: Verification time for collections',
    aim: 'Makes others verify valid aggregates and collections that contain only a single vote.',
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
    aim: 'Sends everything too late: aggregates when collections are due, and collections when the slot ends.',
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

/** A share of Byzantine validators, and their attack. */
export interface HornAttackShare {
  /** Name of the attack, one of {@link hornAttacks}. */
  readonly name: string;
  /** Share of all validators. Range [0, 1). */
  readonly share: number;
}

/** Maximum number of entries in a list of attacks, because the index of a validator's attack is an 8-bit integer. */
const maxAttacks = 64;

/** Checks attacks. @param taken share of dead validators, which cannot be Byzantine. @throws RangeError. */
export function validateHornAttacks(attacks: readonly HornAttackShare[], taken: number): void {
  requireArray('attacks', attacks);
  requireInteger('number of attacks', attacks.length, 0, maxAttacks);
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
  if (sum > 1 - 1e-9) throw new RangeError(expected('dead and Byzantine shares together', 'under 1', sum));
}

/** Returns the attack with this name, or undefined if there is none. */
export function hornAttackNamed(name: string): HornAttack | undefined {
  return hornAttacks.find((attack) => attack.name === name);
}

/**
 * Returns the aggregate of {@link griefedAggregate}: all votes of the attacker, and the verified honest votes except
 * those that the attacker leaves out. The attacker has not received the other aggregates yet, and assumes that they
 * contain all honest votes that the attacker has verified.
 */
function griefed({ verified, hers, order }: EveKnowledge): MemberSet {
  const set = union([verified, hers], 32 * verified.length);
  const eveVotes = sizeOf(hers);
  let { censored } = griefedAggregate(sizeOf(set) - eveVotes, eveVotes);
  if (censored === 0) return set;
  for (const member of order) {
    if (!hasMember(set, member) || hasMember(hers, member)) continue;
    removeMember(set, member);
    censored--;
    if (censored === 0) break;
  }
  return set;
}

/**
 * Returns the weight of the attacker's aggregate and the number of honest votes that the attacker leaves out (Horn:
 * "Reward griefing attacks against Horn"). The attacker adds its own votes to the best honest aggregate, and leaves out
 * as many honest votes as possible while its aggregate remains heavier by at least one vote. An attacker with a single
 * vote replaces no honest vote.
 *
 * @param honestVotes number of votes in the best aggregate of the other aggregators. @param eveVotes number of the
 * attacker's own votes, none of which is in that aggregate; at least 1.
 */
export function griefedAggregate(honestVotes: number, eveVotes: number): { weight: number; censored: number } {
  const censored = Math.min(eveVotes - 1, honestVotes);
  return { weight: honestVotes - censored + eveVotes, censored };
}

/** Expected effect of the attack in one subcommittee and slot. */
interface GriefingLoss {
  /** Probability that at least one Byzantine member is an aggregator. */
  readonly elected: number;
  /** Number of honest votes left out. */
  readonly censored: number;
  /** Share of the honest votes left out. */
  readonly lostShare: number;
}

/**
 * Returns the losses if all honest votes reach an honest aggregator and collectors forward the heaviest aggregate.
 * Every honest voter of the subcommittee loses the same on average, and the attacker loses nothing.
 *
 * @param eveShare share of all validators that are Byzantine. Range [0, 1). The number of Byzantine validators in a
 * subcommittee is random.
 */
export function griefingLoss(election: Election, eveShare: number): GriefingLoss {
  const { members } = election;
  const notElected = 1 - 1 / electionModulus(election);
  let elected = 0;
  let censored = 0;
  binomial(members, eveShare).forEach((probability, eveVotes) => {
    if (eveVotes === 0) return;
    const attacks = probability * (1 - notElected ** eveVotes);
    elected += attacks;
    censored += attacks * griefedAggregate(members - eveVotes, eveVotes).censored;
  });
  return { elected, censored, lostShare: censored / (members * (1 - eveShare)) };
}
