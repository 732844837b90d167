import { expect, test } from 'vitest';
import { readHeaders } from '../scripts/field-headers.mjs';
import { describeBounds, laneBounds } from '../scripts/lane-bounds.mjs';

test('the bounds in the headers equal the derived bounds', () => {
  expect(describeBounds(laneBounds())).toEqual([
    'digits.h: a column comes to at most 0.94 * 2^63',
    'lanes.h: a result lies between -0.60 p and 0.70 p',
    'lanes_tower.h: a product of digits is under 2^100.3, a column under 2^59.4',
    'lanes_tower.h: columns come to at most 37.7 p^2, 3.8 p * 2^384',
    'lanes_tower.h: the multiple of p is one of -4..4, and leaves 0.50 p',
    'wide.h: what is stored is under 1.95 p',
    'wide_tower.h: sums come to at most 37.7 p^2; under 9.37 p is reduced, under 1.00 p left',
  ]);
});

test.each([
  ['a digit of p', 'digits.h', '-402915328', '-402915327', /tutti_p is not p/],
  ['larger digits', 'digits.h', 'DIGIT_BITS 30', 'DIGIT_BITS 31', /tutti_p is not p/],
  ['one more digit without a multiplication', 'lanes.h', 'LANES_EASY 6', 'LANES_EASY 8', /result leaves -p\.\.p/],
  ['another -1/p', 'lanes.h', '281462091612157.0', '281462091612158.0', /not -1\/p/],
  ['a last place too fine', 'lanes.h', '0x1.8p100', '0x1.8p99', /not LANES_HIGH's last place/],
  ['a last place too fine for the tower', 'lanes_tower.h', '0x1.8p103', '0x1.8p101', /TOWER_SHIFT/],
  ['another -1/p of a limb', 'wide.h', '0x89f3fffcfffcfffdULL', '0x89f3fffcfffcffffULL', /WIDE_P_INVERSE is not -1/],
  ['a limb of the multiple of p', 'wide.h', '0x6a4aaa14be07a408', '0x6a4aaa14be07a409', /wide_above is not/],
  ['one more limb without a multiplication', 'wide.h', 'WIDE_EASY 5', 'WIDE_EASY 6', /a result is not under 2p/],
  ['another top limb of p', 'wide_tower.h', '0x9d835d2f3cc9e458', '0x9d835d2f3cc9e459', /TOWER_PER_P/],
  ['no lift', 'lanes.h', 'LANES_LIFT (1ULL << 62)', 'LANES_LIFT (1ULL << 40)', /LANES_LIFT/],
])('refuses %s', (_, file, from, to, message) => {
  const headers = readHeaders();
  const text = headers[file]!;
  expect(text).toContain(from);
  expect(() => laneBounds({ ...headers, [file]: text.replaceAll(from, to) })).toThrow(message);
});

test('refuses a tower whose products are split like those of lanes.h, because they leave the binade', () => {
  const headers = readHeaders();
  const tower = headers['lanes_tower.h']!.replace('TOWER_SHIFT 3', 'TOWER_SHIFT 0').replace('0x1.8p103', '0x1.8p100');
  expect(() => laneBounds({ ...headers, 'lanes_tower.h': tower })).toThrow(/leaves the binade of TOWER_HIGH/);
});
