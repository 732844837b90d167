import { registryTransports } from '@tutti/core';
import { expect, it } from 'vitest';
import * as transports from '../index.ts';
import { openTransport } from '../node.ts';

it.each(registryTransports)('opens %s by name, with its own options', async (kind) => {
  const transport = await openTransport({ kind, host: '127.0.0.1', maxPacketBytes: 99 });
  expect(transport.local.host).toBe('127.0.0.1');
  expect(transport.maxPacketBytes).toBe(99);
  await transport.close();
});

it('offers no QUIC and loads none of its libraries', () => {
  expect(registryTransports).toEqual(['udp', 'tcp']);
  expect(Object.keys(transports).filter((name) => /quic/i.test(name))).toEqual([]);
});
