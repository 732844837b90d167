import { expected, requireInteger, requireObject } from '../errors.ts';
import { defaultsOf, integers, requireAllIn, type SettingsOf, seconds } from '../setting.ts';

/** What Horn's costs follow from. Counts of one slot; lengths in bytes as they go over the wire; times in seconds. */
export interface HornParameters {
  readonly validators: number;
  /** Committees, all of which vote in every slot; the status quo lets one of them vote. */
  readonly committees: number;
  /** Subcommittees of one committee. */
  readonly subcommittees: number;
  /** Expected aggregators of one subcommittee. */
  readonly aggregators: number;
  /** Expected collectors of one committee. */
  readonly collectors: number;
  /** Length of a slot today. */
  readonly slotSeconds: number;
  /** Rounds of communication that a slot is divided into today. */
  readonly rounds: number;
  /** What Horn adds to the slot. */
  readonly addedSeconds: number;
  /** Time in which the collections of a slot cross the global topic. */
  readonly collectionSeconds: number;
  /** A BLS signature: compressed G2. */
  readonly signatureBytes: number;
  /** A BLS public key: compressed G1. */
  readonly publicKeyBytes: number;
  /** A scalar of the curve's group. */
  readonly scalarBytes: number;
  readonly attestationDataBytes: number;
  /** Attestations that a block without collections holds at most. */
  readonly blockAttestations: number;
  /** Subcommittees of one committee whose votes for the same are joined in one of these. */
  readonly attestationSubcommittees: number;
  /** Collections that a block of Horn's holds. */
  readonly blockCollections: number;
  /** Bits of one validator's multiplicity where overlapping aggregates are merged. */
  readonly multiplicityBits: number;
}

/** Of bytes, and of what a block holds. */
const lengths = integers(1, 65_536);
const counts = integers(1, 2 ** 20);

/** Each parameter: the post's value, its range and what it is. Sizes that have to fit together are checked together. */
export const hornSettings: SettingsOf<HornParameters> = {
  validators: { default: 2 ** 20, range: integers(1, 2 ** 24), about: 'validators' },
  committees: { default: 32, range: counts, about: 'committees' },
  subcommittees: { default: 64, range: counts, about: 'subcommittees in a committee' },
  aggregators: { default: 16, range: counts, about: 'expected aggregators in a subcommittee' },
  collectors: { default: 16, range: counts, about: 'expected collectors in a committee' },
  slotSeconds: { default: 12, range: seconds(0.001, 86_400), about: 'length of a slot today, seconds' },
  rounds: { default: 3, range: integers(1, 64), about: 'rounds in a slot today' },
  addedSeconds: { default: 10, range: seconds(0, 86_400), about: 'seconds that Horn adds to the slot' },
  collectionSeconds: {
    default: 10,
    range: seconds(0.001, 86_400),
    about: 'time for collections to cross the global topic',
  },
  signatureBytes: { default: 96, range: lengths, about: 'length of a signature' },
  publicKeyBytes: { default: 48, range: lengths, about: 'length of a public key' },
  scalarBytes: { default: 32, range: lengths, about: 'length of a scalar' },
  attestationDataBytes: { default: 128, range: lengths, about: "length of an attestation's data" },
  blockAttestations: { default: 128, range: lengths, about: 'attestations in a block without collections' },
  attestationSubcommittees: { default: 1, range: lengths, about: 'subcommittees that one attestation combines' },
  blockCollections: { default: 64, range: lengths, about: 'collections in a block' },
  multiplicityBits: { default: 4, range: integers(1, 16), about: 'bits of a multiplicity' },
};

/** The post's values. */
export const defaultHornParameters: HornParameters = defaultsOf(hornSettings);

/**
 * What differs from the post's values. `post`: nothing; its blocks are those before Electra. `electra`: a block holds 8
 * attestations, each of which joins the votes of up to 64 committees of a slot, the post's subcommittees (EIP-7549;
 * consensus-specs, electra/beacon-chain.md, MAX_ATTESTATIONS_ELECTRA and MAX_COMMITTEES_PER_SLOT).
 */
export const hornPresets = {
  post: {},
  electra: { blockAttestations: 8, attestationSubcommittees: 64 },
} as const satisfies Record<string, Partial<HornParameters>>;
export type HornPreset = keyof typeof hornPresets;

/** The sizes that a division of the validators gives. */
export interface HornSizes {
  /** Validators of one committee. */
  readonly committee: number;
  /** Validators of one subcommittee. */
  readonly subcommittee: number;
  /** Subcommittees of all committees together. */
  readonly allSubcommittees: number;
}

export function hornSizes(parameters: HornParameters): HornSizes {
  requireObject('parameters', parameters);
  const { validators, committees, subcommittees } = parameters;
  return {
    committee: validators / committees,
    subcommittee: validators / committees / subcommittees,
    allSubcommittees: committees * subcommittees,
  };
}

/** @throws RangeError naming the parameter, what was expected and what came. */
export function validateHornParameters(parameters: HornParameters): void {
  requireObject('parameters', parameters);
  const { validators, committees, subcommittees } = parameters;
  requireAllIn(parameters, hornSettings);
  requireInteger('committees', committees, 1, validators);
  requireInteger('subcommittees', subcommittees, 1, validators);
  if (validators % (committees * subcommittees) !== 0) {
    const what = `a multiple of committees x subcommittees, ${committees} x ${subcommittees}`;
    throw new RangeError(expected('validators', what, validators));
  }
  const { committee, subcommittee } = hornSizes(parameters);
  requireInteger('aggregators', parameters.aggregators, 1, subcommittee);
  requireInteger('collectors', parameters.collectors, 1, committee);
}
