import { expect, it } from 'vitest';
import { main } from '../apps/node-cli/src/main.ts';
import { openSocksServer } from '../packages/transports/test/socksServer.ts';

/** v1.03 sections 5.2 and 5.3: who signs is hidden by the ring, where it is by the proxy. */
it('tutti anonymous cluster does what has no name by a SOCKS5 proxy, and nothing else', {
  timeout: 120_000,
}, async () => {
  const server = await openSocksServer();
  const { host, port } = server.proxy;
  const args = ['--nodes', '4', '--ring', '2', '--rounds', '1', '--signatures', 'linkable', '--json'];
  let out = '';
  const code = await main(['anonymous', 'cluster', '--transport', 'tcp', '--proxy', `${host}:${port}`, ...args], {
    out: (text) => {
      out += text;
    },
    err: () => {},
    isTerminal: false,
    signal: new AbortController().signal,
  });
  await server.close();
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ nodes: 4, signers: 4, setup: { accepted: 4, doubles: 0, struck: [] } });
  // Four members, each to some inboxes, and then Handel's neighbours: and never an inbox to an inbox.
  expect(server.asked.length).toBeGreaterThanOrEqual(4);
});
