import { defaultHornParameters, hornPresets, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { digestOf } from '../../../../../tests/digests.ts';
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
