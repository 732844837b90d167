import { describe, expect, it } from 'vitest';
import { figure, ms, spelled } from './words.ts';

describe('spelled', () => {
  it.each([
    [8, 'Eight'],
    [13, 'Thirteen'],
    [20, 'Twenty'],
    [64, 'Sixty-four'],
    [99, 'Ninety-nine'],
    [100, '100'],
    [1024, '1,024'],
  ])('%i is %s', (value, words) => expect(spelled(value)).toBe(words));
});

describe('ms', () => {
  it('keeps a number and its unit on one line', () => expect(ms(143_250)).toBe('143.3\u00a0ms'));
});

describe('figure', () => {
  it('groups digits once there are five', () => expect([0, 1024, 65_536].map(figure)).toEqual(['0', '1024', '65,536']));
});
