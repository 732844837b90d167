import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drandChains } from '@tutti/wasm-bls/drand';
import { afterAll, describe, expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-drand-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const verify = (...args: string[]) => runMain(['verify', '--drand', ...args]);

/** Round 1000 of quicknet, as it was published. */
const published = {
  round: 1000,
  randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};
const info = {
  public_key: drandChains.quicknet.publicKey,
  schemeID: drandChains.quicknet.scheme,
  metadata: { beaconID: 'quicknet' },
};
const key = `key ${drandChains.quicknet.publicKey} (bls-unchained-g1-rfc9380)`;
const verdict = "round 1000 of drand's quicknet, say noble-curves and blst-wasm";

describe('tutti verify --drand', () => {
  it('accepts a round that quicknet published, and says whose key it was verified under', async () => {
    const file = write('round.json', published);
    const valid = (whose: string) => ({ code: 0, err: '', out: `valid: ${verdict}\n${key}: ${whose}\n` });
    expect(await verify(file)).toEqual(valid('built into this program'));
    const chain = write('info.json', info);
    expect(await verify(file, '--chain', chain)).toEqual(valid(`of ${chain}, given with --chain`));
    const named = write('named.json', { ...published, chain: info });
    expect(await verify(named)).toEqual(valid('named by the document, and built into this program'));
    expect(JSON.parse((await verify(file, '--json')).out)).toEqual({
      valid: true,
      round: 1000,
      chain: drandChains.quicknet,
      keyChosenBy: 'built-in',
      verifiedBy: ['noble-curves', 'blst-wasm'],
    });
  });

  it('takes no document at its word about its key: a stranger could have made one', async () => {
    const { loadBls } = await import('@tutti/wasm-bls');
    const { drandMessage, drandSchemes } = await import('@tutti/wasm-bls/drand');
    const bls = await loadBls({ variant: 'min-sig' });
    const secret = bls.keyGen(new Uint8Array(32).fill(7));
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    const own = {
      name: 'quicknet',
      scheme: 'bls-unchained-g1-rfc9380',
      publicKey: hex(bls.publicKey(secret)),
    } as const;
    const beacon = { round: 5, signature: new Uint8Array(), randomness: undefined, previousSignature: undefined };
    const domain = new TextEncoder().encode(drandSchemes[own.scheme].domain);
    const signature = hex(bls.sign(secret, drandMessage(own, beacon)!, domain));
    const file = write('own.json', { round: 5, signature, chain: { ...info, public_key: own.publicKey } });
    const { code, out, err } = await verify(file);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^key not checked: .*own\.json names it itself\nvalid only if this is the chain's key: round 5/,
    );
    expect(err).toContain('give --chain with quicknet, default, or a file of your own');
    expect((await verify(file, '--chain', 'quicknet')).err).toContain('the signature is not the chain');
  });

  it('says what is wrong with a round, a chain or a command line', async () => {
    const file = write('wrong.json', { ...published, round: 1001 });
    expect(await verify(file)).toMatchObject({ code: 1, out: '' });
    expect((await verify(file)).err).toContain("the signature is not the chain's on this round, says noble-curves");
    expect((await verify(write('no.json', { round: 1 }))).err).toContain('no.json: expected "signature"');
    expect((await verify(write('r.json', published), '--chain', write('c.json', {}))).err).toContain(
      'c.json: expected "schemeID"',
    );
    expect(await verify(file, '--registry', 'x.json')).toMatchObject({ code: 2 });
    expect(await verify(file, '--allow-unproven')).toMatchObject({ code: 2 });
    expect(await runMain(['verify', file, '--chain', 'quicknet'])).toMatchObject({ code: 2 });
  });
});
