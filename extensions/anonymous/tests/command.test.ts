import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCrypto } from '@tutti/transports/node';
import { describe, expect, it, vi } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { bin, temporaryFolder } from '../../../tests/tutti.ts';
import { run } from './run.ts';

const cluster = (...args: string[]) => run('anonymous', 'cluster', '--nodes', '4', '--ring', '2', ...args, '--json');

/** v1.03 section 5.3 over sockets. */
describe('tutti anonymous cluster', { timeout: 120_000 }, () => {
  it('sets up over UDP, names the member that registered twice, and runs rounds on the anonymous registry', async () => {
    const { code, out } = await cluster('--cheats', '1', '--rounds', '2');
    expect(code).toBe(0);
    const { setup, rounds, nodes, verifiedBy } = JSON.parse(out);
    expect(setup).toMatchObject({ members: 4, rings: 2, accepted: 3, doubles: 1, excluded: [0] });
    expect(nodes).toBe(3);
    expect(rounds.map(({ signers }: { signers: number }) => signers)).toEqual([3, 3]);
    expect(verifiedBy).toBe('noble-curves');
  });

  it.runIf(isWhole)('excludes the member that registered twice, and sets up again without it', async () => {
    const { code, out } = await cluster('--cheats', '1', '--rounds', '1', '--again');
    expect(code).toBe(0);
    const { setup, secondSetup, nodes, signers } = JSON.parse(out);
    expect(setup).toMatchObject({ members: 4, rings: 2, accepted: 3, doubles: 1, excluded: [0] });
    // Three members with a minimum ring size of two form one ring.
    expect(secondSetup).toMatchObject({ members: 3, rings: 1, smallestRing: 3, accepted: 3, doubles: 0, excluded: [] });
    expect([nodes, signers]).toEqual([3, 3]);
  });

  it('ends in one line if a member fails on its first message', async () => {
    const seal = vi.spyOn(nodeCrypto, 'seal').mockImplementation(() => {
      throw new Error('Unknown cipher');
    });
    try {
      const { code, out, err } = await cluster('--rounds', '1');
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^tutti: member \d: Unknown cipher\n$/);
    } finally {
      seal.mockRestore();
    }
  });

  it('refuses invalid settings in one line', async () => {
    for (const [args, line] of [
      [['--proxy', '127.0.0.1:9050'], /--proxy: expected --transport tcp/],
      [['--again', '--signatures', 'linkable'], /--again: expected --signatures traceable/],
      [['--cheats', '4'], /--cheats: expected fewer than the 4 members/],
      [['--ring', '0'], /--ring: expected an integer/],
      [['--signatures', 'blind'], /--signatures: expected linkable or traceable/],
    ] as const) {
      const { code, err } = await cluster(...args);
      expect([code, err]).toEqual([2, expect.stringMatching(line)]);
    }
  });
});

describe('tutti anonymous, single commands', { timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder, name);
  const ring = file('ring.json');
  const ringFlags = ['--ring', ring, '--event', 'set-up 7'];
  const parsed = async (...args: string[]) => {
    const { code, out, err } = await run('anonymous', ...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };
  const sign = async (key: string, message: string, ...flags: string[]): Promise<string> =>
    (await parsed('sign', file(key), '--message', message, ...ringFlags, ...flags)).signature;

  it('creates identities readable by their owner only, and a ring of them signs', async () => {
    const keys = [];
    for (const name of ['a', 'b', 'c']) keys.push((await parsed('keygen', file(name))).publicKey);
    expect(statSync(file('a')).mode & 0o777).toBe(0o600);
    expect((await run('anonymous', 'keygen', file('a'))).code).toBe(1);
    writeFileSync(ring, JSON.stringify(keys));
    const [one, two] = [await sign('b', 'yes'), await sign('b', 'no')];
    const given = ['--message', 'yes', '--signature', one];
    expect(await parsed('verify', ...ringFlags, ...given)).toMatchObject({ valid: true, members: 3 });
    expect(await parsed('link', ...ringFlags, ...given, '--other-message', 'no', '--other-signature', two)).toEqual({
      kind: 'double',
      signer: 1,
      publicKey: keys[1],
    });
  });

  it('reports invalid inputs in one line', async () => {
    const signature = await sign('c', 'yes', '--signatures', 'linkable');
    writeFileSync(file('changed'), readFileSync(file('a'), 'utf8').replace(/"publicKey": "../, '"publicKey": "00'));
    writeFileSync(file('none'), '["text"]');
    await parsed('keygen', file('d'));
    const given = ['--message', 'yes', ...ringFlags];
    for (const [args, line] of [
      [['verify', ...given, '--signature', signature], /the signature: expected 224 bytes for 3 members, got 160/],
      [
        ['verify', ...given, '--message', 'no', '--signature', signature, '--signatures', 'linkable'],
        /no member of this ring made it/,
      ],
      [['sign', file('changed'), ...given], /secretKey does not belong to publicKey/],
      [['sign', file('d'), ...given], /its public key is not in/],
      [['verify', ...given, '--ring', file('none'), '--signature', '00'], /expected a JSON array of public keys/],
    ] as const) {
      const { code, err } = await run('anonymous', ...args);
      expect([code, err]).toEqual([1, expect.stringMatching(line)]);
    }
  });

  it('warns about secrets that other users can read, and enlist refuses min-sig keys', async () => {
    await parsed('keygen', file('member'));
    const keygen = async (variant: string) => {
      const out = file(`${variant}.json`);
      expect((await run('registry', 'keygen', '--out', out, '--variant', variant)).code).toBe(0);
      return file(`${variant}.secrets.json`);
    };
    const enlist = (key: string) =>
      run('anonymous', 'enlist', file('member'), '--key', key, '--out', file('listed.json'), '--force');
    const secrets = await keygen('min-pk');
    expect((await enlist(secrets)).code).toBe(0);
    const { code, err } = await enlist(await keygen('min-sig'));
    expect([code, err]).toEqual([1, expect.stringMatching(/: expected min-pk keys, got min-sig keys; /)]);
    if (process.platform === 'win32') return;
    for (const path of [secrets, file('member')]) chmodSync(path, 0o644);
    const args = ['anonymous', 'enlist', file('member'), '--key', secrets, '--out', file('listed.json'), '--force'];
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
    expect(status).toBe(0);
    for (const path of [secrets, file('member')]) expect(stderr).toContain(`${path}: other users can read`);
  });

  it('simulates a set-up, and prints and draws the costs of rings', async () => {
    expect(await parsed('simulate', '--nodes', '8', '--cheats', '1')).toMatchObject({ registries: 1, named: [0] });
    const { rows } = await parsed('rings', '--nodes', '16', '--svg', file('rings.svg'));
    expect(rows.map(({ size }: { size: number }) => size)).toEqual([4, 8, 16]);
    expect(readFileSync(file('rings.svg'), 'utf8')).toMatch(/^<svg.*ring size, members/s);
    const again = await run('anonymous', 'rings', '--nodes', '16', '--svg', file('rings.svg'));
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/exists already; use --force/)]);
    const { code, err } = await run('anonymous', 'simulate', '--network', 'moon');
    expect([code, err]).toEqual([2, expect.stringMatching(/network: expected/)]);
  });
});
