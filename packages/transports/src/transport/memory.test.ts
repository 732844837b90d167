import { expect, it } from 'vitest';
import { describeTransport, until } from '../../test/compliance.ts';
import { transportChecks } from '../compliance.ts';
import { MemoryNetwork } from './memory.ts';
import type { Transport, TransportCounters } from './transport.ts';

const network = new MemoryNetwork();
describeTransport('memory', { open: async (options) => network.open(options) });

it.each([
  ['delivers to itself', 1],
  ['stores packets up to its bound', 3],
])('a check waiting for a lost packet (%s) fails with the signal of its test, and closes all', async (title, all) => {
  const test = new AbortController();
  let [opened, open] = [0, 0];
  const lossy = (): Transport => {
    opened++;
    open++;
    const transport = new MemoryNetwork().open();
    transport.send = () => void (transport.counters as TransportCounters).packetsSent++;
    transport.close = async () => void open--;
    return transport;
  };
  const checks = transportChecks({
    open: async () => lossy(),
    openDeaf: async () => ({ endpoint: { host: 'memory', port: 1 }, close: lossy().close }),
  });
  const run = checks.find(({ name }) => name.startsWith(title))!.run(test);
  test.abort('too late');
  await expect(run).rejects.toBe('too late');
  await until(() => opened === all && open === 0);
});

it('selects free ports from 1 to 65,535, and begins again at 1', async () => {
  const crowded = new MemoryNetwork();
  const first = crowded.open();
  for (let port = 2; port <= 65_535; port++) void crowded.open({ queueBound: 1 }).close();
  expect([first.local.port, crowded.open().local.port]).toEqual([1, 2]);
});
