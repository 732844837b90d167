import { expect, it } from 'vitest';
import { validateWeights, weightsText } from './weights.ts';

it('a list has at most 2^20 weights, regardless of the length of its text', () => {
  const most = 2 ** 20;
  for (const text of [`${most}x1`, `${'1,'.repeat(most - 1)}1`, `${most - 1}x7,8`])
    expect(weightsText('weights', text)).toBe(text);
  for (const text of [`${most + 1}x1`, `${'1,'.repeat(most)}1`, `${most}x1,1`, '1,'.repeat(2_000_000)])
    expect(() => validateWeights('weights', text)).toThrow('weights: expected equal, pareto:A with A from 0.1 to 100');
});

it.each([
  ...['pareto:0', '1,', ',1', '1,,2', 'x1', '1x', '1x2x3', '1 2', '-1', '12345678x1', '12345678901234567890', '1,a'],
])('refuses an invalid list of weights: %j', (text) => {
  expect(() => validateWeights('weights', text)).toThrow('weights: expected equal');
});

it('refuses weights of 0', () => {
  expect(() => validateWeights('weights', '64x0')).toThrow('weights: expected positive weights');
});
