import { requireInteger } from '@tutti/core/input';

/**
 * Regions of AWS with round trips in ms, assumed symmetrical (v1.03 appendix B, all eleven regions of its table). The
 * table's values are taken as round trips: one way is half.
 */
export const awsRegions = [
  'Oregon',
  'Virginia',
  'Mumbai',
  'Seoul',
  'Singapore',
  'Sydney',
  'Tokyo',
  'Canada',
  'Frankfurt',
  'Ireland',
  'London',
] as const;

/** Round trips from region r, row by row, to the regions after it, as in the appendix, ms. */
const roundTripsMs: readonly (readonly number[])[] = [
  [81, 216, 126, 165, 138, 97, 64, 164, 131, 141],
  [182, 181, 232, 195, 167, 13, 88, 80, 75],
  [152, 62, 223, 123, 194, 111, 122, 113],
  [97, 133, 35, 184, 259, 254, 264],
  [169, 69, 218, 162, 174, 171],
  [105, 210, 282, 269, 271],
  [156, 235, 222, 234],
  [101, 78, 87],
  [24, 13],
  [12],
];

/** One-way latency within a region, which the appendix lacks, µs. */
const withinRegionUs = 1000;

/**
 * Returns the one-way latency between two regions without jitter, µs. Arguments are indices into {@link awsRegions}.
 */
export function awsOneWayUs(a: number, b: number): number {
  requireInteger('a', a, 0, awsRegions.length - 1);
  requireInteger('b', b, 0, awsRegions.length - 1);
  if (a === b) return withinRegionUs;
  const low = Math.min(a, b);
  return roundTripsMs[low]![Math.max(a, b) - low - 1]! * 500;
}
