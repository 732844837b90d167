import { expect, it } from 'vitest';
import { describeTransport } from '../../test/compliance.ts';
import { MemoryNetwork } from './memory.ts';
import { inLaterTurn } from './pacing.ts';

const network = new MemoryNetwork();
describeTransport('memory', { open: async (options) => network.open(options) });

it('delivers a packet that a listener sends in a later turn, even if the queue drops packets', async () => {
  const turn = () => new Promise<void>((resolve) => inLaterTurn(resolve));
  for (const [queueBound, totals] of [
    [16, [1, 3, 7]],
    [2, [1, 2, 3]],
  ] as const) {
    const end = network.open({ queueBound });
    let received = 0;
    end.onPacket((bytes, from) => {
      received++;
      for (let copy = 0; copy < 2; copy++) end.send(from, bytes);
    });
    end.send(end.local, Uint8Array.of(1));
    for (const total of totals) {
      await turn();
      expect(received).toBe(total);
    }
    await end.close();
  }
});

it('selects free ports from 1 to 65,535, and begins again at 1', async () => {
  const crowded = new MemoryNetwork();
  const first = crowded.open();
  for (let port = 2; port <= 65_535; port++) void crowded.open({ queueBound: 1 }).close();
  expect([first.local.port, crowded.open().local.port]).toEqual([1, 2]);
});
