import { describe, expect, it } from 'vitest';
import {
  defaultHornParameters,
  globalTopicLoad,
  type HornParameters,
  hornSettings,
  hornSizes,
  defaultHornParameters as post,
  slotClock,
  slotTimes,
  validateHornParameters,
} from './parameters.ts';

describe("Horn's parameters", () => {
  it("equal the post's by default, and divide as it states", () => {
    expect(() => validateHornParameters(defaultHornParameters)).not.toThrow();
    expect(hornSizes(defaultHornParameters)).toEqual({ committee: 32_768, subcommittee: 512, allSubcommittees: 2048 });
  });

  it.each<[Partial<HornParameters>, string]>([
    [{ validators: 0 }, 'validators: expected an integer from 1 to 16777216, got 0'],
    [{ validators: 1000 }, 'validators: expected a multiple of committees x subcommittees, 32 x 64, got 1000'],
    [{ committees: 0 }, 'committees: expected an integer from 1 to 1048576, got 0'],
    [{ subcommittees: 2.5 }, 'subcommittees: expected an integer from 1 to 1048576, got 2.5'],
    [{ aggregators: 513 }, 'aggregators: expected an integer from 1 to 512, got 513'],
    [{ collectors: 32_769 }, 'collectors: expected an integer from 1 to 32768, got 32769'],
  ])('%j is refused by name', (change, line) => {
    expect(() => validateHornParameters({ ...defaultHornParameters, ...change })).toThrow(new RangeError(line));
  });

  it.each(Object.keys(hornSettings))('%s has a range, and is refused by name', (name) => {
    for (const value of [-1, Number.NaN])
      expect(() => validateHornParameters({ ...defaultHornParameters, [name]: value })).toThrow(
        new RegExp(`^${name}: expected an? (integer|number) from .*, got ${value}$`),
      );
  });
});

it("Horn, 'A strawman proposal': the global topic: 32,768 messages of 64 + 192 bytes against 512 collections", () => {
  const strawman = { messages: 32_768, bitfieldBytes: 64, bytes: 8_388_608 };
  expect(globalTopicLoad('strawman', defaultHornParameters, 2)).toEqual(strawman);
  const horn = { messages: 512, bitfieldBytes: 4096, bytes: 2_097_152 };
  expect(globalTopicLoad('horn', defaultHornParameters, 0)).toEqual(horn);
  expect(globalTopicLoad('horn', defaultHornParameters, 1).bytes).toBe(2_146_304);
  expect(globalTopicLoad('horn', defaultHornParameters, 2).bytes).toBe(2_195_456);
  expect(globalTopicLoad('status-quo', defaultHornParameters, 2).messages).toBe(1024);
});

it('the global topic has bitfields of whole bytes if a committee is not a multiple of eight', () => {
  const parameters = { ...defaultHornParameters, validators: 33, committees: 3, subcommittees: 1, collectors: 2 };
  expect(globalTopicLoad('horn', parameters, 0)).toEqual({ messages: 6, bitfieldBytes: 2, bytes: 12 });
});

it('votes at a third and aggregates at two thirds of the current slot; collects at its end, ten seconds before the end of Horn\'s slot ("Slot time increase")', () => {
  const shared = { attestUs: 4_000_000, aggregateUs: 8_000_000, collectUs: 12_000_000 };
  expect(slotClock('status-quo', post)).toEqual({ ...shared, endUs: 12_000_000 });
  expect(slotClock('strawman', post)).toEqual({ ...shared, endUs: 12_000_000 });
  expect(slotClock('horn', post)).toEqual({ ...shared, endUs: 22_000_000 });
});

it("Horn, 'Slot time increase': one more round takes at least 4 s, and 10 s as proposed", () => {
  expect(slotTimes(defaultHornParameters)).toEqual({ roundSeconds: 4, minSeconds: 16, hornSeconds: 22 });
  const faster = { ...defaultHornParameters, slotSeconds: 6, rounds: 4, addedSeconds: 0 };
  expect(slotTimes(faster)).toEqual({ roundSeconds: 1.5, minSeconds: 7.5, hornSeconds: 6 });
});
