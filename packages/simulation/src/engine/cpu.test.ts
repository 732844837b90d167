import { expect, it } from 'vitest';
import { cpuFactors } from './cpu.ts';

it('v1.03 appendix A: half of the nodes are uniform in [1/3, 1], half in [1, 3]', () => {
  const factors = [...cpuFactors(20_000, 1)];
  expect(Math.min(...factors)).toBeGreaterThanOrEqual(0.333);
  expect(Math.max(...factors)).toBeLessThanOrEqual(3);
  const faster = factors.filter((factor) => factor < 1);
  const slower = factors.filter((factor) => factor >= 1);
  expect(faster.length / 20_000).toBeCloseTo(0.5, 1);
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value) / values.length;
  expect(mean(faster)).toBeCloseTo(2 / 3, 1);
  expect(mean(slower)).toBeCloseTo(2, 1);
  expect(Math.min(...factors)).toBeLessThan(0.34);
  expect(Math.max(...factors)).toBeGreaterThan(2.99);
});
