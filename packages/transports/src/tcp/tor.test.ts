import type { Endpoint } from '@tutti/core';
import { afterAll, afterEach, beforeAll, describe, vi } from 'vitest';
import { freePorts } from '../../../../tests/freePorts.ts';
import { describeTransport, type TransportFactory } from '../../test/compliance.ts';
import { describeSecurity } from '../../test/security.ts';
import { startTorNetwork, type TorNetwork } from '../../test/torNetwork.ts';
import { openTcp } from './tcp.ts';

/** Command that starts Tor; see scripts/part.mjs. */
const { TOR } = process.env;
const title = TOR === undefined ? 'over Tor: skipped, because TOR names no tor' : 'over Tor';

// Building circuits takes seconds, and starting the network takes half a minute.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const services = 3;

describe.skipIf(TOR === undefined)(title, () => {
  let network: TorNetwork;
  let endpoints: Endpoint[];
  let opened = 0;

  beforeAll(async () => {
    const ports = await freePorts(services);
    network = await startTorNetwork(TOR!, ports);
    endpoints = network.onionNames.map((host, i) => ({ host, port: ports[i]! }));
    await Promise.all(endpoints.map(reachable));
  });
  afterEach(() => {
    opened = 0;
  });
  afterAll(() => network?.close());

  /** Resolves once Tor has published a service's descriptor. */
  async function reachable(endpoint: Endpoint): Promise<void> {
    const there = await openTcp({ host: '127.0.0.1', port: endpoint.port });
    const here = await openTcp({ host: '127.0.0.1', proxy: network.socks });
    const arrived = new Promise((done) => there.onPacket(done));
    const sending = setInterval(() => here.send(endpoint, Uint8Array.of(1)), 500);
    await arrived;
    clearInterval(sending);
    await Promise.all([there.close(), here.close()]);
  }

  const factory: TransportFactory = {
    open({ host, port, ...rest } = {}) {
      const publicEndpoint = host === undefined ? endpoints[opened++]! : { host, port: port! };
      return openTcp({ ...rest, host: '127.0.0.1', port: publicEndpoint.port, publicEndpoint, proxy: network.socks });
    },
  };
  describeTransport('tcp through Tor, from and to hidden services,', factory);
  describeSecurity('tcp through Tor', factory);
});
