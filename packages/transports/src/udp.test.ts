import { expect, it } from 'vitest';
import { describeTransport } from '../test/compliance.ts';
import { openUdp } from './udp.ts';

describeTransport('udp over IPv4', { open: (options) => openUdp({ host: '127.0.0.1', ...options }) });

const hasIpv6 = await openUdp({ host: '::1' }).then(
  (transport) => transport.close().then(() => true),
  () => false,
);
if (hasIpv6) describeTransport('udp over IPv6', { open: (options) => openUdp({ host: '::1', ...options }) });

it('openUdp on an address of another machine says so', async () => {
  await expect(openUdp({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'address-unavailable' });
});

it('a packet that the system refuses to send is counted and nothing is thrown', async () => {
  const transport = await openUdp({ host: '127.0.0.1', maxPacketBytes: 100_000 });
  const neighbour = await openUdp({ host: '127.0.0.1' });
  const arrived = new Promise((resolve) => neighbour.onPacket(resolve));
  transport.send(neighbour.local, new Uint8Array(70_000));
  transport.send(neighbour.local, new Uint8Array(1));
  await arrived;
  expect(transport.counters.sendErrors).toBe(1);
  await Promise.all([transport.close(), neighbour.close()]);
});
