import { expect, it } from 'vitest';
import { PerfettoWriter } from './perfettoWriter.ts';

it('counts the packets since the last take', () => {
  const out = new PerfettoWriter();
  out.describeProcess(1, 'node');
  out.describeThread(2, 1, 'level');
  expect(out.packets).toBe(2);
  expect(out.take().length).toBeGreaterThan(0);
  expect(out.packets).toBe(0);
  out.describeThread(3, 1, 'level');
  expect(out.packets).toBe(1);
});
