import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { electionModulus, expectedElected, isElected, probabilityOfNone } from './committees.ts';

const subcommittee = { members: 512, aggregators: 16 };

describe("Ethereum's self-selection", () => {
  it('elects members whose 64-bit hash is a multiple of members / aggregators, rounded down and at least 1', () => {
    expect(electionModulus(subcommittee)).toBe(32);
    expect(electionModulus({ members: 100, aggregators: 16 })).toBe(6);
    expect(electionModulus({ members: 5, aggregators: 16 })).toBe(1);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.integer({ min: 1, max: 2 ** 20 }),
        (low, high, modulus) => {
          const hash = (BigInt(high) << 32n) | BigInt(low);
          expect(isElected(low, high, modulus)).toBe(hash % BigInt(modulus) === 0n);
          const multiple = hash - (hash % BigInt(modulus));
          expect(isElected(Number(multiple & 0xffff_ffffn), Number(multiple >> 32n), modulus)).toBe(true);
        },
      ),
    );
  });

  it('elects on average the target number if it divides the members', () => {
    expect(expectedElected(subcommittee)).toBe(16);
    expect(expectedElected({ members: 512, aggregators: 24 })).toBeCloseTo(512 / 21, 12);
  });

  it("Horn, 'Future research': elects no member with 8.7e-8, and none of the honest two thirds with 2.1e-5", () => {
    expect(probabilityOfNone(subcommittee).toExponential(1)).toBe('8.7e-8');
    expect(probabilityOfNone(subcommittee, 2 / 3).toExponential(1)).toBe('2.1e-5');
  });

  it('is certain at both ends', () => {
    expect(probabilityOfNone({ members: 1, aggregators: 1 })).toBe(0);
    expect(probabilityOfNone(subcommittee, 0)).toBe(1);
    expect(probabilityOfNone({ members: 3, aggregators: 1 }, 0.5)).toBeCloseTo((1 - 1 / 6) ** 3, 14);
  });
});
