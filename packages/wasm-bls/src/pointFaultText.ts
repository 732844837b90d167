import type { PointFault } from './points.ts';

const texts: Readonly<Record<PointFault, string>> = {
  length: 'a point with a different length',
  encoding: 'a point with a different encoding',
  'not-on-curve': 'a point off the curve',
  'not-in-subgroup': 'a point outside the subgroup',
  infinity: 'the point at infinity',
};

/** Returns a description of a value that is not a point, for an error message. */
export function pointFaultText(fault: PointFault): string {
  return texts[fault];
}
