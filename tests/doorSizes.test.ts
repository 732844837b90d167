import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { budgetsFile, doorSizes } from '../scripts/door-sizes.mjs';

it('every door of @tutti/core and @tutti/simulation, and common uses of all packages, keep to their size in a page', async () => {
  const budgets: Record<string, number> = JSON.parse(readFileSync(budgetsFile, 'utf8'));
  const sizes: Record<string, number> = await doorSizes();
  expect(Object.keys(sizes)).toEqual(Object.keys(budgets));
  const over = Object.entries(sizes).filter(([name, bytes]) => bytes > budgets[name]!);
  expect(over, "over their budgets; 'npm run sizes' writes new ones, for a growth that is meant").toEqual([]);
  // A budget that nothing comes near would hold nothing.
  for (const [name, bytes] of Object.entries(sizes)) expect(bytes, name).toBeGreaterThan(0.8 * budgets[name]!);
});
