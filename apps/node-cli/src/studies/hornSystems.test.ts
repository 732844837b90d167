import { expect, it } from 'vitest';
import { overloadLines } from './hornSystems.ts';

it('topics that are overloaded with any seed are reported', () => {
  const of = (system: 'horn' | 'strawman', ...seeds: ('global' | 'committee')[][]) =>
    seeds.map((uncalibrated) => ({ system, uncalibrated }));
  expect(overloadLines([of('strawman', [], []), of('horn', [], ['global'])])).toEqual([
    "Overloaded: horn's global topic; its number of votes in reach is accurate to within 13 % of the votes cast.\n",
  ]);
  expect(overloadLines([of('horn', ['committee'], ['global', 'committee'])])).toEqual([
    "Overloaded: horn's committee and global topics; the losses on these topics are not calibrated.\n",
  ]);
});
