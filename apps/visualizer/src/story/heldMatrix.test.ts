import { expect, it } from 'vitest';
import { indexedRun, upTo } from '../../test/recordedRun.ts';
import { never } from '../race/raceFile.ts';
import { heldAt } from '../timeline/heldSteps.ts';
import { doublingTimes, heldMatrix, pathOf } from './heldMatrix.ts';

it.each([8, 13, 64])('the matrix has as many signatures of each of %i nodes as the node has at the end', (nodes) => {
  const index = indexedRun({ nodes, seed: nodes });
  const since = heldMatrix(index);
  for (const id of upTo(nodes)) {
    const row = since.subarray(id * nodes, (id + 1) * nodes);
    expect(row[id]).toBeLessThan(never);
    expect(row.filter((at) => at < never)).toHaveLength(heldAt(index.steps, id, index.endUs));
  }
});

it('doublingTimes are at equal distances if every message takes 50 ms (v1.03 section 3.2)', () => {
  const times = doublingTimes(heldMatrix(indexedRun({ nodes: 8, network: 'constant:50', seed: 1 })), 8);
  expect(times).toHaveLength(3);
  const apart = times.map((us, place) => (us - (times[place - 1] ?? 0)) / 1000);
  for (const ms of apart) expect(ms >= 50 && ms < 80).toBe(true);
});

it.each([1, 2, 3])('a path leads from signer to node, each message after its sender had it, seed %i', (seed) => {
  const nodes = 32;
  const index = indexedRun({ nodes, seed });
  const since = heldMatrix(index);
  for (const signer of upTo(nodes))
    for (const to of upTo(nodes)) {
      let [holder, heldUs] = [signer, since[signer * nodes + signer]!];
      for (const hop of pathOf(signer, to, index, since)!) {
        expect(hop.from).toBe(holder);
        expect(hop.sentUs >= heldUs && hop.heldUs > hop.sentUs).toBe(true);
        [holder, heldUs] = [hop.to, hop.heldUs];
      }
      expect(holder).toBe(to);
    }
});
