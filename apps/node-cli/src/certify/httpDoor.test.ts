import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromHex, networkKey, toHex } from '@tutti/transports';
import { MemoryNetwork } from '@tutti/transports/browser';
import {
  type CertifyingGroup,
  convertCertificate,
  encodeWarpMessage,
  type JoinGroupOptions,
  joinGroup,
  messageHash,
  readCertificate,
  verifyCertificate,
  verifySignedWarp,
  warpSetOf,
} from '@tutti/transports/certificates';
import { nodeCrypto } from '@tutti/transports/raw';
import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { afterEach, describe, expect, it } from 'vitest';
import { listenAt, type RunningServer } from '../live/httpServer.ts';
import { certifierMetrics } from '../node/metrics.ts';
import { certifierDoor } from './httpDoor.ts';
import { httpFlag } from './httpPlace.ts';
import { KeptFolder } from './keptFolder.ts';
import { requireToken } from './runCertifier.ts';

const bls = await loadBls();
const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const unsigned = encodeWarpMessage({ network: 5, chain: new Uint8Array(32), payload: text('tutti') });

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Three members in memory, of whom the first has a door. */
async function members(of: Partial<JoinGroupOptions> = {}, size = 3) {
  const memory = new MemoryNetwork();
  const keys = Array.from({ length: size }, (_, index) => ({
    secretKey: insecureSecretKey(bls, 3, index),
    networkSecret: insecureSeed('network', 3, index),
  }));
  const transports = keys.map(() => memory.open());
  const entries = keys.map(({ secretKey, networkSecret }, index) => ({
    publicKey: bls.publicKey(secretKey),
    networkKey: networkKey(nodeCrypto, networkSecret).publicKey,
    endpoint: transports[index]!.local,
  }));
  const registry = { entries };
  const join = (index: number): Promise<CertifyingGroup> =>
    joinGroup({
      registry,
      key: keys[index]!,
      kernel: bls,
      transport: transports[index]!,
      approve: () => true,
      heightOf: (bytes) => (bytes[0] === 0x39 ? 9n : undefined),
      ...of,
    });
  const groups = await Promise.all(keys.map((_, index) => join(index)));
  ends.push(() => Promise.all(groups.map((group) => group.close())));
  return { registry, groups };
}

async function door({ token, of }: { token?: string; of?: Partial<JoinGroupOptions> } = {}) {
  const { registry, groups } = await members(of);
  const [group] = groups;
  const metrics = certifierMetrics(group!);
  const answer = certifierDoor({ group: group!, registry, kernel: bls, form: 'tutti', token, metrics });
  const server: RunningServer = await listenAt({ host: '127.0.0.1', port: 0 }, answer);
  ends.push(() => server.close());
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>) => ask(path, { method: 'POST', body });
  return { ask, post, registry, groups };
}

const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

describe("a group's door", () => {
  it('certifies what is posted, bytes or a hash, in any form, and gives what is kept', async () => {
    const { ask, post, registry } = await door();
    const posted = await post('/certificates', 'block 17');
    const name = toHex(messageHash(text('block 17')));
    expect([posted.status, posted.headers.get('tutti-message')]).toEqual([200, name]);
    const certificate = await bytesOf(posted);
    expect(verifyCertificate({ registry, bytes: text('block 17'), certificate, kernel: bls }).ok).toBe(true);
    expect((await ask(`/certificates/${name}`)).status).toBe(200);
    expect((await ask(`/certificates/${'0'.repeat(64)}`)).status).toBe(404);
    const hash = messageHash(text('a large thing'));
    const ofHash = await bytesOf(await post(`/certificates?format=eip2537&hash=${toHex(hash)}`, ''));
    const read = readCertificate('eip2537', ofHash, { registry, bytes: hash, kernel: bls });
    expect(verifyCertificate({ registry, bytes: hash, certificate: read!, kernel: bls }).ok).toBe(true);
    expect(await (await ask('/totals')).json()).toMatchObject({ certified: 2, kept: 2 });
    expect(await (await ask('/metrics')).text()).toContain('tutti_certificates_total 2');
    const seen = (await (await ask('/members')).json()) as { index: number; certificates: number; weight: string }[];
    expect(seen.map(({ index, certificates, weight }) => [index, certificates, weight])).toEqual([
      [0, 2, '1'],
      [1, 2, '1'],
      [2, 2, '1'],
    ]);
  });

  it('says by the status what was wrong', async () => {
    const { ask, post } = await door();
    await post('/certificates', '9 a');
    const refused = await post('/certificates', '9 b');
    expect([refused.status, await refused.json()]).toMatchObject([412, { code: 'already-signed' }]);
    expect((await post('/certificates', '')).status).toBe(400);
    expect((await post('/certificates?hash=xy', '')).status).toBe(400);
    expect((await post('/certificates?format=none', 'a')).status).toBe(400);
    expect((await post('/certificates?format=avalanche', 'no warp message')).status).toBe(400);
    expect((await post('/certificates', new Uint8Array(65_537))).status).toBe(413);
    expect((await ask('/elsewhere')).status).toBe(404);
  });

  it('streams how a certificate grows, until all have signed', async () => {
    const { ask } = await door();
    const hash = toHex(messageHash(text('grows')));
    const stream = await ask(`/certificates/${hash}`, { headers: { accept: 'text/event-stream' } });
    await (await ask('/certificates', { method: 'POST', body: 'grows' })).arrayBuffer();
    const events = (await stream.text())
      .trim()
      .split('\n\n')
      .map((line) => JSON.parse(line.slice('data: '.length)));
    const signers = events.map((event) => event.signers);
    expect(signers).toEqual([...signers].sort());
    expect(events.at(-1)).toMatchObject({ message: hash, signers: 3, weight: '3' });
  });

  it('asks for its token everywhere but at its health', async () => {
    const { ask } = await door({ token: 'secret' });
    expect((await ask('/health')).status).toBe(200);
    for (const path of ['/totals', '/members', '/metrics']) {
      expect((await ask(path)).status).toBe(401);
      expect((await ask(path, { headers: { authorization: 'Bearer other' } })).status).toBe(401);
      expect((await ask(path, { headers: { authorization: 'Bearer secret' } })).status).toBe(200);
    }
  });

  it("answers as Avalanche's signature-aggregator does", async () => {
    const { post, registry } = await door();
    const aggregate = (asked: object | string) =>
      post('/aggregate-signatures', typeof asked === 'string' ? asked : JSON.stringify(asked));
    for (const message of [toHex(unsigned), `0x${toHex(unsigned)}`]) {
      const response = await aggregate({
        message,
        'quorum-percentage': 100,
        'signing-subnet-id': '',
        justification: '',
      });
      const { 'signed-message': signed } = (await response.json()) as { 'signed-message': string };
      const set = warpSetOf(
        registry.entries.map(({ publicKey }) => ({ publicKey, weight: 1n })),
        (key) => {
          const read = bls.decodePublicKey(key);
          return read.ok ? read.point : new Uint8Array();
        },
      );
      const verdict = verifySignedWarp(
        fromHex(signed, signed.length / 2)!,
        set,
        { network: 5, numerator: 100n, denominator: 100n },
        bls,
      );
      expect(verdict).toEqual({ ok: true, weight: 3n });
    }
    const refusals = [
      ['{', 'Could not decode request body'],
      [{}, 'Must provide either message or justification'],
      [{ message: 'xyz' }, 'Could not decode message'],
      [{ message: '0011' }, 'Could not parse warp message'],
      [{ message: toHex(unsigned), 'quorum-percentage': 101 }, 'Invalid quorum number'],
    ] as const;
    for (const [asked, error] of refusals) {
      const response = await aggregate(asked);
      expect([response.status, await response.json()]).toEqual([400, { error }]);
    }
  });

  it('is at a socket of this user alone, which a former process may have left behind', async () => {
    const path = join(folder(), 'door');
    const answer = (_: unknown, response: { end(body: string): void }) => response.end('here');
    const first = await listenAt({ path }, answer);
    await expect(listenAt({ path }, answer)).rejects.toMatchObject({ code: 'address-in-use' });
    const body = await new Promise((resolve) => {
      request({ socketPath: path, path: '/' }, (response) =>
        response.on('data', (part) => resolve(String(part))),
      ).end();
    });
    expect(body).toBe('here');
    await first.close();
    expect(httpFlag(`unix:${path}`)).toEqual({ path });
    expect(() => requireToken({ path }, undefined)).not.toThrow();
    expect(() => requireToken({ host: '0.0.0.0', port: 1 }, undefined)).toThrow('expected a loopback address');
  });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'tutti-door-'));
  ends.push(() => rmSync(made, { recursive: true }));
  return made;
}

describe('a folder of certificates', () => {
  it('is bounded, gives what it keeps to the next process, and only what verifies', async () => {
    const path = folder();
    const kept = new KeptFolder(path, 3);
    const first = await members();
    first.groups[0]!.on('certificate', (one) => kept.keep(one));
    for (const words of ['a', 'b', 'c', 'd', 'e']) await first.groups[0]!.certify(text(words));
    const names = readdirSync(path);
    expect(names).toHaveLength(3);
    writeFileSync(join(path, '0'.repeat(64)), '{"message":"00","certificate":"00"}');
    writeFileSync(join(path, 'notes'), 'no certificate');
    const again = await members({ kept: new KeptFolder(path, 9).all() });
    expect(again.groups[0]!.counts.kept).toBe(3);
    for (const words of ['c', 'd', 'e']) {
      const one = again.groups[0]!.certificate(toHex(messageHash(text(words))))!;
      expect(convertCertificate('tutti', one.certificate, { ...again, bytes: one.bytes, kernel: bls })).toEqual(
        one.certificate,
      );
    }
  });
});
