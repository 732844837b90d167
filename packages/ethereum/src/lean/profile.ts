import {
  expected,
  factors,
  integers,
  type Range,
  requireIn,
  requireKnownFields,
  requireObject,
  requireText,
} from '@tutti/core/input';
import profiles from './profiles.json' with { type: 'json' };

/** Constants of a chain, which change monthly and are therefore read from a file. Times are ms since the slot began. */
export interface LeanProfile {
  readonly name: string;
  /** Source of the numbers. The text also states which values are this project's own. */
  readonly source: string;
  readonly validators: number;
  readonly subnets: number;
  readonly times: LeanTimes;
  readonly limits: LeanLimits;
  /** Sizes of votes. */
  readonly votes: {
    /** Size of a signed vote on its subnet, bytes. */
    readonly bytes: number;
    /** Size of a vote's attestation data, bytes. */
    readonly dataBytes: number;
  };
  /** Name of the circuit whose costs the prover has. Proofs of another circuit have other costs. */
  readonly circuit: string;
  /** Number of physical cores of an aggregating machine. */
  readonly cores: number;
  readonly prover: ProverCosts;
  readonly proof: ProofSizes;
  readonly verifier: LeanVerifierCosts;
  readonly block: BlockCosts;
}

/** Times of a profile, ms. Points in time count from the start of the slot. */
export interface LeanTimes {
  readonly slotMs: number;
  readonly intervalMs: number;
  /** Time at which validators attest. */
  readonly attestMs: number;
  /** Latest time until which validators wait for the slot's block. */
  readonly latestAttestMs: number;
  /** Time at which aggregators begin. */
  readonly aggregateMs: number;
  /** Earliest time at which aggregators may begin if two thirds of the votes have arrived. */
  readonly earlyMs: number;
  /** Time since its start after which a session of ethlambda's August version begins no more jobs. */
  readonly sessionMs: number;
  readonly safeTargetMs: number;
  /** Time at which pending proofs become known. */
  readonly knownMs: number;
}

/** Limits set by the chain or its clients. */
export interface LeanLimits {
  /** Maximum number of distinct attestation data in a block. */
  readonly blockMessages: number;
  /** Maximum number of distinct attestation data of one slot in a block. leanVM of September proves one per slot. */
  readonly messagesPerSlot: number;
  /** Maximum number of children of a proof in the prover. */
  readonly proverChildren: number;
  /** Maximum number of children of a proof in clients with a lower limit than the prover. */
  readonly clientChildren: number;
  /** Maximum number of blocks that the target lies behind the head. */
  readonly targetLookback: number;
}

/** Maximum of each number of a profile that has no range of its own: 1,000 s, 1 MB or about 1 GiB. */
const maxNumber = 1_000_000;
const fromZero = factors(0, maxNumber);
const fromOne = factors(1, maxNumber);
const positive = factors(0.001, maxNumber);
const count = integers(1, maxNumber);

const groups: Readonly<Record<string, Readonly<Record<string, Range<number>>>>> = {
  times: {
    slotMs: fromOne,
    intervalMs: fromOne,
    attestMs: fromZero,
    latestAttestMs: fromZero,
    aggregateMs: fromZero,
    earlyMs: fromZero,
    sessionMs: fromZero,
    safeTargetMs: fromZero,
    knownMs: fromZero,
  },
  limits: {
    blockMessages: count,
    messagesPerSlot: count,
    proverChildren: integers(2, maxNumber),
    clientChildren: count,
    targetLookback: count,
  },
  votes: { bytes: count, dataBytes: count },
  prover: {
    perVoteMs: fromZero,
    perVoteCoreMs: fromZero,
    perChildMs: fromZero,
    perChildCoreMs: fromZero,
    mergeInChildren: fromZero,
    fixedMs: fromZero,
    floorMs: fromZero,
  },
  proof: { leafKiB: fromZero, perVoteKiB: fromZero, mergedKiB: fromZero, perChildKiB: fromZero, maxKiB: positive },
  verifier: { proofMs: fromZero, whileProving: fromOne, voteMs: fromZero },
  block: { fixedMs: fromZero, perMessageMs: fromZero },
};
const texts = ['name', 'source', 'circuit'];
/** Ranges of the integers in a profile. */
export const profileCounts = { validators: integers(1, 4096), subnets: integers(1, 1024), cores: integers(1, 1024) };

/**
 * Reads a profile from the content of a file.
 *
 * @throws RangeError or TypeError with a message of one line that names the field, its range and the value.
 */
export function readProfile(value: unknown): LeanProfile {
  requireKnownFields('profile', value, [...texts, ...Object.keys(profileCounts), ...Object.keys(groups)]);
  const profile = value as Record<string, unknown>;
  for (const name of texts) requireText(name, profile[name]);
  for (const [name, range] of Object.entries(profileCounts)) requireIn(name, profile[name], range);
  for (const [group, fields] of Object.entries(groups)) {
    requireObject(group, profile[group], `an object with ${Object.keys(fields).join(', ')}`);
    requireKnownFields(group, profile[group], Object.keys(fields));
    const values = profile[group] as Record<string, unknown>;
    for (const [field, range] of Object.entries(fields)) requireIn(`${group}.${field}`, values[field], range);
  }
  const read = value as LeanProfile;
  requireOrder(read);
  return read;
}

/** Checks conditions that involve several fields. */
function requireOrder({ subnets, validators, times }: LeanProfile): void {
  if (subnets > validators) throw new RangeError(expected('subnets', `at most validators, ${validators}`, subnets));
  const order = ['attestMs', 'earlyMs', 'aggregateMs', 'safeTargetMs', 'knownMs', 'slotMs'] as const;
  const pairs = order.slice(1).map((after, place) => [order[place]!, after] as const);
  for (const [before, after] of [['attestMs', 'latestAttestMs'] as const, ...pairs]) {
    if (times[after] < times[before]) {
      throw new RangeError(expected(`times.${after}`, `at least times.${before}, ${times[before]}`, times[after]));
    }
  }
}

/**
 * The built-in profiles by name. The profiles are data in the format of a profile file: `tutti lean profile NAME`
 * prints a profile, which can be changed and passed with --profile.
 *
 * The prover's fit to leanBench (June 2026, Xeon 8581C; results 13-25-10Z, 13-26-29Z, 12-01-22Z) is this project's own.
 * A merge costs 0.2 children in addition to its actual children: a fit without that term is 12 % off at eight children.
 */
export const leanProfiles: Readonly<Record<string, LeanProfile>> = profiles;

/** Names of all built-in profiles. */
export const leanProfileNames = Object.keys(leanProfiles);

/**
 * Costs of a prover's machine: parameters of a fit to measurements, for a named circuit and machine. Each cost has a
 * constant part, and a part that is divided by the number of cores.
 */
export interface ProverCosts {
  /** Constant part of the cost of a raw vote, ms. */
  readonly perVoteMs: number;
  /** Part of the cost of a raw vote that is divided by the cores, ms. */
  readonly perVoteCoreMs: number;
  /** Constant part of the cost of a merged proof per child, ms. */
  readonly perChildMs: number;
  /** Part of the cost of a merged proof per child that is divided by the cores, ms. */
  readonly perChildCoreMs: number;
  /** Cost of a merge in addition to its children, as a number of children. */
  readonly mergeInChildren: number;
  /** Cost of every proof in addition to its parts, ms. */
  readonly fixedMs: number;
  /** Minimum time of a proof, ms. */
  readonly floorMs: number;
}

/** Sizes of proofs. A proof with children is at least as large as a proof of its raw votes. */
export interface ProofSizes {
  /** Fixed size of a proof of raw votes only, KiB. */
  readonly leafKiB: number;
  /** Additional size of a proof of raw votes per vote, KiB. */
  readonly perVoteKiB: number;
  /** Fixed size of a merged proof, KiB. */
  readonly mergedKiB: number;
  /** Additional size of a merged proof per child, KiB. */
  readonly perChildKiB: number;
  /** Maximum size that the chain accepts, KiB. */
  readonly maxKiB: number;
}

/** Verification costs of one node. */
export interface LeanVerifierCosts {
  /** Time to verify a proof, ms. */
  readonly proofMs: number;
  /** Factor on the time to verify a proof while the node proves. */
  readonly whileProving: number;
  /** Time to verify a raw vote, ms. */
  readonly voteMs: number;
}

/** Cost of merging a block's messages, including the proposer's: a fixed part and a part per message, ms. */
export interface BlockCosts {
  readonly fixedMs: number;
  readonly perMessageMs: number;
}

/**
 * Returns the time of a prover for one proof, ms. The function assumes, without a measurement, that the times of votes
 * and children add up.
 */
export function proveMs(costs: ProverCosts, votes: number, children: number, cores: number): number {
  const vote = costs.perVoteMs + costs.perVoteCoreMs / cores;
  const child = costs.perChildMs + costs.perChildCoreMs / cores;
  const merged = children === 0 ? 0 : children + costs.mergeInChildren;
  return Math.max(costs.floorMs, costs.fixedMs + votes * vote + merged * child);
}

/** Returns the time to merge proofs of one message into one proof with as few merges as possible, ms. */
export function messageMergeMs({ prover, cores, limits }: LeanProfile, proofs: number): number {
  let left = proofs;
  let ms = 0;
  while (left > 1) {
    const children = Math.min(left, limits.proverChildren);
    ms += proveMs(prover, 0, children, cores);
    left -= children - 1;
  }
  return ms;
}

/** Returns the size of a proof, bytes. */
export function proofBytes(sizes: ProofSizes, votes: number, children: number): number {
  const leaf = sizes.leafKiB + sizes.perVoteKiB * votes;
  const merged = children === 0 ? 0 : sizes.mergedKiB + sizes.perChildKiB * children;
  return Math.round(1024 * Math.min(sizes.maxKiB, Math.max(leaf, merged)));
}

/**
 * Returns the time to merge a block's messages, ms.
 *
 * @param messages number of distinct messages in the block, including the proposer's own.
 */
export function blockMergeMs(costs: BlockCosts, messages: number): number {
  return costs.fixedMs + messages * costs.perMessageMs;
}
