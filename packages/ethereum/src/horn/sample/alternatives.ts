import { type BitfieldCoding, type HornParameters, hornSizes, type KeyGroup } from '@tutti/core/horn';
import { bitfieldBytes, keyTotals, setBit, sumOfMultiples } from '@tutti/core/horn-rules';
import { requireArray, requireObject } from '@tutti/core/settings';
import { codedBytes, sentBytes } from '../bitfields/changes.ts';
import { multiplicityBytes, succinctProofBytes } from '../costs.ts';
import { MeanEstimator } from '../statistics.ts';
import { type ExpectedLoss, expectedLoss } from './expectedLoss.ts';
import { type ForwardingName, forwardingNames } from './forwarding.ts';
import { type Collection, type GriefingOutcome, type GriefingSample, sampleGriefing } from './griefing.ts';

/** What operations cost on the verifier's machine, as the caller has measured them. */
export interface VerifierCosts {
  /** One addition of two public keys, nanoseconds. */
  readonly additionNs: number;
  /** The verification of one succinct proof, milliseconds. */
  readonly proofMs: number;
}

/** One row of the post's table, with numbers for a whole slot of all committees. */
export interface Alternative {
  readonly scheme: ForwardingName;
  /** A mean over the slots that were run, as all that follows from it. */
  readonly messages: number;
  /** On the global topic, signatures left out. */
  readonly bytes: number;
  /** The same, written with each coding wherever that is shorter; a mean over the slots that were run. */
  readonly codedBytes: readonly { readonly coding: string; readonly bytes: number }[];
  /** Additions of public keys, every present key added; none where a proof gives the key. */
  readonly additions: number;
  /** The same, from the subcommittees' totals. */
  readonly additionsFromTotals: number;
  /**
   * What these additions, or the proofs, take one after another. Pairings are left out: one a message for every scheme.
   */
  readonly seconds: number;
  readonly secondsFromTotals: number;
}

export interface SampledAlternatives {
  readonly outcome: GriefingOutcome;
  readonly expected: ExpectedLoss;
  readonly alternatives: readonly Alternative[];
}

/**
 * The post's table (Horn: "Alternative aggregation schemes") from collections as they come out with Eve at work: one
 * committee is run per slot, its collections are coded, and the additions for their keys are counted. All collectors
 * of a committee get the same aggregates.
 */
export function sampleAlternatives(
  odds: Omit<GriefingSample, 'election' | 'subcommittees'>,
  parameters: HornParameters,
  codings: readonly BitfieldCoding[],
  costs: VerifierCosts,
  onSlot?: () => void,
): SampledAlternatives {
  requireObject('odds', odds);
  requireArray('codings', codings);
  requireObject('costs', costs);
  const { subcommittee: members } = hornSizes(parameters);
  const election = { members, aggregators: parameters.aggregators };
  const meters = new Map(forwardingNames.map((name) => [name, new Meter(name, parameters, codings)]));
  const sample = { ...odds, election, subcommittees: parameters.subcommittees };
  const outcome = sampleGriefing(
    sample,
    (name, collections) => {
      meters.get(name)!.addSlot(collections);
    },
    onSlot,
  );
  return {
    outcome,
    expected: expectedLoss(sample),
    alternatives: [...meters.values()].map((meter) => meter.result(costs)),
  };
}

/** What collections of one scheme cost. */
class Meter {
  readonly #name: ForwardingName;
  readonly #parameters: HornParameters;
  readonly #codings: readonly BitfieldCoding[];
  readonly #coded: readonly MeanEstimator[];
  readonly #sums = new MeanEstimator();
  readonly #additions = new MeanEstimator();
  readonly #additionsFromTotals = new MeanEstimator();

  constructor(name: ForwardingName, parameters: HornParameters, codings: readonly BitfieldCoding[]) {
    this.#name = name;
    this.#parameters = parameters;
    this.#codings = codings;
    this.#coded = codings.map(() => new MeanEstimator());
  }

  /** @param collections of one committee. */
  addSlot(collections: readonly Collection[]): void {
    this.#sums.add(collections.length);
    for (const collection of collections) this.#add(collection);
  }

  #add(collection: Collection): void {
    const planes = this.#planes(collection);
    this.#codings.forEach((coding, index) => {
      const code = planes.map((plane) => sentBytes(codedBytes(coding, plane, collection.length), collection.length));
      this.#coded[index]!.add(code.reduce((sum, bytes) => sum + bytes, 0));
    });
    if (this.#name === 'succinctProof') return;
    const { plain, fromTotals } = additionsOf(collection, hornSizes(this.#parameters).subcommittee);
    this.#additions.add(plain);
    this.#additionsFromTotals.add(fromTotals);
  }

  result({ additionNs, proofMs }: VerifierCosts): Alternative {
    const { committees, collectors, multiplicityBits } = this.#parameters;
    const { committee } = hornSizes(this.#parameters);
    const messages = committees * collectors * this.#sums.estimate().mean;
    const isProof = this.#name === 'succinctProof';
    const proofBytes = isProof ? succinctProofBytes(committee, this.#parameters) : 0;
    const vectorBytes =
      this.#name === 'fourBit' ? multiplicityBytes(committee, multiplicityBits) : bitfieldBytes(committee);
    const additions = isProof ? 0 : messages * this.#additions.estimate().mean;
    const additionsFromTotals = isProof ? 0 : messages * this.#additionsFromTotals.estimate().mean;
    const proofSeconds = isProof ? (messages * proofMs) / 1000 : 0;
    return {
      scheme: this.#name,
      messages,
      bytes: messages * (vectorBytes + proofBytes),
      codedBytes: this.#codings.map(({ name }, index) => ({
        coding: name,
        bytes: messages * (this.#coded[index]!.estimate().mean + proofBytes),
      })),
      additions,
      additionsFromTotals,
      seconds: proofSeconds + (additions * additionNs) / 1e9,
      secondsFromTotals: proofSeconds + (additionsFromTotals * additionNs) / 1e9,
    };
  }

  /** What is coded: who is in it, or where multiplicities are sent a bitfield for each of their bits. */
  #planes(collection: Collection): Uint8Array[] {
    if (this.#name === 'fourBit') return multiplicityPlanes(collection, this.#parameters.multiplicityBits);
    return [bitfieldOf(collection, (count) => count > 0)];
  }
}

/**
 * Multiplicities as bitfields, one for each bit, the lowest first, in Gray's code: 1 and 2 have the lowest bit alike,
 * so that hardly more than those who are missing stand out in the first, however many aggregates were merged from one
 * subcommittee to the next.
 */
export function multiplicityPlanes(counts: Collection, bits: number): Uint8Array[] {
  const gray = counts.map((count) => count ^ (count >>> 1));
  return Array.from({ length: bits }, (_, bit) => bitfieldOf(gray, (count) => ((count >>> bit) & 1) === 1));
}

function bitfieldOf(counts: Collection, isSet: (count: number) => boolean): Uint8Array {
  const bitfield = new Uint8Array(bitfieldBytes(counts.length));
  counts.forEach((count, member) => {
    if (isSet(count)) setBit(bitfield, member);
  });
  return bitfield;
}

/**
 * The additions that summing up a collection's key takes, by doing it, integers standing for points.
 *
 * @param subcommittee validators of one, whose total is known.
 */
export function additionsOf(collection: Collection, subcommittee: number): { plain: number; fromTotals: number } {
  let additions = 0;
  const group: KeyGroup<number> = {
    addKeys(a, b) {
      additions++;
      return a + b;
    },
    negateKey: (key) => -key,
  };
  const keys = Array.from(collection, (_, member) => member + 1);
  const totals = keyTotals(keys, subcommittee, group);
  additions = 0;
  sumOfMultiples(keys, collection, group);
  const plain = additions;
  additions = 0;
  sumOfMultiples(keys, collection, group, totals);
  return { plain, fromTotals: additions };
}
