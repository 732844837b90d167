import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignValidators,
  Duty,
  electDuties,
  electionModulus,
  expectedElected,
  isElected,
  probabilityOfNone,
  scaledHornParameters,
} from './committees.ts';
import { hornSizes, defaultHornParameters as post, validateHornParameters } from './parameters.ts';

it('Horn, "Introduction to the current aggregation scheme": assignValidators assigns every validator one position, and another one for another seed', () => {
  const parameters = { ...post, validators: 4096 };
  const order = assignValidators(parameters, 1);
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from(order, (_, place) => place));
  expect(assignValidators(parameters, 1)).toEqual(order);
  expect(assignValidators(parameters, 2)).not.toEqual(order);
});

describe('scaledHornParameters', () => {
  it("equals the post's parameters at the post's size", () => {
    expect(scaledHornParameters(2 ** 20, post)).toEqual(post);
  });

  it.each([
    [2 ** 14, 4, 8],
    [2 ** 15, 8, 8],
    [1024, 1, 2],
    [512, 1, 1],
    [100, 1, 1],
  ])('%d validators: %d committees of %d subcommittees', (validators, committees, subcommittees) => {
    expect(scaledHornParameters(validators, post)).toMatchObject({ validators, committees, subcommittees });
  });

  it('divides any number of validators, into subcommittees of 512 or more if there are two', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 20 }), (validators) => {
        const scaled = scaledHornParameters(validators, post);
        validateHornParameters(scaled);
        const { subcommittee, allSubcommittees } = hornSizes(scaled);
        expect(allSubcommittees === 1 || subcommittee >= 512).toBe(true);
      }),
    );
  });
});

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

it('elects on average 16 aggregators per subcommittee and 16 collectors per committee, independently', () => {
  const duties = electDuties(post, 1);
  const count = (duty: number): number => duties.reduce((sum, of) => sum + ((of & duty) === duty ? 1 : 0), 0);
  // Five standard deviations. Expected: 32,768 aggregators, 512 collectors, 16 validators with both duties.
  expect(Math.abs(count(Duty.aggregator) - 32_768)).toBeLessThan(5 * Math.sqrt(32_768));
  expect(Math.abs(count(Duty.collector) - 512)).toBeLessThan(5 * Math.sqrt(512));
  expect(Math.abs(count(Duty.aggregator | Duty.collector) - 16)).toBeLessThan(5 * Math.sqrt(16));
});
