import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { formatRegistry, type ListedEntry, memberKeys, parseRegistry } from '@tutti/certificates';
import { toHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it, onTestFinished } from 'vitest';
import { formatSecrets } from '../../../apps/node-cli/src/node/identity.ts';
import { openSocksServer } from '../../../packages/transports/test/socksServer.ts';
import { insecureEntries } from '../../../tests/entries.ts';
import { freePorts } from '../../../tests/freePorts.ts';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { bin, start, temporaryFolder } from '../../../tests/tutti.ts';
import { run } from './run.ts';

/**
 * Number of members in the test. If `TUTTI_SOCKS_MEMBERS` sets the number, rings have at least 32 members, and the test
 * prints the result: see the README.
 */
const asked = process.env.TUTTI_SOCKS_MEMBERS;
const [members, ring] = asked === undefined ? [4, 2] : [Number(asked), 32];

/** v1.03 sections 5.2 and 5.3: the ring hides the signer, and the proxy hides the signer's address. */
it('tutti anonymous cluster uses a SOCKS5 proxy for anonymous messages only', {
  timeout: asked === undefined ? 120_000 : 3_600_000,
}, async () => {
  const server = await openSocksServer();
  const { host, port } = server.proxy;
  const { code, out, err } = await run(
    ...['anonymous', 'cluster', '--transport', 'tcp', '--proxy', `${host}:${port}`, '--signatures', 'linkable'],
    ...['--nodes', `${members}`, '--ring', `${ring}`, '--rounds', '1', '--timeout', '3600', '--json'],
  );
  await server.close();
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  const document = JSON.parse(out);
  expect(document).toMatchObject({
    nodes: members,
    signers: members,
    setup: { accepted: members, doubles: 0, excluded: [], refused: {} },
  });
  // Each member connects to some inboxes through the proxy, and later to Handel's neighbours. Inboxes do not connect to
  // each other through the proxy.
  expect(server.asked.length).toBeGreaterThanOrEqual(members);
  if (asked !== undefined) {
    const { setup, wallSeconds, refused } = document;
    console.log(JSON.stringify({ connectionsByProxy: server.asked.length, wallSeconds, refused, setup }, undefined, 2));
  }
});

/** Two set-ups: members on one machine, and members at separate hosts that are reachable only by onion names. */
const ways = [
  { way: 'over UDP', isHidden: false },
  { way: 'under onion names, by a SOCKS5 proxy', isHidden: true },
];

it.runIf(isWhole).each(sampled(ways, 1))(
  'three processes set up $way, and run a round of Handel with anonymous keys',
  { timeout: 240_000 },
  async ({ isHidden }) => {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    const bls = await loadBls();
    const made = await insecureEntries(bls, 3);
    const entries = isHidden ? made.entries.map(onHostsOfTheirOwn) : made.entries;
    writeFileSync(at('registry.json'), formatRegistry(entries));
    for (const [i, entry] of entries.entries()) {
      writeFileSync(at(`key.${i}`), formatSecrets([entry], [made.secrets[i]!]), { mode: 0o600 });
      for (const args of [
        ['keygen', at(`identity.${i}`)],
        ['enlist', at(`identity.${i}`), '--key', at(`key.${i}`), '--out', at(`listed.${i}`)],
      ])
        expect((await run('anonymous', ...args)).code).toBe(0);
    }

    const places = entries.map((_, i) => i);
    const shared = ['--registry', at('registry.json'), '--identities', ...places.map((i) => at(`listed.${i}`))];
    const register = (i: number, ...flags: string[]) =>
      start(
        ...['anonymous', 'register', ...shared, '--event', 'set-up 1', '--key', at(`key.${i}`)],
        ...['--identity', at(`identity.${i}`), '--out', at(`anonymous.${i}.json`), '--linger', '3', '--json', ...flags],
      ).finished;
    const server = await openSocksServer();
    const proxy = ['--proxy', `${server.proxy.host}:${server.proxy.port}`];
    const ports = await freePorts(3);
    const onions = ['a', 'b', 'c'].map((letter) => `${letter.repeat(56)}.onion`);
    const bindOf = (i: number) => ['--bind', `127.0.0.1:${ports[i]}`];
    const hidden = (i: number) => ['--listen', `${onions[i]}:${ports[i]}`, ...bindOf(i), ...proxy];
    if (isHidden) {
      const { code, err } = await register(2, '--listen', `localhost:${ports[2]}`, ...bindOf(2), ...proxy);
      expect([code, err]).toEqual([2, expect.stringMatching(/^tutti: --listen: expected a host other than those of/)]);
    }
    const registered = await Promise.all(
      places.map(async (i) => {
        const flags = isHidden ? [...hidden(i), '--inbox-bind', `127.0.0.1:${entries[i]!.endpoint.port}`] : [];
        const { code, out, err } = await register(i, ...flags);
        expect([code, code === 0 ? '' : err]).toEqual([0, '']);
        return JSON.parse(out);
      }),
    );
    for (const { keys, members, agreeing, doubles, digest } of registered)
      expect([keys, members, agreeing, doubles, digest]).toEqual([3, 3, 3, 0, registered[0].digest]);
    const anonymous = parseRegistry(readFileSync(at('anonymous.0.json'), 'utf8'));
    const known = new Set([...entries].map(({ publicKey }) => toHex(publicKey)));
    for (const { publicKey } of anonymous) expect(known).not.toContain(toHex(publicKey));
    if (isHidden) expect(anonymous.map(({ endpoint }) => endpoint.host).toSorted()).toEqual(onions);
    const owned = places.map((i) => {
      const path = at(`anonymous.${i}.secrets.json`);
      return toHex(memberKeys(readFileSync(path, 'utf8'), path)[0]!.publicKey);
    });
    expect(owned.toSorted()).toEqual(anonymous.map(({ publicKey }) => toHex(publicKey)));

    const nodes = places.map((i) =>
      reached(at(`anonymous.${i}.json`), at(`anonymous.${i}.secrets.json`), isHidden ? [...bindOf(i), ...proxy] : []),
    );
    for (const { signers, end } of await Promise.all(nodes)) {
      expect(signers).toBe(3);
      end();
    }
    await server.close();
  },
);

/** Returns a registry entry for TCP, with one of two host names. */
function onHostsOfTheirOwn(entry: ListedEntry, index: number): ListedEntry {
  const host = index === 2 ? 'localhost' : '127.0.0.1';
  return { ...entry, transport: 'tcp', endpoint: { host, port: entry.endpoint.port } };
}

/** Runs `tutti node` until the node has completed a round with other nodes. */
async function reached(
  registry: string,
  key: string,
  ways: readonly string[],
): Promise<{ readonly signers: number; end(): void }> {
  const files = ['--registry', registry, '--key', key];
  const flags = ['--threshold', '1', '--rounds-from', 'stdin', '--json-lines', '-', ...ways];
  const child = spawn(process.execPath, [bin, 'node', ...files, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.write('1\n');
  for await (const text of createInterface({ input: child.stdout })) {
    const { type, signers } = JSON.parse(text);
    if (type === 'reached') return { signers, end: () => child.stdin.end() };
  }
  throw new Error('the node ended before its round');
}
