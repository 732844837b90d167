import { slotClock } from '@tutti/core/horn';
import { type Layer, layers, runPlannedSlot, type SlotWatch } from '@tutti/ethereum';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { HornNodes } from '../packages/transports/test/hornNodes.ts';
import { sampled } from './sampled.ts';

const bls = await loadBls();

/** Maximum relative difference of the copies. Some copies depend on the order of arrival. */
const tolerance = 0.02;

/** Counts the messages that a simulation publishes and verifies on each layer, and records the first publication. */
function counting() {
  const published = new Map<Layer, number>();
  const verified = new Map<Layer, number>();
  const firstUs = new Map<Layer, number>();
  const watch: SlotWatch = {
    published(layer, _place, _set, atUs) {
      published.set(layer, (published.get(layer) ?? 0) + 1);
      firstUs.set(layer, Math.min(atUs, firstUs.get(layer) ?? atUs));
    },
    verified(layer, sentUs, atUs) {
      const count = atUs.filter((at) => at !== -1 && at !== sentUs).length;
      verified.set(layer, (verified.get(layer) ?? 0) + count);
    },
    seen() {},
    missingPeers() {},
    overloaded() {},
  };
  return { published, verified, firstUs, watch };
}

describe('a slot of Horn, run by real nodes and simulated with the same seed', () => {
  it.each(sampled([1, 2, 3], 1))('has the same phases and counts, and copies within 2 %, seed %i', async (seed) => {
    const nodes = new HornNodes({ bls, validators: 64, nodes: 8, committees: 2, subcommittees: 2, seed });
    const reports = await nodes.run();
    const { published, verified, firstUs, watch } = counting();
    const costs = { verifyMs: 1, additionNs: 100, keySums: 'naive' } as const;
    const { run, result } = runPlannedSlot(nodes.slot.plan, { network: 'constant:1', ...costs, watch });
    const ofReal = (kind: 'published' | 'verified', layer: Layer) =>
      reports.flatMap((report) => report[kind].filter(({ topic }) => layers[topic - 1] === layer));
    for (const layer of layers) {
      expect(ofReal('published', layer).length, layer).toBe(published.get(layer));
      expect(ofReal('verified', layer).length, layer).toBe(verified.get(layer));
      expect(Math.min(...ofReal('published', layer).map(({ atUs }) => atUs)), layer).toBe(firstUs.get(layer));
      expect(result.delays[layer]?.inTime, layer).toBe(1);
    }
    const { endUs } = slotClock('horn', nodes.parameters);
    expect(result.reach.meanMs).toBeLessThan(endUs / 1000);
    expect(reports.map(({ votesInReach }) => votesInReach / 64)).toEqual(Array(8).fill(result.inReach.mean));
    const copies = reports.reduce((sum, { messagesSent }) => sum + messagesSent, 0);
    expect(Math.abs(copies - run.copies)).toBeLessThan(tolerance * run.copies);
    await nodes.close();
  });
});
