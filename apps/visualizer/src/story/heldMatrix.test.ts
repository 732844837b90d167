import { describe, expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { heldAt } from '../timeline/heldSteps.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { doublings, heldMatrix, never, wayOf } from './heldMatrix.ts';

describe('heldMatrix', () => {
  it.each([8, 13, 64])('has as many signatures of each of %i nodes as the node has at the end', (nodes) => {
    const index = runIndex(recordedRun({ nodes, seed: nodes }), true);
    const since = heldMatrix(index);
    for (const id of upTo(nodes)) {
      const row = since.subarray(id * nodes, (id + 1) * nodes);
      expect(row[id]).toBeLessThan(never);
      expect(row.filter((at) => at < never)).toHaveLength(heldAt(index.steps, id, index.endUs));
    }
  });
});

describe('doublings', () => {
  it('are at equal distances if every message takes 50 ms (v1.03 section 3.2)', () => {
    const recording = recordedRun({ nodes: 8, network: 'constant:50', seed: 1 });
    const times = doublings(heldMatrix(runIndex(recording, true)), 8);
    expect(times).toHaveLength(3);
    const apart = times.map((us, place) => (us - (times[place - 1] ?? 0)) / 1000);
    for (const ms of apart) {
      expect(ms).toBeGreaterThanOrEqual(50);
      expect(ms).toBeLessThan(80);
    }
  });
});

describe('wayOf', () => {
  it.each([1, 2, 3])(
    'leads from each signer to each node, each message sent after its sender received it, seed %i',
    (seed) => {
      const nodes = 32;
      const index = runIndex(recordedRun({ nodes, seed }), true);
      const since = heldMatrix(index);
      for (const signer of upTo(nodes))
        for (const to of upTo(nodes)) {
          const way = wayOf(signer, to, index, since)!;
          const at = `${signer} to ${to}`;
          expect([signer, ...way.map((hop) => hop.to)].at(-1), at).toBe(to);
          let [holder, heldUs] = [signer, since[signer * nodes + signer]!];
          for (const hop of way) {
            expect(hop.from, at).toBe(holder);
            expect(hop.sentUs, at).toBeGreaterThanOrEqual(heldUs);
            expect(hop.arrivedUs, at).toBeGreaterThan(hop.sentUs);
            expect(hop.heldUs, at).toBeGreaterThanOrEqual(hop.arrivedUs);
            [holder, heldUs] = [hop.to, hop.heldUs];
          }
        }
    },
  );
});
