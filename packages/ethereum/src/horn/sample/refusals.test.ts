import { expect, it } from 'vitest';
import { refusedBy } from '../../../../../tests/digests.ts';
import { sampleGriefing } from './griefing.ts';

it('refuses probabilities out of range, and names them', () => {
  const setting = {
    election: { members: 8, aggregators: 2 },
    eveShare: 0.2,
    participation: 1,
    slots: 2,
    subcommittees: 1,
    seed: 1,
  };
  const wrong: readonly (readonly [string, object])[] = [
    ...[1, 2 ** 20 + 1].map((members) => ['members', { election: { members, aggregators: 1 } }] as const),
    ...[0, 9].map((aggregators) => ['aggregators', { election: { members: 8, aggregators } }] as const),
    ...[-0.1, 1].map((eveShare) => ['eveShare', { eveShare }] as const),
    ...[0, 1.1].map((participation) => ['participation', { participation }] as const),
    ...[1, 10_000_001].map((slots) => ['slots', { slots }] as const),
    ...[0, 2049].map((subcommittees) => ['subcommittees', { subcommittees }] as const),
    ['election', { election: undefined }],
  ];
  for (const [name, fields] of wrong)
    expect(refusedBy(() => sampleGriefing({ ...setting, ...fields } as never))).toBe(name);
});
