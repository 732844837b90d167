import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { buffersOf } from './answerTasks.ts';

it('transfers a whole run without copies', () => {
  const index = runIndex(recordedRun({ nodes: 33 }), true);
  const held = index.grid.held.slice();
  const received = structuredClone(index, { transfer: buffersOf(index) });
  expect(received.grid.held).toEqual(held);
  expect(buffersOf(index).map((buffer) => buffer.byteLength)).toEqual(buffersOf(index).map(() => 0));
});
