import { expect, it } from 'vitest';
import { describeTransport } from '../../test/compliance.ts';
import { transportChecks } from '../compliance.ts';
import { MemoryNetwork } from './memory.ts';
import type { Transport } from './transport.ts';

const network = new MemoryNetwork();
describeTransport('memory', { open: async (options) => network.open(options) });

it('a check that waits for a lost packet fails with the signal of its test, and closes its transports', async () => {
  const test = new AbortController();
  let open = 0;
  const lossy = (): Transport => {
    open++;
    const transport = new MemoryNetwork().open();
    transport.send = () => {};
    transport.close = async () => void open--;
    return transport;
  };
  const checks = transportChecks({ open: async () => lossy() });
  const run = checks.find(({ name }) => name === 'delivers to itself')!.run(test);
  test.abort('too late');
  await expect(run).rejects.toBe('too late');
  expect(open).toBe(0);
});

it('selects free ports from 1 to 65,535, and begins again at 1', async () => {
  const crowded = new MemoryNetwork();
  const first = crowded.open();
  for (let port = 2; port <= 65_535; port++) void crowded.open({ queueBound: 1 }).close();
  expect([first.local.port, crowded.open().local.port]).toEqual([1, 2]);
});
