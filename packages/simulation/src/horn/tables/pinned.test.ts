import { defaultHornParameters, hornPresets, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { digestOf, outcomeOf } from '../../../../../tests/digests.ts';
import { hornTable, hornTableNames } from './tables.ts';

const small = { validators: 8192, committees: 4, subcommittees: 8, aggregators: 5, collectors: 3 };

it.each(hornTableNames.filter((name) => name !== 'election'))(
  'the table %s is what it was, row by row, with the post’s values and with others',
  (name) => {
    const pins = [
      {},
      hornPresets.electra,
      small,
      { ...small, slotSeconds: 6, multiplicityBits: 3, blockCollections: 9 },
    ]
      // The post's own take seconds for their bitfields, and have a test of their own, as elections have.
      .filter((_, index) => index > 1 || !['bandwidth', 'alternatives'].includes(name))
      .map((changes) => hornTable(name, [runLengthCoding, sparseCoding], { ...defaultHornParameters, ...changes }))
      .map((table) => digestOf(table));
    expect(pins).toMatchSnapshot();
  },
);

it('the table of elections is what it was in small groups', () => {
  const small = { validators: 512, committees: 4, subcommittees: 8, aggregators: 3, collectors: 2 };
  const table = hornTable('election', [sparseCoding], { ...defaultHornParameters, ...small });
  expect(digestOf(table)).toMatchInlineSnapshot(`"3788fe5f94d2"`);
});

it('what is no table, or too large, is refused with the words it was', () => {
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
