import type { PointFault } from './points.ts';

const texts: Readonly<Record<PointFault, string>> = {
  length: 'one of another length',
  encoding: 'one of another encoding',
  'not-on-curve': 'a point off the curve',
  'not-in-subgroup': 'a point outside the subgroup',
  infinity: 'the point at infinity',
};

/** What came in place of a point, for a message that says what was expected. */
export function pointFaultText(fault: PointFault): string {
  return texts[fault];
}
