import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { citiesFile, citiesTable } from '../scripts/data/cities.mjs';

it('the table of cities is what its script makes of the package', () => {
  expect(readFileSync(citiesFile, 'utf8')).toBe(citiesTable());
});
