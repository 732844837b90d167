import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignValidators, scaledHornParameters } from './committees.ts';
import { hornSizes, defaultHornParameters as post, validateHornParameters } from './parameters.ts';

describe('assignValidators (Horn: "Introduction to the current aggregation scheme")', () => {
  it('assigns every validator one position, and another one for another seed', () => {
    const parameters = { ...post, validators: 4096 };
    const order = assignValidators(parameters, 1);
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from(order, (_, place) => place));
    expect(assignValidators(parameters, 1)).toEqual(order);
    expect(assignValidators(parameters, 2)).not.toEqual(order);
  });
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
