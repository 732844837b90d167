import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/digests.ts';
import { validateHornAttacks } from './attacks.ts';

const late = (...shares: number[]) => shares.map((share) => ({ name: 'late', share }));

it.each<[unknown, number, string]>([
  [undefined, 0, 'attacks'],
  [{}, 0, 'attacks'],
  [[undefined], 0, 'attacks'],
  [[{ name: 'x', share: 0.1 }], 0, 'attacks'],
  [late(1.1), 0, 'share of late'],
  ...[[], late(0.5), late(0.4, 0.5), late(0.4, 0.59)].map((list) => [list, 0, 'taken'] as [unknown, number, string]),
  [late(0.4, 0.5), 0.01, 'taken'],
  [late(0.4, 0.6), 0, 'dead and Byzantine shares together'],
  [late(0.4, 0.59), 0.01, 'dead and Byzantine shares together'],
])('accepts known attacks with a possible share of the nodes only: %j with %d', (list, dead, refused) => {
  expect(refusedBy(() => validateHornAttacks(list as never, dead))).toBe(refused);
});
