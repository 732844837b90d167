import { expect, it } from 'vitest';
import { Duty, electDuties } from './committees.ts';
import { defaultHornParameters as post } from './parameters.ts';

it('elects on average 16 aggregators per subcommittee and 16 collectors per committee, independently', () => {
  const duties = electDuties(post, 1);
  const count = (duty: number): number => duties.reduce((sum, of) => sum + ((of & duty) === duty ? 1 : 0), 0);
  // Tolerance of five standard deviations. Expected: 32,768 aggregators, 512 collectors, and 16 validators with both
  // duties.
  expect(Math.abs(count(Duty.aggregator) - 32_768)).toBeLessThan(5 * Math.sqrt(32_768));
  expect(Math.abs(count(Duty.collector) - 512)).toBeLessThan(5 * Math.sqrt(512));
  expect(Math.abs(count(Duty.aggregator | Duty.collector) - 16)).toBeLessThan(5 * Math.sqrt(16));
});
