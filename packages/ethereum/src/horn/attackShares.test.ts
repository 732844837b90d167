import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { validateHornAttacks } from './attacks.ts';

it('attacks are known ones, and leave a share of the nodes', () => {
  const lists = [undefined, {}, [], [undefined], [{ name: 'x', share: 0.1 }], [{ name: 'late', share: 1.1 }]];
  const sums = [[0.5], [0.4, 0.5], [0.4, 0.6], [0.4, 0.59]].map((shares) =>
    shares.map((share) => ({ name: 'late', share })),
  );
  const pins = [...lists, ...sums].flatMap((list) =>
    [0, 0.01].map((taken) => outcomeOf(() => validateHornAttacks(list as never, taken))),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "TypeError: attacks: expected an array, got undefined",
      "TypeError: attacks: expected an array, got undefined",
      "TypeError: attacks: expected an array, got an object",
      "TypeError: attacks: expected an array, got an object",
      undefined,
      undefined,
      "TypeError: attacks: expected an object, got undefined",
      "TypeError: attacks: expected an object, got undefined",
      "RangeError: attacks: expected silent or griefing or worthless or late, got "x"",
      "RangeError: attacks: expected silent or griefing or worthless or late, got "x"",
      "RangeError: share of late: expected a number from 0 to 1, got 1.1",
      "RangeError: share of late: expected a number from 0 to 1, got 1.1",
      undefined,
      undefined,
      undefined,
      undefined,
      "RangeError: dead and Byzantine shares together: expected under 1, got 1",
      "RangeError: dead and Byzantine shares together: expected under 1, got 1.01",
      undefined,
      "RangeError: dead and Byzantine shares together: expected under 1, got 1",
    ]
  `);
});
