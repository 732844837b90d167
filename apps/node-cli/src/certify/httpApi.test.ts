import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, truncateSync } from 'node:fs';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import {
  convertCertificate,
  encodeWarpMessage,
  messageHash,
  readCertificate,
  verifyCertificate,
  verifySignedWarp,
  warpSetOf,
} from '@tutti/certificates';
import { type JoinGroupOptions, joinGroup } from '@tutti/certificates/groups';
import { fromHex, toHex } from '@tutti/core/input';
import { MemoryNetwork } from '@tutti/transports';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { patiently } from '../../test/patiently.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { listenAt } from '../live/httpServer.ts';
import { httpFlag } from '../node/addressFlags.ts';
import { certifierMetrics } from '../node/metrics.ts';
import { insecureSecrets, registryEntry } from '../nodeKeys.ts';
import { type ApiOptions, apiServer, certifierApi } from './httpApi.ts';
import { CertificateFolder } from './memberFiles.ts';
import { requireToken } from './runCertifier.ts';

const bls = await loadBls();
const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const unsigned = encodeWarpMessage({ network: 5, chain: new Uint8Array(32), payload: text('tutti') });

async function members(of: Partial<JoinGroupOptions> = {}) {
  const memory = new MemoryNetwork();
  const opened = [0, 1, 2].map((index) => ({ key: insecureSecrets(bls, 3, index), transport: memory.open() }));
  const registry = { entries: opened.map(({ key, transport }) => registryEntry(bls, key, transport.local)) };
  const groups = await Promise.all(
    opened.map((own) => joinGroup({ registry, ...own, kernel: bls, approve: () => true, ...of })),
  );
  onTestFinished(async () => void (await Promise.all(groups.map((group) => group.close()))));
  return { registry, groups };
}

/** Creates three members in memory, the first of which has an HTTP API. */
async function api(of: Pick<ApiOptions, 'token' | 'needsHeight'> = {}) {
  const { registry, groups } = await members();
  const group = groups[0]!;
  const answer = certifierApi({ group, registry, kernel: bls, form: 'tutti', metrics: certifierMetrics(group), ...of });
  const server = await listenAt({ host: '127.0.0.1', port: 0 }, answer, apiServer);
  onTestFinished(() => server.close());
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  /** A request body of raw bytes has no content type, and is accepted. */
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    ask(path, { method: 'POST', body: typeof body === 'string' ? new TextEncoder().encode(body) : body });
  return { ask, post, registry, groups, port: server.port };
}

const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

describe("a group's HTTP API", () => {
  it('certifies posted bytes or hashes in any format, and returns stored certificates', async () => {
    const { ask, post, registry } = await api();
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
    expect(await (await ask('/totals')).json()).toMatchObject({ certified: 2, stored: 2 });
    expect(await (await ask('/metrics')).text()).toContain('tutti_certificates_total 2');
    expect(await (await ask('/members')).json()).toMatchObject(
      [0, 1, 2].map((index) => ({ index, certificates: 2, weight: '1' })),
    );
  });

  it('a member signs one message per requested height, and refuses a different message with a status code', async () => {
    const { ask, post, groups } = await api();
    const first = await post('/certificates?height=9', 'a');
    expect([first.status, first.headers.get('tutti-height')]).toEqual([200, '9']);
    const refused = await post('/certificates?height=9', 'b');
    expect([refused.status, await refused.json()]).toMatchObject([412, { code: 'already-signed' }]);
    expect((await post('/certificates?height=9', 'a')).status).toBe(200);
    expect((await ask(`/certificates/${toHex(messageHash(text('a')))}`)).headers.get('tutti-height')).toBe('9');
    // The other members received the message, so they also reject a different message at this height.
    await patiently(() => expect(groups.map(({ counts }) => counts.stored)).toEqual([1, 1, 1]));
    for (const group of groups)
      await expect(group.certify(text('b'), { height: 9n })).rejects.toMatchObject({ code: 'already-signed' });
    const hash = toHex(messageHash(text('c')));
    expect((await post(`/certificates?height=${2n ** 64n - 1n}&hash=${hash}`, '')).status).toBe(200);
    const aggregate = (height: string) =>
      post(`/aggregate-signatures?height=${height}`, JSON.stringify({ message: toHex(unsigned) }));
    expect((await aggregate('10')).status).toBe(200);
    expect((await aggregate('9')).status).toBe(500);
  });

  it('a member signs no message without a height if heights are required', async () => {
    const { post } = await api({ needsHeight: true });
    for (const path of ['/certificates', '/aggregate-signatures']) {
      const refused = await post(path, JSON.stringify({ message: toHex(unsigned) }));
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { error: 'height: expected ?height=N, got none; this member signs only messages with a height' },
      ]);
    }
    expect((await post('/certificates?height=0', 'a')).status).toBe(200);
  });

  it.each([
    ...['/certificates?hash=xy', '/certificates?hash=', '/certificates?hash=00&hash=01'],
    ...['/certificates?format=__proto__', '/certificates?format=avalanche', '/certificates?height='],
    ...['/certificates?height=-1', '/certificates?height=07', '/certificates?height=1e3', '/certificates?height=0x10'],
    ...['/certificates?height=18446744073709551616', '/certificates?height=9&height=10', '/certificates?heigth=9'],
    ...['/certificates?hash=00', '/certificates?%ff', '/certificates?hash=%', '/aggregate-signatures?hash=00'],
  ])('the API answers a malformed request with the status 400: POST %s', async (path) => {
    const { post, groups } = await api();
    expect((await post(path, 'no warp message')).status).toBe(400);
    expect(groups[0]!.counts.open).toBe(0);
  });

  it('states the error by the status code', async () => {
    const { ask, post } = await api();
    expect((await post('/certificates', '')).status).toBe(400);
    expect((await post('/certificates', 'tutti identity v1\0')).status).toBe(412);
    expect((await ask('/elsewhere')).status).toBe(404);
    expect((await ask(`/certificates/${'0'.repeat(63)}`)).status).toBe(404);
    expect((await ask('/certificates', { method: 'POST', body: 'of a type of forms' })).status).toBe(415);
  });

  it('the API answers a request with an oversized body before the whole body arrives, and reads the rest so that the client can read the answer', async () => {
    const { ask, post, port } = await api();
    for (const [path, longest] of Object.entries({ '/certificates': 65_536, '/aggregate-signatures': 196_608 })) {
      expect((await post(path, new Uint8Array(longest))).status).not.toBe(413);
      expect((await post(path, new Uint8Array(longest + 1))).status).toBe(413);
      expect((await post(path, new Uint8Array(10_000_000))).status).toBe(413);
      // The first request has a byte too many and no length; the second declares too large a length and sends none.
      const body = Readable.from([new Uint8Array(longest), new Uint8Array(1)]);
      expect((await ask(path, { method: 'POST', body, duplex: 'half' } as object)).status).toBe(413);
      const announced = request({ host: '127.0.0.1', port, method: 'POST', path, agent: false });
      announced.setHeader('content-length', longest + 1).flushHeaders();
      expect((await once(announced, 'response'))[0].statusCode).toBe(413);
      announced.on('error', () => {}).destroy();
      const parts = Array.from({ length: 100 }, () => new Uint8Array(longest / 16));
      // A client whose connection closes after the response has written its whole request by then.
      const large = request({ host: '127.0.0.1', port, method: 'POST', path, agent: false });
      large.setHeader('connection', 'close').end(new Uint8Array(10_000_000));
      const [[response]] = await Promise.all([once(large, 'response'), once(large, 'finish')]);
      expect(response.statusCode).toBe(413);
      await once(response.resume(), 'end');
      const sent = await ask(path, { method: 'POST', body: Readable.from(parts), duplex: 'half' } as object);
      expect([sent.status, await sent.json()]).toEqual([
        413,
        { error: `body: expected at most ${longest.toLocaleString('en-US')} bytes, got more` },
      ]);
    }
  });

  it('streams the growth of a certificate until all have signed', async () => {
    const { ask, post } = await api();
    const hash = toHex(messageHash(text('grows')));
    const stream = await ask(`/certificates/${hash}`, { headers: { accept: 'text/event-stream' } });
    await (await post('/certificates', 'grows')).arrayBuffer();
    const events = (await stream.text())
      .trim()
      .split('\n\n')
      .map((line) => JSON.parse(line.slice('data: '.length)));
    const signers = events.map((event) => event.signers);
    expect(signers).toEqual([...signers].sort());
    expect(events.at(-1)).toMatchObject({ message: hash, signers: 3, weight: '3' });
  });

  it('requires its token except for its health', async () => {
    const { ask } = await api({ token: 'secret' });
    for (const path of ['/health', '/alive']) expect((await ask(path)).status).toBe(200);
    for (const path of ['/totals', '/members', '/metrics']) {
      expect((await ask(path)).status).toBe(401);
      expect((await ask(path, { headers: { authorization: 'Bearer other' } })).status).toBe(401);
      expect((await ask(path, { headers: { authorization: 'Bearer secret' } })).status).toBe(200);
    }
  });

  it("answers like Avalanche's signature-aggregator", async () => {
    const { post, registry } = await api();
    const aggregate = (asked: object | string) =>
      post('/aggregate-signatures', typeof asked === 'string' ? asked : JSON.stringify(asked));
    for (const message of [toHex(unsigned), `0x${toHex(unsigned)}`]) {
      const others = { 'signing-subnet-id': '', justification: '' };
      const response = await aggregate({ message, 'quorum-percentage': 100, ...others });
      const { 'signed-message': signed } = (await response.json()) as { 'signed-message': string };
      const set = warpSetOf(
        registry.entries.map(({ publicKey }) => ({ publicKey, weight: 1n })),
        (key) => {
          const read = bls.decodePublicKey(key);
          return read.ok ? read.point : new Uint8Array();
        },
      );
      const rule = { network: 5, numerator: 100n, denominator: 100n };
      expect(verifySignedWarp(fromHex(signed)!, set, rule, bls)).toEqual({ ok: true, weight: 3n });
    }
    const refusals = [
      ['{', 'Could not decode request body'],
      ['{"message":"0011","message":"0012"}', 'Could not decode request body'],
      [{}, 'Must provide either message or justification'],
      [{ message: 'xyz' }, 'Could not decode message'],
      [{ message: '0x123' }, 'Could not decode message'],
      [{ message: '0011' }, 'Could not parse warp message'],
      [{ message: toHex(unsigned), 'quorum-percentage': 101 }, 'Invalid quorum number'],
    ] as const;
    for (const [asked, error] of refusals) {
      const response = await aggregate(asked);
      expect([response.status, await response.json()]).toEqual([400, { error }]);
    }
  });

  it.each(['127.0.0.1:1', '127.9.9.9:1', '[::1]:1', 'localhost:1', 'unix:/run/tutti.sock'])(
    'requires no token on this machine only, at %s',
    (place) => expect(() => requireToken(httpFlag(place), undefined)).not.toThrow(),
  );

  it.each([
    ...['0.0.0.0', '::', '127.example.org', '127.0.0.1.example.org', 'localhost.example', '192.0.2.1', '2001:db8::1'],
  ])('the API requires a token at the address %s', (host) => {
    expect(() => requireToken({ host, port: 1 }, undefined)).toThrow('expected a loopback address');
    expect(() => requireToken({ host, port: 1 }, 'secret')).not.toThrow();
  });
});

describe('a folder of certificates', () => {
  const { folder: path, at, write } = temporaryFiles();

  it('the folder has a maximum size, and its valid certificates are available to the next process', async () => {
    const stored = new CertificateFolder(path, 3);
    const first = await members();
    first.groups[0]!.on('certificate', (one) => stored.keep(one));
    for (const words of ['a', 'b', 'c', 'd']) await first.groups[0]!.certify(text(words));
    await first.groups[0]!.certify(text('e'), { height: 9n });
    expect(readdirSync(path)).toHaveLength(3);
    write('0'.repeat(64), '{"message":"00","certificate":"00"}');
    write('1'.repeat(64), '{"message":"001","certificate":"00"}');
    write('notes', 'no certificate');
    symlinkSync('nowhere', at('2'.repeat(64)));
    // When opening a pipe, the process would wait for a writer.
    spawnSync('mkfifo', [at('3'.repeat(64))]);
    mkdirSync(at('4'.repeat(64)));
    truncateSync(write('5'.repeat(64), ''), 2 ** 32);
    const again = await members({ stored: new CertificateFolder(path, 9).all() });
    expect(again.groups[0]!.counts.stored).toBe(3);
    for (const words of ['c', 'd', 'e']) {
      const one = again.groups[0]!.certificate(toHex(messageHash(text(words))))!;
      expect(convertCertificate('tutti', one.certificate, { ...again, bytes: one.bytes, kernel: bls })).toEqual(
        one.certificate,
      );
      expect(one.height).toBe(words === 'e' ? 9n : undefined);
    }
  });
});
