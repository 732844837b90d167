import { expect, it } from 'vitest';
import { main } from '../apps/node-cli/src/main.ts';
import { openSocksServer } from '../packages/transports/test/socksServer.ts';

/** Members; with more than the few of the suite, in rings of 32, what came of it is printed: see docs/anonymous-setup.md. */
const asked = process.env.TUTTI_SOCKS_MEMBERS;
const [members, ring] = asked === undefined ? [4, 2] : [Number(asked), 32];

/** v1.03 sections 5.2 and 5.3: who signs is hidden by the ring, where it is by the proxy. */
it('tutti anonymous cluster does what has no name by a SOCKS5 proxy, and nothing else', {
  timeout: asked === undefined ? 120_000 : 3_600_000,
}, async () => {
  const server = await openSocksServer();
  const { host, port } = server.proxy;
  const args = ['--nodes', `${members}`, '--ring', `${ring}`, '--rounds', '1', '--timeout', '3600', '--json'];
  let out = '';
  let err = '';
  const code = await main(
    ['anonymous', 'cluster', '--transport', 'tcp', '--proxy', `${host}:${port}`, '--signatures', 'linkable', ...args],
    {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      isTerminal: false,
      signal: new AbortController().signal,
    },
  );
  await server.close();
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    nodes: members,
    signers: members,
    setup: { accepted: members, doubles: 0, struck: [], refused: {} },
  });
  // Each member to some inboxes, and then Handel's neighbours: and never an inbox to an inbox.
  expect(server.asked.length).toBeGreaterThanOrEqual(members);
  if (asked !== undefined) {
    const { setup, wallSeconds, refused } = document;
    console.log(JSON.stringify({ connectionsByProxy: server.asked.length, wallSeconds, refused, setup }, undefined, 2));
  }
});
