import { describe, expect, it } from 'vitest';
import { ethereumGossipsub } from '../../horn/network/gossipsub.ts';
import { type MeshExperiment, runMeshExperiment } from './meshExperiment.ts';

const small: MeshExperiment = {
  nodes: 60,
  topics: 2,
  publishers: 20,
  slots: 2,
  slotMs: 4000,
  messageBytes: 224,
  superShare: 0.2,
  superMbps: [1024, 1024],
  homeMbps: [50, 25],
  gossip: { ...ethereumGossipsub, fanout: 1 },
  batchMs: 10,
  eachUs: 100,
  network: 'constant:20',
  seed: 1,
};

describe('runMeshExperiment(experiment)', () => {
  it('delivers every message of every slot to every node, not before latency and check', () => {
    const slots = runMeshExperiment(small);
    expect(slots).toHaveLength(2);
    for (const { ms, receivedBytes } of slots) {
      expect(ms).toHaveLength(40);
      for (const row of ms) {
        expect(row).toHaveLength(60);
        expect(Math.min(...row)).toBeGreaterThanOrEqual(20 + 10);
        expect(Math.max(...row)).toBeLessThan(4000);
      }
      expect(receivedBytes).toBeGreaterThan(40 * 224);
    }
  });

  it('sends copies in parallel, opens windows of connections, and loses copies, if requested', () => {
    const block = { ...small, topics: 1, publishers: 0, slots: 1, messageBytes: 2 ** 20, superShare: 0, batchMs: 0 };
    const sorted = (gossip: Partial<MeshExperiment['gossip']>) =>
      runMeshExperiment({ ...block, slotMs: 60_000, gossip: { ...small.gossip, ...gossip } })[0]!.ms[0]!.toSorted();
    // The publisher has its own message immediately.
    const [, first] = sorted({});
    const copyMs = (2 ** 20 * 8) / 25e3;
    expect(sorted({ sharesUpload: true })[1]).toBeGreaterThan(small.gossip.dLow * copyMs);
    // With a round trip of 40 ms, a link of 3,125 bytes/ms is idle except while it sends two windows.
    const waits = 2 * 40 - (40_960 + 81_920) / 3125;
    expect(sorted({ windowBytes: 40_960 })[1]! - first!).toBeCloseTo(waits, 2);
    expect(sorted({ lostShare: 1 })[1]).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    [{ nodes: 1 }, /^nodes: expected an integer from 2 to 5000, got 1/],
    [{ homeMbps: [50, 0] }, /^homeMbps: expected a number from 0.001/],
    [{ superMbps: [100] as never }, /^superMbps: expected a download and an upload rate/],
    [{ homeMbps: undefined as never }, /^homeMbps: expected/],
    [{ byReceipt: 'no' as never }, /^byReceipt: expected/],
    [{ network: 'nowhere' }, /^network: expected/],
  ])('refuses %o', (changes, line) => {
    expect(() => runMeshExperiment({ ...small, ...changes } as MeshExperiment)).toThrow(line);
  });
});
