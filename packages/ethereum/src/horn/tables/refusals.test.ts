import { defaultHornParameters, sparseCoding } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../../tests/digests.ts';
import { hornTable } from './tables.ts';

it('refuses an invalid or too large table, and names it', () => {
  const of = (name: string, changes: object) =>
    outcomeOf(() => hornTable(name, [sparseCoding], { ...defaultHornParameters, ...changes }).title);
  const most = { committees: 1, subcommittees: 2 };
  expect([
    of('prices', {}),
    of('sizes', { ...most, validators: 2 ** 17 }),
    of('sizes', { ...most, validators: 2 ** 17 + 2 }),
    of('sizes', { ...most, subcommittees: 1, aggregators: 1, collectors: 1, validators: 1 }),
  ]).toMatchInlineSnapshot(`
    [
      "RangeError: table: expected sizes or global-topic or slot or verification or bandwidth or blocks or griefing or alternatives or election, got "prices"",
      "Sizes",
      "RangeError: validators of a committee: expected an integer from 2 to 131072, got 131074",
      "RangeError: validators of a committee: expected an integer from 2 to 131072, got 1",
    ]
  `);
});
