import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../../tests/digests.ts';
import { sampleGriefing } from './griefing.ts';

it('odds out of their bounds are refused, and named', () => {
  const play = {
    election: { members: 8, aggregators: 2 },
    eveShare: 0.2,
    participation: 1,
    slots: 2,
    subcommittees: 1,
    seed: 1,
  };
  const wrong = [
    ...[{ election: { members: 1, aggregators: 1 } }, { election: { members: 8, aggregators: 9 } }, { eveShare: 1 }],
    ...[{ election: { members: 2 ** 20 + 1, aggregators: 1 } }, { election: { members: 8, aggregators: 0 } }],
    ...[{ eveShare: -0.1 }, { participation: 0 }, { participation: 1.1 }, { slots: 1 }, { slots: 10_000_001 }],
    ...[{ subcommittees: 0 }, { subcommittees: 2049 }, { election: undefined }],
  ];
  expect(
    wrong.map((fields) => outcomeOf(() => sampleGriefing({ ...play, ...fields } as never))),
  ).toMatchInlineSnapshot(`
    [
      "RangeError: members: expected an integer from 2 to 1048576, got 1",
      "RangeError: aggregators: expected an integer from 1 to 8, got 9",
      "RangeError: eveShare: expected a number from 0 to 0.999, got 1",
      "RangeError: members: expected an integer from 2 to 1048576, got 1048577",
      "RangeError: aggregators: expected an integer from 1 to 8, got 0",
      "RangeError: eveShare: expected a number from 0 to 0.999, got -0.1",
      "RangeError: participation: expected a number from 0.001 to 1, got 0",
      "RangeError: participation: expected a number from 0.001 to 1, got 1.1",
      "RangeError: slots: expected an integer from 2 to 10000000, got 1",
      "RangeError: slots: expected an integer from 2 to 10000000, got 10000001",
      "RangeError: subcommittees: expected an integer from 1 to 2048, got 0",
      "RangeError: subcommittees: expected an integer from 1 to 2048, got 2049",
      "TypeError: election: expected an object, got undefined",
    ]
  `);
});
