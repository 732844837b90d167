import { LineKind } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { indexedRun, upTo } from '../../test/recordedRun.ts';
import { findIn } from './runIndex.ts';

const index = indexedRun({ nodes: 16 });
const { recording } = index;

/** Returns all moments found by repeated searches, until the first moment is found again. */
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
  const { kind, node, peer, timeUs, untilUs } = recording;
  const isSent = (line: number) =>
    kind[line] === LineKind.send && node[line] === from && peer[line] === to && untilUs[line]! >= 0;
  const lines = upTo(recording.length).filter(isSent);
  const sent = new Set(lines.map((line) => timeUs[line]!));
  expect(sent.size).toBeGreaterThan(0);
  expect(timesOf(`${from} > ${to}`)).toEqual([...sent].sort((a, b) => a - b));
});

it('finds events of one node, and states the expected input if there are none', () => {
  expect(timesOf('5').length).toBeGreaterThan(3);
  for (const text of ['node 5', 'n5']) expect(findIn(index, text, 0)).toEqual(findIn(index, '5', 0));
  for (const text of ['', 'x', '5 > ', '99', '3 > 99', '1 2', '9'.repeat(400)])
    expect(findIn(index, text, 0), text).toBeTypeOf('string');
});
