import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { citiesFile, citiesTable } from '../scripts/data/cities.mjs';

it('the table of cities equals the output of its script', () => {
  expect(readFileSync(citiesFile, 'utf8')).toBe(citiesTable());
});
