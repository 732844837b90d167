import { expect, it } from 'vitest';
import { roundMessage } from './plan.ts';

const text = (template: string, round: number) => new TextDecoder().decode(roundMessage(template, round));

it('a text gets the round number appended, a template gets it at its placeholder', () => {
  expect(text('tutti', 17)).toBe('tutti 17');
  expect(text('', 0)).toBe(' 0');
  expect(text('block {round} of chain {round}', 5)).toBe('block 5 of chain 5');
  expect(text('größer {Round}', 5)).toBe('größer {Round} 5');
});
