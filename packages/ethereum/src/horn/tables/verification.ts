import { defaultHornParameters, globalTopicLoad, type HornParameters, hornSizes } from '@tutti/core/horn';
import { batchedAdditionMultiplications, keySum, mixedAdditionMultiplications } from '../costs.ts';
import { participationPercents } from './bandwidth.ts';
import { atLeast, exactly, type HornGrid, type HornRow, type HornTable, rounded, row } from './row.ts';

/** The post's measurements for its 512 collections with 2^15 keys each, on one core. */
const measured = [
  { machine: 'i9-11980HK', seconds: 2.8 },
  { machine: 'i7-8550U', seconds: 6.1 },
  { machine: 'Raspberry Pi 4', seconds: 36 },
] as const;
const [, laptop, raspberryPi] = measured;

function additionsOf(parameters: HornParameters): number {
  return globalTopicLoad('horn', parameters, 0).messages * hornSizes(parameters).committee;
}

export function verificationTable(parameters: HornParameters): HornTable {
  const { committee } = hornSizes(parameters);
  return {
    title: 'Verifying a slot of collections',
    section: 'Verification time for collections',
    source: 'horn/costs.ts',
    rows: [...timeRows(additionsOf(parameters)), ...batchRows(committee), ...subtractionRows(committee)],
    grids: [additionsGrid(parameters)],
  };
}

/** Returns rows from the post's measurements: one addition, and all additions on one thread and on four threads. */
function timeRows(additions: number): HornRow[] {
  const measuredAdditions = additionsOf(defaultHornParameters);
  const scale = additions / measuredAdditions;
  return [
    row('point additions of all collections, at most', '', additions),
    ...measured.map(({ machine, seconds }) =>
      row(
        `an addition, by the post's ${seconds} s on the ${machine}`,
        'ns',
        (1e9 * seconds) / measuredAdditions,
        undefined,
        "The post's seconds are measured; its benchmark added copies of one point, that is, it doubled.",
      ),
    ),
    ...measured.map(({ machine, seconds }) =>
      row(
        `one thread of the ${machine}`,
        's',
        seconds * scale,
        exactly(`${seconds} seconds`, seconds),
        'Measured by the post; with other sizes in proportion to the additions.',
      ),
    ),
    row(`four threads of the ${raspberryPi.machine}`, 's', (raspberryPi.seconds * scale) / 4, exactly('9 seconds', 9)),
    row(`four threads of the ${laptop.machine}`, 's', (laptop.seconds * scale) / 4, rounded('1.5s', 1.5, 0.05)),
  ];
}

/** Returns the savings of a shared inversion. */
function batchRows(committee: number): HornRow[] {
  const batched = batchedAdditionMultiplications(committee);
  return [
    row(
      'time saved by batched affine additions, in field multiplications',
      '%',
      100 * (1 - batched / mixedAdditionMultiplications),
      rounded('40 % (measured)', 40, 5),
      `${batched.toFixed(2)} multiplications an addition where a mixed addition takes ${mixedAdditionMultiplications}; a count, not a measurement.`,
    ),
    row(
      'speed gained by batched affine additions, in field multiplications',
      '%',
      100 * (mixedAdditionMultiplications / batched - 1),
      rounded('40 % (measured)', 40, 5),
      'The other reading of a 40 % speed up: 40 % more additions a second, which is 29 % less time. Multiplications alone promise more; a measurement has memory and the inversion in it.',
    ),
  ];
}

/** Returns the savings of subtracting the keys of validators that did not vote. */
function subtractionRows(committee: number): HornRow[] {
  const half = keySum(committee, 50);
  return [
    row(
      'largest sum, by the largest with subtraction',
      'times',
      committee / half.subtracting,
      atLeast('at least 2x', 2),
    ),
    row(
      'sum of half of the keys, by the same with subtraction',
      'times',
      half.naive / half.subtracting,
      atLeast('at least 2x', 2),
      'Only the worst case is halved: a bitfield with half of its bits set, or fewer, is summed as before.',
    ),
    ...[95, 99].map((percent) =>
      row(
        `largest sum, by that at ${percent} % with subtraction`,
        'times',
        committee / keySum(committee, percent).subtracting,
      ),
    ),
  ];
}

function additionsGrid(parameters: HornParameters): HornGrid {
  const { committee } = hornSizes(parameters);
  const { messages: collections } = globalTopicLoad('horn', parameters, 0);
  const batched = batchedAdditionMultiplications(committee);
  return {
    title: 'Additions for the key of one collection, and field multiplications for all collections, by participation',
    columns: ['voted, %', 'naive', 'subtracting', 'naive by subtracting', 'naive, 10^6', 'both savings, 10^6'],
    rows: participationPercents.map((percent) => {
      const { naive, subtracting } = keySum(committee, percent);
      return [
        percent,
        naive,
        subtracting,
        subtracting === 0 ? '-' : naive / subtracting,
        (collections * naive * mixedAdditionMultiplications) / 1e6,
        (collections * subtracting * batched) / 1e6,
      ];
    }),
  };
}
