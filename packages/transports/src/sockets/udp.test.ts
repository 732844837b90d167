import { registryTransports } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { closing, describeTransport } from '../../test/compliance.ts';
import { hasIpv6, noIpv6 } from '../../test/ipv6.ts';
import { udpStranger } from '../../test/rawUdp.ts';
import { describeSecurity } from '../../test/security.ts';
import { openTransport } from '../node.ts';
import { openUdp } from './udp.ts';

for (const [name, host] of Object.entries({ IPv4: '127.0.0.1', IPv6: '::1' }))
  describe.skipIf(host === '::1' && !hasIpv6)(host === '::1' && !hasIpv6 ? noIpv6 : name, () => {
    describeTransport(`udp over ${name}`, {
      open: (options) => openUdp({ host, ...options }),
      // A datagram socket reads continuously. Without a listener, the system or the transport drops the packets.
      openDeaf: async () => {
        const deaf = await openUdp({ host });
        return { endpoint: deaf.local, close: () => deaf.close() };
      },
      stranger: udpStranger,
    });
    if (host === '::1') describeSecurity(`udp over ${name}`, { open: (options) => openUdp({ host, ...options }) });
  });

it('openUdp refuses an address of another machine', async () => {
  await expect(openUdp({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'address-unavailable' });
});

it('a packet that the operating system refuses to send, or to a port that does not exist, is counted, and nothing throws', async () => {
  const transport = closing(await openUdp({ host: '127.0.0.1', maxPacketBytes: 65_507 }));
  const neighbour = closing(await openUdp({ host: '127.0.0.1' }));
  const arrived = new Promise((resolve) => neighbour.onPacket(resolve));
  transport.send({ ...neighbour.local, host: '255.255.255.255' }, new Uint8Array(1));
  transport.send({ ...neighbour.local, port: 70_000 }, new Uint8Array(1));
  transport.send(neighbour.local, new Uint8Array(65_507));
  await arrived;
  expect(transport.counters.sendErrors).toBe(2);
});

it('sends a long queue in few turns of the event loop', async () => {
  const transport = closing(await openUdp({ host: '127.0.0.1' }));
  const packets = 4000;
  for (let packet = 0; packet < packets; packet++) transport.send(transport.local, new Uint8Array(100));
  let turns = 0;
  for (; transport.counters.packetsSent < packets; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(turns).toBeLessThan(packets / 16 / 2);
  expect(transport.counters.queueDropped).toBe(0);
});

it.each(registryTransports)('opens %s by name, with its own options', async (kind) => {
  const transport = closing(await openTransport({ kind, host: '127.0.0.1', maxPacketBytes: 99 }));
  expect(transport.local.host).toBe('127.0.0.1');
  expect(transport.maxPacketBytes).toBe(99);
});
