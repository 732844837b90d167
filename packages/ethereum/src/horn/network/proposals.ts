import { expected, requireArray } from '@tutti/core/input';
import { type Bundles, eip8334Bundles } from './gossipsub.ts';
import { type Lateness, onTime } from './lateness.ts';
import type { NetworkScenario } from './scenario.ts';

/** Changes that a proposal makes to a scenario, as data. Several proposals can be combined. */
export interface Proposal {
  readonly title: string;
  /** Sources of the values. It states which values are this project's own. */
  readonly source: string;
  readonly changes: Partial<Pick<NetworkScenario, 'validators' | 'changes' | 'sourceBatches' | 'lateness'>> & {
    readonly bundles?: Bundles;
  };
}

/**
 * Lateness on mainnet, fitted to missed slots of August 2025, in which no node has a block for which to vote
 * (ethresear.ch/t/23016: mean 831 ms, two thirds within 830 ms, p95 1,962 ms after votes were due).
 * `tutti slots arrivals` compares it with other measurements.
 */
const lateOnMainnet: Lateness['late'] = [
  { share: 0.58, fromMs: 0, toMs: 1000 },
  { share: 0.17, fromMs: 1000, toMs: 2000 },
  { share: 0.025, fromMs: 2000, toMs: 3000 },
];

/** Proposals of 2026 by name. Also `late`, the lateness on mainnet. */
export const proposals = {
  gloas: {
    title: 'Votes due at a quarter of the slot, aggregates at a half',
    source: 'consensus-specs@a08d8a6, configs/mainnet.yaml, EIP-7732: 2500 and 5000 basis points',
    changes: { changes: { attestMs: 3000, aggregateMs: 6000 } },
  },
  cap: {
    title: 'At most 131,072 attesters: 32 committees of 128',
    source:
      "EIP-8243 cites the strawmap: 128K. Committees by phase 0's get_committee_count_per_slot; a committee is on every other of the 64 subnets in a slot",
    changes: { validators: 131_072, changes: { subcommittees: 32, subnets: 64 } },
  },
  bundles: {
    title: 'Votes in bundles, by partial messages',
    source:
      'EIP-8334, pull 11905@09b25ff (2026-08-18): every 20 ms, at most 50 votes, 144 bytes and 104 a vote, 8 to tell of one. Ours: votes asked for at a heartbeat come singly, and nobody asks for bytes beyond the ordinary',
    changes: { bundles: eip8334Bundles },
  },
  batches: {
    title: "A node's votes of one committee in one message",
    source:
      'EIP-8243, ethereum/EIPs@f767a1e8 (2026-05-01): 437 bytes and a bit a member, three signatures and two keys a vote; from three votes on it is smaller than they are. Ours: an operator is a node',
    changes: { sourceBatches: 3 },
  },
  dvt: {
    title: "A fifth of the votes by distributed validators, in today's rounds",
    source:
      'ObolNetwork/charon@047dda0, docs/consensus.md: data is fetched when votes are due, rounds of 1 s. Ours: the share, 0.2 to 0.6 s of a round that goes well, and one in ten that takes another',
    changes: {
      lateness: {
        ...onTime,
        late: [
          { share: 0.18, fromMs: 200, toMs: 600 },
          { share: 0.02, fromMs: 1200, toMs: 1600 },
        ],
      },
    },
  },
  late: {
    title: "Votes as late as in mainnet's missed slots",
    source: 'fitted on ethresear.ch/t/23016, August 2025: docs/research/horn/validation.md',
    changes: { lateness: { ...onTime, late: lateOnMainnet } },
  },
} as const satisfies Record<string, Proposal>;
/** Name of a proposal in {@link proposals}. */
export type ProposalName = keyof typeof proposals;
/** Names of all proposals. */
export const proposalNames = Object.keys(proposals) as readonly ProposalName[];

/** Returns the scenario after applying these proposals in order. */
export function withProposals(scenario: NetworkScenario, names: readonly ProposalName[]): NetworkScenario {
  requireArray('names', names);
  let changed = scenario;
  for (const name of names) {
    if (!Object.hasOwn(proposals, name)) throw new RangeError(expected('proposal', proposalNames.join(' or '), name));
    const { changes: system, bundles, validators, ...rest }: Proposal['changes'] = proposals[name].changes;
    changed = {
      ...changed,
      ...rest,
      validators: Math.min(changed.validators, validators ?? changed.validators),
      changes: { ...changed.changes, ...system },
      gossip: bundles === undefined ? changed.gossip : { ...changed.gossip, bundles },
    };
  }
  return changed;
}
