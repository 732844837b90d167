import { LineKind } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { findIn, runIndex } from './runIndex.ts';

const index = runIndex(recordedRun({ nodes: 16 }), true);
const { recording } = index;

/** Returns all moments that repeated searches find, until the first one is found again. */
function timesOf(text: string): number[] {
  const times: number[] = [];
  for (let afterUs = -1; ; ) {
    const found = findIn(index, text, afterUs);
    if (typeof found === 'string' || found.timeUs <= afterUs) return times;
    expect(found.node).toBe(Number(text.split('>').at(-1)));
    times.push(found.timeUs);
    afterUs = found.timeUs;
  }
}

it('finds each message from one node to another, in order, and then the first again', () => {
  const [from, to] = [3, 9];
  const sent = new Set<number>();
  for (let line = 0; line < recording.length; line++)
    if (
      recording.kind[line] === LineKind.send &&
      recording.node[line] === from &&
      recording.peer[line] === to &&
      recording.untilUs[line]! >= 0
    )
      sent.add(recording.timeUs[line]!);
  expect(sent.size).toBeGreaterThan(0);
  expect(timesOf(`${from} > ${to}`)).toEqual([...sent].sort((a, b) => a - b));
});

it('finds events of one node, and states the expected input if there are none', () => {
  expect(timesOf('5').length).toBeGreaterThan(3);
  for (const text of ['node 5', 'n5']) expect(findIn(index, text, 0)).toEqual(findIn(index, '5', 0));
  for (const text of ['', 'x', '5 > ', '99', '3 > 99', '1 2', '9'.repeat(400)])
    expect(findIn(index, text, 0), text).toBeTypeOf('string');
});
