import { defaultHornParameters } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { succinctProofBytes } from '../costs.ts';

it("Horn, 'Aggregation using SNARKs': a proof has the key, two commitments, two points per halving, fifteen counts and two scalars", () => {
  expect(succinctProofBytes(32_768, defaultHornParameters)).toBe(1708);
  for (const keys of [1, 2, 3, 512, 513]) {
    let rounds = 0;
    for (let left = keys; left > 1; left = Math.ceil(left / 2)) rounds++;
    expect(succinctProofBytes(keys, defaultHornParameters)).toBe((3 + 2 * rounds) * 48 + 15 * 4 + 2 * 32);
  }
  expect(succinctProofBytes(2, { ...defaultHornParameters, multiplicityBits: 2 })).toBe(5 * 48 + 3 * 4 + 2 * 32);
});
