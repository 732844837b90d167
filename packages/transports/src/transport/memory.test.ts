import { expect, it } from 'vitest';
import { describeTransport } from '../../test/compliance.ts';
import { MemoryNetwork } from './memory.ts';

const network = new MemoryNetwork();
describeTransport('memory', { open: async (options) => network.open(options) });

it('selects free ports from 1 to 65,535, and begins again at 1', async () => {
  const crowded = new MemoryNetwork();
  const first = crowded.open();
  for (let port = 2; port <= 65_535; port++) void crowded.open({ queueBound: 1 }).close();
  expect([first.local.port, crowded.open().local.port]).toEqual([1, 2]);
});
