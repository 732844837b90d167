import { expect, it } from 'vitest';
import { closing, describeTransport } from '../../test/compliance.ts';
import { openBroadcast } from './broadcast.ts';

let names = 0;
describeTransport('broadcast between threads', {
  open: async ({ host = `end ${++names}`, ...options } = {}) =>
    openBroadcast({ group: 'compliance', name: host, ...options }),
  stranger: {
    write: async (_, bytes) => {
      const script = new BroadcastChannel('tutti packets compliance');
      script.postMessage(bytes);
      script.close();
    },
    invalidBytes: [],
    delivered: false,
  },
});

const open = (group: string, name: string) => closing(openBroadcast({ group, name }));

it('counts and ignores messages that other scripts post on the same channel', async () => {
  const a = open('shared', 'a');
  open('shared', 'b');
  const script = new BroadcastChannel('tutti packets shared');
  for (const message of [null, 'a', 7, { to: 'a' }, { from: 'b', to: 'a', bytes: [1] }, { from: 1, to: 'a' }])
    script.postMessage(message);
  const arrived = new Promise<Uint8Array>((resolve) => a.onPacket(resolve));
  script.postMessage({ from: 'b', to: 'a', bytes: Uint8Array.of(5) });
  expect((await arrived)[0]).toBe(5);
  expect(a.counters).toMatchObject({ packetsReceived: 1, bytesReceived: 1, malformed: 6 });
  script.close();
});

it('separates groups: a message of one group does not reach another', async () => {
  const [a, b, c] = [open('one', 'a'), open('one', 'b'), open('two', 'a')];
  const arrived = new Promise((resolve) => a.onPacket(resolve));
  b.send({ host: 'a', port: 0 }, Uint8Array.of(1));
  await arrived;
  expect(c.counters.packetsReceived).toBe(0);
});
