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
  /** Number of messages: a mean over the simulated slots, as are all numbers that depend on the number of messages. */
  readonly messages: number;
  /** Bytes on the global topic, excluding signatures. */
  readonly bytes: number;
  /** Bytes on the global topic, excluding signatures, if bitfields are coded where the encoding is shorter. */
  readonly codedBytes: readonly { readonly coding: string; readonly bytes: number }[];
  /** Number of additions of public keys if every present key is added; 0 if a proof supplies the key. */
  readonly additions: number;
  /** Number of additions if sums start from the subcommittees' totals. */
  readonly additionsFromTotals: number;
  /** Time for the additions or the proofs, one after another, excluding the one pairing check per message, s. */
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
  const outcome = sampleGriefing(sample, (name, collections) => meters.get(name)!.addSlot(collections), onSlot);
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
  /** Lengths of a collection's bitfields with each coding, bytes. */
  readonly #coded: readonly { readonly coding: BitfieldCoding; readonly bytes: MeanEstimator }[];
  /** Numbers of collections of a committee per slot. */
  readonly #collections = new MeanEstimator();
  readonly #additions = new MeanEstimator();
  readonly #additionsFromTotals = new MeanEstimator();

  constructor(name: ForwardingName, parameters: HornParameters, codings: readonly BitfieldCoding[]) {
    this.#name = name;
    this.#parameters = parameters;
    this.#coded = codings.map((coding) => ({ coding, bytes: new MeanEstimator() }));
  }

  /** Adds a slot. @param collections collections of one committee. */
  addSlot(collections: readonly Collection[]): void {
    this.#collections.add(collections.length);
    for (const collection of collections) this.#add(collection);
  }

  #add(collection: Collection): void {
    const bits = collection.length;
    // A scheme sends the members, or one bitfield per bit of the multiplicities.
    const bitfields =
      this.#name === 'fourBit'
        ? multiplicityPlanes(collection, this.#parameters.multiplicityBits)
        : [bitfieldWhere(bits, (member) => collection[member]! > 0)];
    for (const { coding, bytes } of this.#coded) {
      bytes.add(bitfields.reduce((sum, bitfield) => sum + sentBytes(codedBytes(coding, bitfield, bits), bits), 0));
    }
    if (this.#name === 'succinctProof') return;
    const { plain, fromTotals } = additionsOf(collection, hornSizes(this.#parameters).subcommittee);
    this.#additions.add(plain);
    this.#additionsFromTotals.add(fromTotals);
  }

  result({ additionNs, proofMs }: VerifierCosts): Alternative {
    const { committees, collectors, multiplicityBits } = this.#parameters;
    const { committee } = hornSizes(this.#parameters);
    const messages = committees * collectors * this.#collections.estimate().mean;
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
      codedBytes: this.#coded.map(({ coding, bytes }) => {
        return { coding: coding.name, bytes: messages * (bytes.estimate().mean + proofBytes) };
      }),
      additions,
      additionsFromTotals,
      seconds: proofSeconds + (additions * additionNs) / 1e9,
      secondsFromTotals: proofSeconds + (additionsFromTotals * additionNs) / 1e9,
    };
  }
}

/**
 * Returns multiplicities as bitfields in Gray code, one per bit, the lowest bit first. In Gray code, 1 and 2 have the
 * same lowest bit. The first bitfield therefore mostly shows the missing members, even if the number of merged
 * aggregates differs between subcommittees.
 */
function multiplicityPlanes(counts: Collection, bits: number): Uint8Array[] {
  const gray = counts.map((count) => count ^ (count >>> 1));
  const plane = (bit: number) => bitfieldWhere(gray.length, (member) => ((gray[member]! >>> bit) & 1) === 1);
  return Array.from({ length: bits }, (_, bit) => plane(bit));
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
