import { expected, requireInteger, requireNumber, requireObject } from '../errors.ts';

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

/** The post's values. */
export const defaultHornParameters: HornParameters = {
  validators: 2 ** 20,
  committees: 32,
  subcommittees: 64,
  aggregators: 16,
  collectors: 16,
  slotSeconds: 12,
  rounds: 3,
  addedSeconds: 10,
  collectionSeconds: 10,
  signatureBytes: 96,
  publicKeyBytes: 48,
  scalarBytes: 32,
  attestationDataBytes: 128,
  blockAttestations: 128,
  attestationSubcommittees: 1,
  blockCollections: 64,
  multiplicityBits: 4,
};

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
export function checkHornParameters(parameters: HornParameters): void {
  requireObject('parameters', parameters);
  const { validators, committees, subcommittees } = parameters;
  requireInteger('validators', validators, 1, 2 ** 24);
  requireInteger('committees', committees, 1, validators);
  requireInteger('subcommittees', subcommittees, 1, validators);
  if (validators % (committees * subcommittees) !== 0) {
    const what = `a multiple of committees x subcommittees, ${committees} x ${subcommittees}`;
    throw new RangeError(expected('validators', what, validators));
  }
  const { committee, subcommittee } = hornSizes(parameters);
  requireInteger('aggregators', parameters.aggregators, 1, subcommittee);
  requireInteger('collectors', parameters.collectors, 1, committee);
  requireNumber('slotSeconds', parameters.slotSeconds, 0.001, 86_400);
  requireInteger('rounds', parameters.rounds, 1, 64);
  requireNumber('addedSeconds', parameters.addedSeconds, 0, 86_400);
  requireNumber('collectionSeconds', parameters.collectionSeconds, 0.001, 86_400);
  for (const length of ['signatureBytes', 'publicKeyBytes', 'scalarBytes', 'attestationDataBytes'] as const) {
    requireInteger(length, parameters[length], 1, 65_536);
  }
  requireInteger('blockAttestations', parameters.blockAttestations, 1, 65_536);
  requireInteger('attestationSubcommittees', parameters.attestationSubcommittees, 1, 65_536);
  requireInteger('blockCollections', parameters.blockCollections, 1, 65_536);
  requireInteger('multiplicityBits', parameters.multiplicityBits, 1, 16);
}
