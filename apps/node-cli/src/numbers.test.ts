import { expect, it } from 'vitest';
import { fourDigits, grouped } from './numbers.ts';

it('numbers are written in groups of three, to as many digits as are asked for', () => {
  expect([grouped(0), grouped(1234567), grouped(1234.5, 2), grouped(-1500)]).toEqual([
    '0',
    '1,234,567',
    '1,234.50',
    '-1,500',
  ]);
  expect([0.03456, 1.5, 99.996, 1234.5, 262144, 0.00012].map(fourDigits)).toEqual([
    '0.03456',
    '1.500',
    '100.00',
    '1,235',
    '262,144',
    '1.20e-4',
  ]);
});
