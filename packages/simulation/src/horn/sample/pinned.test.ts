import { RandomStream } from '@tutti/core';
import { defaultHornParameters, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../../tests/digests.ts';
import { additionsOf, multiplicityPlanes, sampleAlternatives } from './alternatives.ts';
import { expectedLoss } from './expectedLoss.ts';
import { aggregatesToMerge, forwardingNames, forwardingSchemes, heaviest, sumsOfAll } from './forwarding.ts';
import { sampleGriefing } from './griefing.ts';
import { honestLossShare, singleVoteLossShare } from './lossShare.ts';
import { sampleSubcommittee } from './subcommittee.ts';

it('griefing and its remedies, played, expected and counted, are what they were', () => {
  const pins = drawn(30, (draw, seed) => {
    const members = draw.integer(2, 40);
    const election = { members, aggregators: draw.integer(1, Math.min(6, members)) };
    const odds = { election, eveShare: draw.one([0, 0.2, 0.45]), participation: draw.one([1, 0.8, 0.3]) };
    const told: unknown[] = [];
    const play = { ...odds, slots: 6, subcommittees: draw.integer(1, 3), seed };
    const outcome = sampleGriefing(
      play,
      (name, collections) => told.push([name, collections]),
      () => told.push('slot'),
    );
    const expected = expectedLoss(odds);
    const { aggregates } = sampleSubcommittee(odds, new RandomStream(seed, 'pinned'));
    const chosen =
      aggregates.length === 0 ? [] : [heaviest(aggregates), aggregatesToMerge(aggregates, 2), sumsOfAll(aggregates, 2)];
    const forwarded = forwardingNames.map((name) =>
      forwardingSchemes[name].forward(aggregates, new RandomStream(seed, name)),
    );
    const shares = forwardingNames.flatMap((name) => [
      honestLossShare(outcome, name, expected.honestVotes),
      singleVoteLossShare(outcome.losses[name].singledOut),
    ]);
    const counts = Uint8Array.from(draw.list(members, () => draw.integer(0, 7)));
    return digestOf([
      outcome,
      told,
      expected,
      chosen,
      forwarded,
      shares,
      multiplicityPlanes(counts, 3),
      additionsOf(counts, 2),
    ]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "dc2655e20e71",
      "bd6a980b72d6",
      "aa9f336d1cc5",
      "8f7f7b3886ea",
      "692f79cc4d6e",
      "d00585017cca",
      "217df95da010",
      "53c8e76d9c71",
      "051e7e984a67",
      "2e9cf5359ce9",
      "e44c37cd81fe",
      "247657143171",
      "105614e83b2f",
      "6198e0a52fc7",
      "1cd5275d8c9b",
      "d768cca5bdc7",
      "1f7e00de8aa2",
      "382e388496f2",
      "bd3c44fae0b0",
      "2a1d866ceb33",
      "388555a2b103",
      "5d04942a81b3",
      "25d60c8e5e97",
      "0e263243c56d",
      "50bcf90760d0",
      "94d221335500",
      "ec97bb1a2915",
      "a9a84f371f0b",
      "a34a34f8fc20",
      "d859b7ad96b4",
    ]
  `);
});

it('the table of alternatives is what it was', () => {
  const parameters = { ...defaultHornParameters, validators: 1024, committees: 2, subcommittees: 8, aggregators: 4 };
  const pins = [0.2, 0.4].map((eveShare, seed) => {
    let slots = 0;
    const play = { eveShare, participation: 0.9, slots: 3, seed };
    const codings = [runLengthCoding, sparseCoding];
    return digestOf([
      sampleAlternatives(play, parameters, codings, { additionNs: 300, proofMs: 2 }, () => slots++),
      slots,
    ]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "e72cead6c268",
      "63d7ed5a0af0",
    ]
  `);
});

it('odds that nobody can play are refused with the words they were', () => {
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
