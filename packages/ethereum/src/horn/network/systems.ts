import type { Inclusion, SlotClock } from '@tutti/core/horn';

/** Path of votes from validators to aggregators: gossip on subnets, or Handel within each committee. */
export type Gathering = 'gossip' | 'handel';

/** A way to collect a slot's votes. Times are in ms since the slot began. */
export interface VotingSystem {
  readonly title: string;
  /** Sources of the values. The text also states which values are this project's own. */
  readonly source: string;
  /** Number of slots in which every validator votes once; 1 if all validators vote in each slot. */
  readonly period: number;
  /** Number of committees that vote in a slot. */
  readonly committees: number;
  /** Number of subcommittees per committee. Each subcommittee has a separate subnet. */
  readonly subcommittees: number;
  /** Number of subnets, if there are more subnets than subcommittees in a slot. */
  readonly subnets?: number;
  /** Expected number of aggregators per subcommittee, self-selected by the hash modulo a number. */
  readonly aggregators: number;
  /**
   * Expected number of collectors per committee, self-selected like aggregators; 0 if aggregates go directly to the
   * global topic.
   */
  readonly collectors: number;
  readonly gathering: Gathering;
  readonly attestMs: number;
  readonly aggregateMs: number;
  /** Time of collections, ms; only for systems with collectors. */
  readonly collectMs: number;
  readonly slotMs: number;
  /** Time at which the next proposer stops verifying and builds its block, ms. */
  readonly blockMs: number;
  /** Maximum number of attestations in a block. */
  readonly attestations: number;
  readonly inclusion: Inclusion;
  readonly wire: 'phase0' | 'electra';
  /** Number of slots in an epoch, whose boundary is finalised; 1 if every block is finalised. */
  readonly epochSlots: number;
  /** Number of consecutive justified checkpoints that finalise the first of them. */
  readonly justifiedInRow: number;
}

const today = {
  period: 32,
  committees: 1,
  subcommittees: 64,
  aggregators: 16,
  collectors: 0,
  gathering: 'gossip',
  attestMs: 4000,
  aggregateMs: 8000,
  collectMs: 0,
  slotMs: 12_000,
  blockMs: 12_000,
  epochSlots: 32,
  justifiedInRow: 2,
} as const;

const everySlot = { ...today, period: 1, committees: 32, epochSlots: 1, wire: 'electra' } as const;

/**
 * Systems by name, on the network of a `NetworkScenario`. The preset `post`, with the assumptions of the post, is not a
 * system of this table.
 */
export const votingSystems = {
  phase0: {
    ...today,
    title: 'Phase 0: 128 attestations a block',
    source:
      'consensus-specs, phase0: up to 64 committees a slot, TARGET_AGGREGATORS_PER_COMMITTEE 16, MAX_ATTESTATIONS 128, votes at 1/3 and aggregates at 2/3 of the slot',
    attestations: 128,
    inclusion: 'one-aggregate',
    wire: 'phase0',
  },
  electra: {
    ...today,
    title: 'Electra: 8 attestations a block, each of all committees',
    source: 'consensus-specs, electra: EIP-7549, MAX_ATTESTATIONS_ELECTRA 8; the rest as in phase 0',
    attestations: 8,
    inclusion: 'one-of-each',
    wire: 'electra',
  },
  strawman: {
    ...everySlot,
    title: 'All vote in every slot, aggregated once',
    source:
      'Horn, "A strawman proposal": 2048 subcommittees. Ours: a block has room for 8 attestations that join one aggregate of each subcommittee, as EIP-7549 has of 64',
    attestations: 8,
    inclusion: 'one-of-each',
  },
  horn: {
    ...everySlot,
    title: 'Horn: collections of committees',
    source:
      'Horn: 16 collectors a committee, 64 collections a block, 10 s more; votes at 4 s, aggregates at 8 s, collections at 12 s',
    collectors: 16,
    collectMs: 12_000,
    slotMs: 22_000,
    blockMs: 22_000,
    attestations: 64,
    inclusion: 'one-aggregate',
  },
  'handel-committees': {
    ...everySlot,
    title: 'Handel within each committee, then its results on the global topic',
    source:
      'Handel v1.03 and Horn joined; ours, nobody has run it. Nodes aggregate their own validators at home and run one Handel for each committee; 16 elected of a committee publish what they have at 8 s; 64 of these a block',
    collectors: 16,
    gathering: 'handel',
    collectMs: 8000,
    attestations: 64,
    inclusion: 'one-aggregate',
  },
} as const satisfies Record<string, VotingSystem>;
/** Name of a system in {@link votingSystems}. */
export type VotingSystemName = keyof typeof votingSystems;
/** Names of all voting systems. */
export const votingSystemNames = Object.keys(votingSystems) as readonly VotingSystemName[];

/** Returns the times at which an honest validator acts, in whole µs since the slot began. */
export function clockOf({ attestMs, aggregateMs, collectMs, blockMs }: VotingSystem): SlotClock {
  return {
    attestUs: Math.round(1000 * attestMs),
    aggregateUs: Math.round(1000 * aggregateMs),
    collectUs: Math.round(1000 * collectMs),
    endUs: Math.round(1000 * blockMs),
  };
}
