import { expect, it, vi } from 'vitest';
import { main } from '../main.ts';

// The timeout suits a busy machine. No test waits for time to pass.
vi.setConfig({ testTimeout: 120_000 });

it.each([
  ['--collections', '0', '--collections: expected an integer from 1 to 8192, got "0"'],
  ['--committee', '7', '--committee: expected an integer from 8 to 32768, got "7"'],
  ['--participation', '0.5,2', '--participation: expected shares greater than 0 and at most 1, got "2"'],
  ['--participation', '0.5,,1', '--participation: expected shares greater than 0 and at most 1, got ""'],
  ['--participation', '0.00004', '--participation: expected 2 votes of 32768 or more, got "0.00004"'],
  ['--threads', 'some', '--threads: expected an integer from 1 to 256, or all, got "some"'],
  ['--method', 'magic', '--method: expected naive or batched or subtraction or all, got "magic"'],
])('tutti bench collections refuses %s %s in one line', async (flag, value, line) => {
  const said: string[] = [];
  const context = {
    out: (text: string) => said.push(text),
    err: (text: string) => said.push(text),
    progress: 'none' as const,
    signal: new AbortController().signal,
  };
  expect(await main(['bench', 'collections', flag, value], context)).toBe(2);
  expect(said).toEqual([`tutti: ${line}\n`]);
});
