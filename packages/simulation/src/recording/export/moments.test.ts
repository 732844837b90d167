import { expect, test } from 'vitest';
import { recordingOf } from '../../../test/recordings.ts';
import { defaultScenario } from '../../scenario/scenario.ts';
import type { Recording } from '../recording.ts';
import { Moments } from './moments.ts';

type Moment = readonly [timeUs: number, isEnd: boolean, line: number];

function walk(recording: Recording): Moment[] {
  const moments = new Moments(recording);
  const walked: Moment[] = [];
  while (moments.next()) walked.push([moments.timeUs, moments.isEnd, moments.line]);
  expect(moments.next()).toBe(false);
  return walked;
}

function sorted({ length, timeUs, untilUs }: Recording): Moment[] {
  const all: Moment[] = [];
  for (let line = 0; line < length; line++) {
    all.push([timeUs[line]!, false, line]);
    if (untilUs[line] !== -1 && untilUs[line]! <= timeUs[length - 1]!) all.push([untilUs[line]!, true, line]);
  }
  return all.sort((a, b) => a[0] - b[0] || Number(b[1]) - Number(a[1]) || a[2] - b[2]);
}

test('distinguishes times over 16 bits and over 24 bits', () => {
  const timeUs = Int32Array.of(0, 1, 2, 3, 2 ** 31 - 1);
  const untilUs = Int32Array.of(2 ** 31 - 1, 2 ** 16, 2 ** 24 + 1, 2 ** 16 + 1, -1);
  const recording = { ...recordingOf({ ...defaultScenario, nodes: 2 }), length: 5, timeUs, untilUs };
  expect(walk(recording)).toEqual(sorted(recording));
});
