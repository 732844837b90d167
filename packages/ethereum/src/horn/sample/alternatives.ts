import {
  type BitfieldCoding,
  bitfieldBytes,
  type HornParameters,
  hornSizes,
  type KeyGroup,
  keyTotals,
  sumOfMultiples,
} from '@tutti/core/horn';
import { requireArray, requireObject } from '@tutti/core/input';
import { MeanEstimator } from '../../statistics.ts';
import { bitfieldWhere, codedBytes, sentBytes } from '../bitfields.ts';
import { multiplicityBytes, succinctProofBytes } from '../costs.ts';
import { type ExpectedLoss, expectedLoss } from './expectedLoss.ts';
import { type ForwardingName, forwardingNames } from './forwarding.ts';
import { type Collection, type GriefingOutcome, type GriefingSample, sampleGriefing } from './griefing.ts';

/** Costs of operations on the verifier's machine, as measured by the caller. */
export interface VerifierCosts {
  /** Time of one addition of two public keys, ns. */
  readonly additionNs: number;
  /** Time to verify one succinct proof, ms. */
  readonly proofMs: number;
}

/** One row of the post's table, with numbers for a whole slot of all committees. */
export interface Alternative {
  readonly scheme: ForwardingName;
  /**
   * Number of messages. The number of messages, and all numbers that depend on it, are means over the simulated slots.
   */
  readonly messages: number;
  /** Bytes on the global topic, excluding signatures. */
  readonly bytes: number;
  /**
   * Bytes on the global topic, excluding signatures, with each coding, used where the encoding is shorter; mean over
   * the simulated slots.
   */
  readonly codedBytes: readonly { readonly coding: string; readonly bytes: number }[];
  /** Number of additions of public keys if every present key is added; 0 if a proof supplies the key. */
  readonly additions: number;
  /** Number of additions if sums start from the subcommittees' totals. */
  readonly additionsFromTotals: number;
  /**
   * Time to perform the additions, or to verify the proofs, one after another, s. Pairings are not counted: every
   * scheme needs one check per message.
   */
  readonly seconds: number;
  readonly secondsFromTotals: number;
}

/** Result of {@link sampleAlternatives}: measured losses, expected losses, and the costs of each alternative. */
export interface SampledAlternatives {
  readonly outcome: GriefingOutcome;
  readonly expected: ExpectedLoss;
  readonly alternatives: readonly Alternative[];
}

/**
 * Computes the post's table (Horn: "Alternative aggregation schemes") from collections under attack. The function
 * simulates one committee per slot, codes its collections, and counts the additions for their keys. All collectors of a
 * committee receive the same aggregates.
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

/** Meter for the costs of one scheme's collections. */
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

  /** Adds a slot. @param collections collections of one committee. */
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

  /** Returns the bitfields to code: the members, or one bitfield per bit if multiplicities are sent. */
  #planes(collection: Collection): Uint8Array[] {
    if (this.#name === 'fourBit') return multiplicityPlanes(collection, this.#parameters.multiplicityBits);
    return [bitfieldOf(collection, (count) => count > 0)];
  }
}

/**
 * Returns multiplicities as bitfields in Gray code, one per bit, the lowest bit first. In Gray code, 1 and 2 have the
 * same lowest bit. The first bitfield therefore mostly shows the missing members, even if the number of merged
 * aggregates differs between subcommittees.
 */
export function multiplicityPlanes(counts: Collection, bits: number): Uint8Array[] {
  const gray = counts.map((count) => count ^ (count >>> 1));
  return Array.from({ length: bits }, (_, bit) => bitfieldOf(gray, (count) => ((count >>> bit) & 1) === 1));
}

function bitfieldOf(counts: Collection, isSet: (count: number) => boolean): Uint8Array {
  return bitfieldWhere(counts.length, (member) => isSet(counts[member]!));
}

/**
 * Counts the additions for a collection's key by performing them, with integers in place of points.
 *
 * @param subcommittee number of validators in a subcommittee, whose total is known.
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
