import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runMain } from '../../../apps/node-cli/test/runMain.ts';
import { isWhole } from '../../../tests/sampled.ts';
import { tutti as tuttiProcess } from '../../../tests/tutti.ts';

beforeAll(() => void vi.stubEnv('TUTTI_BLS', 'wasm'));
afterAll(() => void vi.unstubAllEnvs());
const folder = mkdtempSync(join(tmpdir(), 'tutti-pixel-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

const tutti = (...args: string[]) => runMain(['pixel', ...args]);

async function json(...args: string[]) {
  const { code, out, err } = await tutti(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

const seedHex = Buffer.from('this is a very long seed for pixel tests').toString('hex');
const message = 'this is the message we want pixel to sign';

describe('tutti pixel', () => {
  it.runIf(isWhole)("creates, updates and signs like the authors' implementation", async () => {
    const key = at('reference.json');
    await json('keygen', key, '--suite', 'reference', '--insecure-seed-hex', seedHex);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    // SHA-256 of the secret key and of the signature, for periods 1 and 5; period 5 is reached by single updates.
    expect(await json('inspect', key)).toMatchObject({
      time: 1,
      subkeys: 1,
      publicKey: expect.stringMatching(/^00[0-9a-f]{96}$/),
      secretKeySha256: '891138dabcea2c216db33e0c02c89857159bd8350511a4daae7e2c34cb5f0a8f',
    });
    for (const to of ['2', '3', '4', '5']) await json('update', key, '--to', to, '--insecure-seed-hex', '');
    expect(await json('inspect', key, '--check')).toMatchObject({
      time: 5,
      subkeys: 5,
      secretKeySha256: '3285d5111f50d05ca9ae3af1618e7dd38f755991162bfdb0dbe67dfebf67541c',
    });
    const { time, signature } = await json('sign', key, '--message', message);
    expect(time).toBe(5);
    expect(createHash('sha256').update(signature).digest('hex')).toBe(
      '00fe910d063cadf027968f8071581729dfe4636a8bbe957b486c7af76b96576c',
    );
    const verified = await json('verify', key, '--message', message, '--signature', signature);
    expect(verified).toMatchObject({ valid: true, time: 5, verifiedBy: ['noble-curves', 'blst-wasm'] });
  });

  it('refuses to sign at an earlier period, and to go back, in one line with the reason', async () => {
    const key = at('past.json');
    await json('keygen', '--out', key);
    const before = readFileSync(key, 'utf8');
    await json('update', key, '--to', '8');
    const refused = await tutti('sign', key, '--message', message, '--time', '7');
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: `tutti: ${key}: expected a key that can sign in period 7, got one of the later period 8\n`,
    });
    expect((await tutti('sign', key, '--message', message, '--time', '9')).err).toMatch(
      /run 'tutti pixel update .* --to 9' first\n$/,
    );
    for (const to of ['7', '8']) expect((await tutti('update', key, '--to', to)).err).toMatch(/choose a later period/);
    // A key file with only the period changed is rejected, because the sub-keys do not belong to the new period.
    const forged = JSON.parse(readFileSync(key, 'utf8'));
    forged.secretKey = `${forged.secretKey.slice(0, 132)}00000007${forged.secretKey.slice(140)}`;
    writeFileSync(at('forged.json'), JSON.stringify(forged));
    expect((await tutti('sign', at('forged.json'), '--message', message)).err).toMatch(/\(sub-keys\)/);
    expect(before).not.toBe(readFileSync(key, 'utf8'));
  });

  it.skipIf(process.platform === 'win32')('warns about a key file that other users can read', async () => {
    const key = at('shared.json');
    await json('keygen', key);
    const warning = `tutti: warning: ${key}: other users can read these secrets; protect the file with chmod 600\n`;
    chmodSync(key, 0o644);
    // The command's bundle and its tests would have separate warning receivers in this process.
    for (const args of [
      ['inspect', key],
      ['update', key, '--to', '2'],
    ])
      expect(await tuttiProcess('pixel', ...args)).toMatchObject({ code: 0, err: warning });
    // An update writes a file that only its owner can read.
    expect(statSync(key).mode & 0o777).toBe(0o600);
  });

  it('replaces a key file as a whole, and overwrites the old one', async () => {
    const key = at('kept.json');
    await json('keygen', key);
    const before = readFileSync(key, 'utf8');
    const old = openSync(key, 'r');
    await json('update', key, '--to', '3');
    const bytes = readFileSync(old);
    closeSync(old);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    expect(bytes).toHaveLength(Buffer.byteLength(before));
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(await json('inspect', key)).toMatchObject({ time: 3 });
  });

  it('refuses to update a file with a second name, because the other name would keep the old key', async () => {
    const key = at('named.json');
    await json('keygen', key);
    linkSync(key, at('twice.json'));
    expect((await tutti('update', key, '--to', '3')).err).toMatch(/has 2 names \(hard links\)/);
    expect(await json('inspect', at('twice.json'))).toMatchObject({ time: 1 });
  });

  it('keeps a link without a target, and creates the target', async () => {
    symlinkSync(at('linked.json'), at('link.json'));
    await json('keygen', at('link.json'));
    expect(lstatSync(at('link.json')).isSymbolicLink()).toBe(true);
    expect(await json('inspect', at('linked.json'))).toMatchObject({ time: 1 });
  });

  it('two updates with entropy differ', async () => {
    const hashOf = async (key: string) => {
      await json('keygen', key, '--insecure-seed-hex', seedHex);
      await json('update', key, '--to', '2');
      return (await json('inspect', key)).secretKeySha256;
    };
    expect(await hashOf(at('one.json'))).not.toBe(await hashOf(at('two.json')));
  });

  it('refuses a signature of another text, period or key, and files that are not keys', async () => {
    const key = at('verify.json');
    const { publicKey } = await json('keygen', key);
    const { signature } = await json('sign', key, '--message', message);
    const verify = (...more: string[]) => tutti('verify', '--signature', signature, ...more);
    expect((await verify('--public-key', publicKey, '--message', message)).out).toMatch(
      /^valid in period 1, according to /,
    );
    expect((await verify('--public-key', publicKey, '--message', 'other')).err).toMatch(
      /^tutti: invalid: noble-curves refuses the signature\n$/,
    );
    expect((await verify(key, '--message', message, '--time', '2')).err).toMatch(
      /expected a signature of period 2, got one of period 1/,
    );
    expect((await verify('--message', message)).code).toBe(2);
    expect((await tutti('keygen', key)).err).toMatch(/exists already; use --force/);
    writeFileSync(at('none.json'), '{"version":1}');
    expect((await tutti('inspect', at('none.json'))).err).toMatch(
      /expected "version": 1 and "kind": "tutti pixel key"/,
    );
    const broken = JSON.parse(readFileSync(key, 'utf8'));
    // The changed bit is the sign of g2r.
    const flipped = (Number.parseInt(broken.secretKey[142], 16) ^ 2).toString(16);
    broken.secretKey = broken.secretKey.slice(0, 142) + flipped + broken.secretKey.slice(143);
    writeFileSync(at('broken.json'), JSON.stringify(broken));
    for (const [command, ...args] of [
      ['sign', '--message', message],
      ['inspect', '--check'],
    ])
      expect((await tutti(command!, at('broken.json'), ...args)).err).toMatch(/is not that of its public key/);
  });

  it('corruption rewrites a history of BLS, and no history of Pixel', async () => {
    const document = await json('corruption', '--members', '2', '--rounds', '3');
    expect(document).toMatchObject({ members: 2, rounds: 3, signNow: 2 });
    expect(document.attempts).toBeGreaterThan(8);
    expect(document.rewritten).toEqual([
      { round: 1, bls: expect.stringMatching(/^[0-9a-f]{192}$/), pixel: null },
      { round: 2, bls: expect.stringMatching(/^[0-9a-f]{192}$/), pixel: null },
    ]);
  });
});
