import { expect, it } from 'vitest';
import { defaultHornParameters } from '../parameters.ts';
import { succinctProofBytes } from './succinctProof.ts';

it("Horn, 'Aggregation using SNARKs': four points a halving and one scalar, about 3 kB for a committee", () => {
  expect(succinctProofBytes(32_768, defaultHornParameters)).toBe(2912);
  for (const keys of [1, 2, 3, 512, 513]) {
    let rounds = 0;
    for (let left = keys; left > 1; left = Math.ceil(left / 2)) rounds++;
    expect(succinctProofBytes(keys, defaultHornParameters)).toBe(rounds * 4 * 48 + 32);
  }
});
