import { requireObject } from '../arguments.ts';
import { expected, requireInteger } from '../errors.ts';
import { defaultsOf, integers, requireAllIn, type SettingsOf, seconds } from '../setting.ts';

/** Parameters that determine Horn's costs. Lengths are in bytes on the wire. */
export interface HornParameters {
  readonly validators: number;
  /**
   * Number of committees. In Horn, all committees vote in every slot; in the status quo, only one committee votes per
   * slot.
   */
  readonly committees: number;
  /** Number of subcommittees per committee. */
  readonly subcommittees: number;
  /** Expected number of aggregators per subcommittee. */
  readonly aggregators: number;
  /** Expected number of collectors per committee. */
  readonly collectors: number;
  /** Current length of a slot, s. */
  readonly slotSeconds: number;
  /** Current number of communication rounds in a slot. */
  readonly rounds: number;
  /** Time that Horn adds to the slot, s. */
  readonly addedSeconds: number;
  /** Time in which the collections of a slot propagate on the global topic, s. */
  readonly collectionSeconds: number;
  /** Length of a compressed BLS signature in G2, bytes. */
  readonly signatureBytes: number;
  /** Length of a compressed BLS public key in G1, bytes. */
  readonly publicKeyBytes: number;
  /** Length of a scalar of the curve's group, bytes. */
  readonly scalarBytes: number;
  readonly attestationDataBytes: number;
  /** Maximum number of attestations in a block without collections. */
  readonly blockAttestations: number;
  /** Number of subcommittees of one committee whose equal votes one attestation combines. */
  readonly attestationSubcommittees: number;
  /** Maximum number of collections in a Horn block. */
  readonly blockCollections: number;
  /** Number of bits of one validator's multiplicity, for merged overlapping aggregates. */
  readonly multiplicityBits: number;
}

/** Range of lengths in bytes. */
const lengths = integers(1, 65_536);
/** Range of the number of items in a block, and of the number of subcommittees in an attestation. */
const blockCounts = integers(1, 65_536);
/** Range of the number of committees, subcommittees or elected validators. */
const counts = integers(1, 2 ** 20);

/**
 * The post's value, the range and a description of each parameter. A separate check covers sizes that depend on each
 * other.
 */
export const hornSettings: SettingsOf<HornParameters> = {
  validators: { default: 2 ** 20, range: integers(1, 2 ** 24), about: 'validators' },
  committees: { default: 32, range: counts, about: 'committees' },
  subcommittees: { default: 64, range: counts, about: 'subcommittees in a committee' },
  aggregators: { default: 16, range: counts, about: 'expected number of aggregators per subcommittee' },
  collectors: { default: 16, range: counts, about: 'expected number of collectors per committee' },
  slotSeconds: { default: 12, range: seconds(0.001, 86_400), about: 'current slot length, seconds' },
  rounds: { default: 3, range: integers(1, 64), about: 'current number of rounds per slot' },
  addedSeconds: { default: 10, range: seconds(0, 86_400), about: 'seconds that Horn adds to the slot' },
  collectionSeconds: {
    default: 10,
    range: seconds(0.001, 86_400),
    about: 'time for collections to spread over the global topic',
  },
  signatureBytes: { default: 96, range: lengths, about: 'length of a signature' },
  publicKeyBytes: { default: 48, range: lengths, about: 'length of a public key' },
  scalarBytes: { default: 32, range: lengths, about: 'length of a scalar' },
  attestationDataBytes: { default: 128, range: lengths, about: "length of an attestation's data" },
  blockAttestations: { default: 128, range: blockCounts, about: 'attestations in a block without collections' },
  attestationSubcommittees: { default: 1, range: blockCounts, about: 'subcommittees that one attestation combines' },
  blockCollections: { default: 64, range: blockCounts, about: 'collections in a block' },
  multiplicityBits: { default: 4, range: integers(1, 16), about: 'bits of a multiplicity' },
};

/** The parameters of the post. */
export const defaultHornParameters: HornParameters = defaultsOf(hornSettings);

/**
 * Differences from the post's values. `post`: no differences; blocks are those before Electra. `electra`: a block has 8
 * attestations, each of which combines the votes of up to 64 committees of a slot, which correspond to the post's
 * subcommittees (EIP-7549; consensus-specs, electra/beacon-chain.md, MAX_ATTESTATIONS_ELECTRA and
 * MAX_COMMITTEES_PER_SLOT).
 */
export const hornPresets = {
  post: {},
  electra: { blockAttestations: 8, attestationSubcommittees: 64 },
} as const satisfies Record<string, Partial<HornParameters>>;
/** Name of a preset in {@link hornPresets}. */
export type HornPreset = keyof typeof hornPresets;

/** Sizes of the committees and subcommittees. */
export interface HornSizes {
  /** Number of validators per committee. */
  readonly committee: number;
  /** Number of validators per subcommittee. */
  readonly subcommittee: number;
  /** Total number of subcommittees of all committees. */
  readonly allSubcommittees: number;
}

/** Returns the sizes that follow from the numbers of validators, committees and subcommittees. */
export function hornSizes(parameters: HornParameters): HornSizes {
  requireObject('parameters', parameters);
  const { validators, committees, subcommittees } = parameters;
  return {
    committee: validators / committees,
    subcommittee: validators / committees / subcommittees,
    allSubcommittees: committees * subcommittees,
  };
}

/**
 * Checks the ranges of all parameters, and the sizes that depend on each other.
 *
 * @throws RangeError that names the parameter, the expected range and the actual value.
 */
export function validateHornParameters(parameters: HornParameters): void {
  requireObject('parameters', parameters);
  const { validators, committees, subcommittees } = parameters;
  requireAllIn(parameters, hornSettings);
  if (validators % (committees * subcommittees) !== 0) {
    const what = `a multiple of committees x subcommittees, ${committees} x ${subcommittees}`;
    throw new RangeError(expected('validators', what, validators));
  }
  const { committee, subcommittee } = hornSizes(parameters);
  requireInteger('aggregators', parameters.aggregators, 1, subcommittee);
  requireInteger('collectors', parameters.collectors, 1, committee);
}

/**
 * Systems, which differ in the senders on the global topic: aggregators of one committee's subcommittees (today),
 * aggregators of all committees' subcommittees, or Horn's collectors.
 */
export const hornSystems = ['status-quo', 'strawman', 'horn'] as const;
/** Name of one of the {@link hornSystems}. */
export type HornSystem = (typeof hornSystems)[number];

/** Load that one slot puts on a topic. Each message counts once, however often it is forwarded. */
export interface TopicLoad {
  readonly messages: number;
  /** Length of the bitfield in one message, bytes. */
  readonly bitfieldBytes: number;
  /** Total length of all messages, bytes. */
  readonly bytes: number;
}

/**
 * Returns the load of the global topic, to which every full node subscribes (Horn: "A strawman proposal",
 * "Collectors").
 *
 * @param signatures number of signatures counted per message: the aggregate signature, the sender's own signature, both
 * or neither. The post counts two signatures for the strawman and none for Horn.
 */
export function globalTopicLoad(system: HornSystem, parameters: HornParameters, signatures: 0 | 1 | 2): TopicLoad {
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  const bitfieldBytes = Math.ceil((system === 'horn' ? committee : subcommittee) / 8);
  const messages = {
    'status-quo': parameters.subcommittees * parameters.aggregators,
    strawman: allSubcommittees * parameters.aggregators,
    horn: parameters.committees * parameters.collectors,
  }[system];
  return { messages, bitfieldBytes, bytes: messages * (bitfieldBytes + signatures * parameters.signatureBytes) };
}

/** Lengths of a slot in seconds (Horn: "Slot time increase"). */
export interface SlotTimes {
  /** Current length of one communication round, s. */
  readonly roundSeconds: number;
  /** Length of a slot with one additional round of this length, s. */
  readonly minSeconds: number;
  /** Length of a slot in Horn's proposal, s. */
  readonly hornSeconds: number;
}

/** Returns the lengths of a slot (Horn: "Slot time increase"). */
export function slotTimes(parameters: HornParameters): SlotTimes {
  requireObject('parameters', parameters);
  const { slotSeconds, rounds, addedSeconds } = parameters;
  const roundSeconds = slotSeconds / rounds;
  return { roundSeconds, minSeconds: slotSeconds + roundSeconds, hornSeconds: slotSeconds + addedSeconds };
}

/** Times of a validator's actions, in microseconds since the start of the slot on the validator's own clock. */
export interface SlotClock {
  /** Time at which the validator votes. */
  readonly attestUs: number;
  /** Time at which the validator sends its aggregate. */
  readonly aggregateUs: number;
  /** Time at which the validator sends its collection, for Horn only. */
  readonly collectUs: number;
  /** Time of the next block. The proposer of the next block includes only votes that it has verified by this time. */
  readonly endUs: number;
}

/** Time value for an event that does not occur, µs. The value is later than the end of any simulated slot. */
export const neverUs = 2 ** 31 - 1;

/**
 * Returns the times of a slot. Rounds keep their current length: validators vote after one round, aggregate after two
 * rounds and, in Horn, collect after three rounds. Collections propagate on the global topic for the rest of the longer
 * slot (Horn: "Slot time increase").
 */
export function slotClock(system: HornSystem, parameters: HornParameters): SlotClock {
  const { roundSeconds, hornSeconds } = slotTimes(parameters);
  const us = (seconds: number): number => Math.round(seconds * 1e6);
  return {
    attestUs: us(roundSeconds),
    aggregateUs: us(2 * roundSeconds),
    collectUs: us(3 * roundSeconds),
    endUs: us(system === 'horn' ? hornSeconds : parameters.slotSeconds),
  };
}
