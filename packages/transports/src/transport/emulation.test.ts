import { expect, it } from 'vitest';
import { describeTransport } from '../../test/compliance.ts';
import { delayed } from './impairment.ts';
import { MemoryNetwork } from './memory.ts';

const network = new MemoryNetwork();
describeTransport('memory, delayed by a millisecond', {
  open: async (options) => delayed(network.open(options), () => 1),
});

it('a packet from a distant node arrives after a later packet from a near node', async () => {
  const [far, near, receiver] = [network.open(), network.open(), network.open()];
  const here = delayed(receiver, (from) => (from.port === far.local.port ? 40 : 0));
  const arrivals: string[] = [];
  const both = new Promise<void>((done) =>
    here.onPacket((_bytes, from) => {
      arrivals.push(from.port === far.local.port ? 'far' : 'near');
      if (arrivals.length === 2) done();
    }),
  );
  far.send(here.local, Uint8Array.of(1));
  near.send(here.local, Uint8Array.of(2));
  await both;
  expect(arrivals).toEqual(['near', 'far']);
});

it('packets in transit at close never arrive', async () => {
  const [sender, receiver, other] = [network.open(), network.open(), network.open()];
  let arrivals = 0;
  const here = delayed(receiver, () => 1);
  const there = delayed(other, () => 2);
  here.onPacket(() => arrivals++);
  const later = new Promise((done) => there.onPacket(done));
  sender.send(here.local, Uint8Array.of(1));
  sender.send(there.local, Uint8Array.of(1));
  await new Promise(setImmediate);
  await here.close();
  await later;
  expect(arrivals).toBe(0);
});
