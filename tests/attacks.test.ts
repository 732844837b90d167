import { bls12_381 } from '@noble/curves/bls12-381.js';
import { type Claim, type Contribution, MultiSignatureScheme, type Tree } from '@tutti/core';
import { attacks, defaultScenario, type Scenario, simulate } from '@tutti/simulation';
import { loadBls, signatureDst, testMessage } from '@tutti/wasm-bls';
import { afterAll, describe, expect, it } from 'vitest';
import { signersOf } from '../packages/wasm-bls/test/fixtures.ts';
import { sampled } from './sampled.ts';

const nodes = 8;
const bls = await loadBls();
const message = testMessage(1);
const { publicKeys, signatures } = signersOf(bls, nodes, message);
const round = bls.round(publicKeys, message);
afterAll(() => round.free());

/** A run's scheme, and a copy of the claim of its heaviest output, which is valid only during the call. */
class Watched {
  heaviest: Claim | undefined;
  #weight = 0;
  #scheme: MultiSignatureScheme | undefined;

  readonly scheme = (tree: Tree) => {
    const made = new MultiSignatureScheme({ tree, kernel: bls, verifier: round });
    this.#scheme = made;
    return { scheme: made, individual: (id: number) => made.individual(id, signatures[id]!) };
  };

  onOutput(_id: number, contribution: Contribution): void {
    const weight = this.#scheme!.weight(contribution);
    const claim = this.#scheme!.claimToVerify(contribution);
    if (claim === undefined || weight <= this.#weight) return;
    this.#weight = weight;
    this.heaviest = { first: claim.first, bits: claim.bits.slice(), signature: claim.signature.slice() };
  }
}

const { longSignatures } = bls12_381;
const hashed = longSignatures.hash(message, signatureDst);

/** Verdicts on claims, by claim. Most runs have the same output. */
const verdicts = new Map<string, boolean>();

/** Returns the verdict of noble-curves, without any code of this project. */
function noblesVerdict({ first, bits, signature }: Claim): boolean {
  const claim = `${first} ${bits} ${signature}`;
  const known = verdicts.get(claim);
  if (known !== undefined) return known;
  const keys = publicKeys.filter((_, id) => id >= first && ((bits[(id - first) >> 3] ?? 0) >> ((id - first) & 7)) & 1);
  const compressed = signature.length === 96 ? signature : bls.encodeSignature(signature);
  const verdict = longSignatures.verify(compressed, hashed, longSignatures.aggregatePublicKeys(keys));
  verdicts.set(claim, verdict);
  return verdict;
}

describe('v1.03 4.3: under attack with real BLS signatures, every claim verified', () => {
  for (const { name } of sampled(
    attacks.filter(({ against }) => against.includes('handel')),
    4,
  )) {
    it(`${name}: the run equals that of the counting scheme, and noble-curves accepts its heaviest output`, () => {
      const scenario = { ...defaultScenario, nodes, attacks: [{ name, share: 0.3 }] };
      const watched = new Watched();
      const result = simulate(
        { ...scenario, scheme: 'bls' },
        { checkers: true, scheme: watched.scheme, checker: watched },
      );
      expect(result).toMatchObject({ live: 6, reached: 6 });
      expect(result.digest).toBe(simulate(scenario).digest);
      const output = watched.heaviest!;
      expect(noblesVerdict(output)).toBe(true);
      expect(noblesVerdict({ ...output, bits: output.bits.map((byte) => byte & (byte - 1)) })).toBe(false);
    });
  }
});

/** Every baseline, with each of its verification methods. */
const baselines: readonly Partial<Scenario>[] = [
  { protocol: 'complete-graph' },
  { protocol: 'complete-graph', completeGraph: { ...defaultScenario.completeGraph, verification: 'bulk' } },
  { protocol: 'san-fermin' },
  { protocol: 'gossip' },
  { protocol: 'gossip', gossip: { ...defaultScenario.gossip, of: 'aggregates' } },
];

const attacked = baselines.flatMap((baseline) =>
  sampled(
    attacks.filter(({ against }) => against.includes(baseline.protocol!)),
    2,
  ).map(({ name }) => ({ baseline, name })),
);

it.each(attacked)('$baseline, $name: the run equals that of the counting scheme, and its output is valid', (one) => {
  const scenario = { ...defaultScenario, ...one.baseline, nodes, attacks: [{ name: one.name, share: 0.3 }] };
  const watched = new Watched();
  const options = { giveUpAfterMs: 4000 };
  const { digest } = simulate({ ...scenario, scheme: 'bls' }, { ...options, scheme: watched.scheme, checker: watched });
  expect(digest).toBe(simulate(scenario, options).digest);
  if (watched.heaviest !== undefined) expect(noblesVerdict(watched.heaviest)).toBe(true);
});
