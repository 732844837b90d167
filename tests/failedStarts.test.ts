import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openSignedLog } from '@tutti/certificates/log';
import { openUdp } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it, onTestFinished } from 'vitest';
import { insecureEntries, writeMembers } from './entries.ts';
import { sampled } from './sampled.ts';
import { temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const bls = await loadBls();
const members = await insecureEntries(bls, 1);
const { endpoint } = members.entries[0]!;

/** Returns a port of this machine that is in use until the test ends. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const change = (path: string, of: object): void =>
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...of }));

/** Prepares a fault before the start, and returns the flags for the start, by default those of an HTTP API. */
type Fault = (at: { readonly registry: string; readonly key: string }) => unknown;

const faults: Readonly<Record<string, readonly [fault: Fault, line: RegExp]>> = {
  'the registry is no registry': [({ registry }) => writeFileSync(registry, '{'), /expected JSON/],
  'the threshold is over everything': [({ registry }) => change(registry, { threshold: '3/2' }), /threshold: expected/],
  'the key is missing': [({ key }) => rmSync(key), /cannot be read \(ENOENT\)/],
  'the beacon is no beacon': [
    ({ registry }) => writeFileSync(registry.replace(/json$/, 'beacon.json'), '{}'),
    /beacon\.json: expected/,
  ],
  'its address is taken': [
    async () => {
      const taken = await openUdp({ host: endpoint.host, port: endpoint.port });
      onTestFinished(() => taken.close());
    },
    /^tutti: UDP 127\.0\.0\.1:\d+ is in use/,
  ],
  'the folder of certificates is a file': [
    ({ key }) => writeFileSync(`${key}.certificates`, ''),
    /^tutti: [^\n]+\.certificates: the folder cannot be created \(EEXIST\)\n$/,
  ],
  'the signed log is held by another process': [
    ({ key }) => {
      const log = openSignedLog(`${key}.signed`);
      onTestFinished(() => log.close());
    },
    /\.signed: /,
  ],
  'the signed log is damaged': [({ key }) => writeFileSync(`${key}.signed`, 'no line\n'), /\.signed: /],
  'the port of its HTTP API is taken': [
    async () => ['--http', `127.0.0.1:${await takenPort()}`],
    /^tutti: TCP 127\.0\.0\.1:\d+ is in use/,
  ],
  'its socket is a file': [({ key }) => ['--http', `unix:${key}`], /expected an unused path for a socket/],
  'the port of its metrics is taken': [
    async () => ['--metrics-port', `${await takenPort()}`],
    /^tutti: TCP 127\.0\.0\.1:\d+ is in use/m,
  ],
  'its documents go to a file': [({ key }) => ['--out-folder', key], /the folder cannot be created/],
  'its lines go to no folder': [() => ['--json-lines', join(folder, 'none/lines')], /cannot be written \(ENOENT\)/],
};

it.each(sampled(Object.entries(faults), 2))(
  'the process exits with code 1 and releases its address and log if %s',
  async (name, [fault, line]) => {
    const { registry, keys } = writeMembers(folder, name.replaceAll(' ', '-'), members);
    const key = keys[0]!;
    const flags = ((await fault({ registry, key })) ?? ['--http', '127.0.0.1:0']) as string[];
    const { code, out, err } = await tutti('node', '--registry', registry, '--key', key, ...flags);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(line);
    expect(err).not.toMatch(/certificates at|listens at/);
    if (!name.includes('address')) await (await openUdp({ host: endpoint.host, port: endpoint.port })).close();
    if (!name.includes('signed log')) openSignedLog(`${key}.signed`).close();
  },
);
