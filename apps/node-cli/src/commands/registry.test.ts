import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRegistry } from '@tutti/certificates';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFolder } from '../../test/temporaryFolder.ts';

beforeAll(() => void vi.stubEnv('TUTTI_BLS', 'wasm'));
afterAll(() => void vi.unstubAllEnvs());
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

const tutti = (...args: string[]) => runMain(args);

/** Writes a registry file with some fields of one entry replaced. */
function changed(name: string, index: number, fields: object): string {
  const document = JSON.parse(readFileSync(at('group.json'), 'utf8'));
  Object.assign(document.entries[index], fields);
  writeFileSync(at(name), JSON.stringify(document));
  return at(name);
}

const keygen = (name: string, ...more: string[]) => tutti('registry', 'keygen', '--out', at(name), ...more);

describe('tutti registry', () => {
  it('make combines the entries of nodes, in order, with the transport of each', async () => {
    await keygen('a.json', '--host', '::1');
    await keygen('b.json', '--transport', 'tcp', '--host', 'node.example', '--port', '443');
    await keygen('c.json', '--count', '2', '--port', '9001');
    const made = await tutti('registry', 'make', at('b.json'), at('a.json'), at('c.json'), '--out', at('group.json'));
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/group\.json: 4 nodes, digest [0-9a-f]{64}\n$/);
    const entries = parseRegistry(readFileSync(at('group.json'), 'utf8'));
    expect(entries.map(({ transport, endpoint }) => [transport, endpoint.host, endpoint.port])).toEqual([
      ['tcp', 'node.example', 443],
      ['udp', '::1', 9000],
      ['udp', '127.0.0.1', 9001],
      ['udp', '127.0.0.1', 9002],
    ]);
    expect(await tutti('registry', 'make', at('a.json'), '--out', at('group.json'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already; use --force/),
    });
  });

  it('supports min-sig keys: it checks them and signs their beacon', async () => {
    for (const [name, port] of [
      ['s1.json', '9000'],
      ['s2.json', '9001'],
    ] as const)
      expect((await keygen(name, '--variant', 'min-sig', '--port', port)).code).toBe(0);
    expect(JSON.parse(readFileSync(at('s1.json'), 'utf8')).variant).toBe('min-sig');
    const made = await tutti('registry', 'make', at('s1.json'), at('s2.json'), '--out', at('sig.json'));
    expect(made).toMatchObject({ code: 0, err: '' });
    expect((await tutti('registry', 'check', at('sig.json'))).code).toBe(0);
    for (const one of ['1', '2'])
      expect(
        (await tutti('registry', 'sign', at('sig.json'), '--key', at(`s${one}.secrets.json`), '--out', at(`p${one}`)))
          .code,
      ).toBe(0);
    expect((await tutti('registry', 'beacon', at('sig.json'), at('p1'), at('p2'))).code).toBe(0);
    const mixed = await tutti('registry', 'make', at('s1.json'), at('c.json'), '--out', at('mixed.json'));
    expect(mixed).toMatchObject({ code: 1 });
    expect(mixed.err).toContain('entry 1: expected a min-sig key');
    expect(await tutti('registry', 'make', at('s1.json'), '--variant', 'min-sig')).toMatchObject({ code: 2 });
  });

  it('make refuses inconsistent entries and writes nothing', async () => {
    const twice = await tutti('registry', 'make', at('a.json'), at('a.json'), '--out', at('twice.json'));
    expect(twice).toMatchObject({ code: 1, out: '' });
    expect(twice.err).toMatch(/^tutti: registry entry 1: publicKey is that of entry 0 or its negative .*\n$/);
    const none = await tutti('registry', 'make', '--out', at('none.json'));
    expect(none).toMatchObject({ code: 2, err: expect.stringMatching(/^tutti: registry make: expected files/) });
    const both = await tutti('registry', 'make', at('a.json'), '--insecure-keys', '2');
    expect(both).toMatchObject({ code: 2, err: 'tutti: registry make: expected files or --insecure-keys, got both\n' });
    for (const name of ['twice.json', 'none.json'])
      expect(statSync(at(name), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('make --insecure-keys creates the same keys for the same seed, with secrets readable by their owner only', async () => {
    const make = (name: string, seed: string) =>
      tutti('registry', 'make', '--insecure-keys', '2', '--seed', seed, '--out', at(name));
    for (const [name, seed] of [
      ['r1.json', '5'],
      ['r2.json', '5'],
      ['r3.json', '6'],
    ] as const)
      expect((await make(name, seed)).code).toBe(0);
    const text = (name: string) => readFileSync(at(name), 'utf8');
    expect(text('r1.json')).toBe(text('r2.json'));
    expect(text('r1.json')).not.toBe(text('r3.json'));
    expect(statSync(at('r1.secrets.json')).mode & 0o777).toBe(0o600);
    const byFormerName = ['--rehearsal', '2', '--seed', '5', '--out', at('r4.json')];
    expect((await tutti('registry', 'make', ...byFormerName)).code).toBe(0);
    expect(text('r4.json')).toBe(text('r1.json'));
  });

  it('check prints the valid properties, and the entry and reason of each invalid one', async () => {
    const good = await tutti('registry', 'check', at('group.json'));
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toMatch(
      /: 4 nodes: keys, addresses, proofs of possession and network keys are valid\nepoch 0, threshold 67\/100 \(default\), margin none, total weight 4, min-pk\ndigest [0-9a-f]{64}\n$/,
    );
    const entries = JSON.parse(readFileSync(at('group.json'), 'utf8')).entries;
    const { networkKey } = entries[1];
    const anotherKey = `${networkKey.startsWith('ff') ? '00' : 'ff'}${networkKey.slice(2)}`;
    for (const [fields, expected] of [
      [{ proofOfPossession: entries[1].proofOfPossession }, /registry entry 2: proofOfPossession is not valid/],
      [{ networkKey: anotherKey }, /registry entry 2: networkKeyProof does not bind/],
      [{ networkKey: '00'.repeat(32) }, /registry entry 2: expected a valid networkKey, got one of low order/],
      [{ networkKey: entries[3].networkKey }, /registry entry 3: networkKey is that of entry 2/],
      [
        { address: { ...entries[3].address, host: '0.0.0.0' } },
        /registry entry 2: host: expected an IP address for udp/,
      ],
    ] as const) {
      const path = changed('changed.json', 2, fields);
      const result = await tutti('registry', 'check', path);
      expect(result).toMatchObject({ code: 1, out: '' });
      expect(result.err).toMatch(expected);
      expect(result.err).toMatch(/^tutti: .*changed\.json: [^\n]*\n$/);
    }
  });

  /** Writes a copy of a registry with some fields of the document replaced. */
  const withTerms = (name: string, of: string, terms: object): string => {
    writeFileSync(at(name), JSON.stringify({ ...JSON.parse(readFileSync(at(of), 'utf8')), ...terms }));
    return at(name);
  };

  it('check prints the terms in the digest, and refuses terms that no daemon accepts', async () => {
    const terms = { epoch: '3', threshold: '2/3', margin: '1/100' };
    const path = withTerms('terms.json', 'group.json', terms);
    const named = await tutti('registry', 'check', path);
    expect(named.out).toContain('\nepoch 3, threshold 2/3, margin 1/100, total weight 4, min-pk\n');
    const digestOf = async (...file: string[]) => JSON.parse((await tutti('registry', ...file, '--json')).out);
    expect(await digestOf('check', path)).toMatchObject({ ...terms, weight: '4', variant: 'min-pk', holds: true });
    const { digest } = await digestOf('check', path);
    expect((await digestOf('show', path)).digest).toBe(digest);
    const without = await digestOf('check', at('group.json'));
    expect(without).toMatchObject({ epoch: '0', threshold: '67/100', margin: null });
    expect(without.digest).not.toBe(digest);
    for (const [wrong, message] of [
      [
        { threshold: 0.67 },
        /registry: threshold: expected a share greater than 0 and at most 1, such as "67\/100", got 0.67\n$/,
      ],
      [{ threshold: '67%' }, /threshold: expected a share/],
      [{ threshold: '3/2' }, /threshold: expected a share/],
      [{ treshold: '67/100' }, /got "treshold" \(Did you mean threshold\?\)\n$/],
      [{ epoch: 3 }, /epoch: expected an integer as a text/],
    ] as const)
      for (const command of ['check', 'show']) {
        const result = await tutti('registry', command, withTerms('wrong.json', 'group.json', wrong));
        expect(result).toMatchObject({ code: 1, out: '' });
        expect(result.err).toMatch(message);
      }
  });

  it('make keeps the terms of its files, which must be equal', async () => {
    const terms = { epoch: '1', threshold: '1/2' };
    const [a, c] = ['a', 'c'].map((name) => withTerms(`terms-${name}.json`, `${name}.json`, terms));
    expect((await tutti('registry', 'make', a!, c!, '--out', at('kept.json'))).code).toBe(0);
    expect(JSON.parse(readFileSync(at('kept.json'), 'utf8'))).toMatchObject(terms);
    const lost = await tutti('registry', 'make', a!, at('c.json'), '--out', at('lost.json'));
    expect(lost).toMatchObject({ code: 1, out: '' });
    expect(lost.err).toContain(
      `${at('c.json')}: expected epoch 1, as in ${a}, got 0; all files must have the same terms`,
    );
    expect(statSync(at('lost.json'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('reads a file that begins with a byte order mark, and refuses UTF-16 by name', async () => {
    const text = readFileSync(at('group.json'), 'utf8');
    writeFileSync(at('marked.json'), `\ufeff${text}`);
    expect((await tutti('registry', 'check', at('marked.json'))).code).toBe(0);
    writeFileSync(at('wide.json'), `\ufeff${text}`, 'utf16le');
    const wide = await tutti('registry', 'check', at('wide.json'));
    expect(wide).toMatchObject({ code: 1, out: '' });
    expect(wide.err).toMatch(/wide\.json: .*expected UTF-8, got UTF-16; save it as UTF-8\n$/);
  });

  it('show lists the entries', async () => {
    const { code, out } = await tutti('registry', 'show', at('group.json'));
    expect(code).toBe(0);
    expect(out).toMatch(/^0 +tcp +node\.example +443 +[0-9a-f]{16}… +[0-9a-f]{16}…$/m);
    expect(out).toMatch(/^3 +udp +127\.0\.0\.1 +9002 /m);
    expect(out).toMatch(/^digest [0-9a-f]{64}$/m);
  });

  it('keygen refuses an impossible address', async () => {
    expect(refusalOf(await keygen('x.json', '--host', 'node.example'))).toBe(
      '--host: expected an IP address for udp, got "node.example"',
    );
  });

  describe('v1.0 4.3: the beacon of all members', () => {
    const sign = (name: string, key: string, ...more: string[]) =>
      tutti('registry', 'sign', at('closed.json'), '--key', at(key), '--out', at(name), ...more);
    const beacon = (...parts: string[]) => tutti('registry', 'beacon', at('closed.json'), ...parts.map(at));
    const member = () => tutti('node', '--registry', at('closed.json'), '--key', at('d.secrets.json'), '--rounds', '1');

    it('is their multi-signature over the digest, whichever member combines it, in a file next to the registry', async () => {
      await keygen('d.json', '--port', '9001');
      await keygen('e.json', '--count', '2', '--port', '9002');
      await tutti('registry', 'make', at('d.json'), at('e.json'), '--out', at('closed.json'));
      expect(await sign('d.part.json', 'd.secrets.json')).toMatchObject({ code: 0, err: '' });
      expect((await sign('e.part.json', 'e.secrets.json')).out).toMatch(/the part of 2 nodes in the beacon of /);
      expect((await beacon('e.part.json', 'd.part.json')).out).toMatch(
        /closed\.beacon\.json: beacon [0-9a-f]{16}…, of all 3 nodes\n$/,
      );
      const first = readFileSync(at('closed.beacon.json'), 'utf8');
      expect(await beacon('d.part.json', 'e.part.json')).toMatchObject({ code: 1, out: '' });
      expect(
        await tutti('registry', 'beacon', at('closed.json'), at('d.part.json'), at('e.part.json'), '--force'),
      ).toMatchObject({
        code: 0,
      });
      expect(readFileSync(at('closed.beacon.json'), 'utf8')).toBe(first);
    });

    it('is signed only with a key file whose secrets match their keys', async () => {
      const { version, secrets } = JSON.parse(readFileSync(at('e.secrets.json'), 'utf8'));
      const write = (name: string, ...some: object[]) =>
        writeFileSync(at(name), JSON.stringify({ version, secrets: some }), { mode: 0o600 });
      const [first, second] = secrets;
      write('other.json', { ...first, secretKey: second.secretKey });
      write('zero.json', { ...first, secretKey: '0'.repeat(64) });
      write('twice.json', first, first);
      for (const [name, line] of [
        ['other.json', 'secretKey does not belong'],
        ['zero.json', 'secretKey does not belong'],
        ['twice.json', 'expected each "publicKey" once'],
      ] as const)
        expect(await sign('x.part.json', name)).toMatchObject({ code: 1, err: expect.stringContaining(line) });
    });

    it("requires every member's own signature over this registry", async () => {
      rmSync(at('closed.beacon.json'));
      expect((await beacon('e.part.json')).err).toBe(
        'tutti: entry 0: expected its part of the beacon, got none; all members must sign\n',
      );
      const parts = JSON.parse(readFileSync(at('e.part.json'), 'utf8'));
      parts.parts[1].signature = parts.parts[0].signature;
      writeFileSync(at('forged.json'), JSON.stringify(parts));
      expect((await beacon('d.part.json', 'forged.json')).err).toBe(
        'tutti: entry 2: its part of the beacon is invalid; its member must sign again\n',
      );
      writeFileSync(at('other.json'), JSON.stringify({ ...parts, registry: '00'.repeat(32) }));
      expect((await beacon('d.part.json', 'other.json')).err).toMatch(
        /other\.json: expected the beacon of the registry with digest/,
      );
      parts.parts[1].publicKey = 'ab'.repeat(48);
      writeFileSync(at('other.part.json'), JSON.stringify(parts));
      expect((await beacon('other.part.json')).err).toMatch(/expected a member's public key as "publicKey" of part 1/);
      writeFileSync(at('none.json'), '[]');
      expect((await beacon('none.json')).err).toMatch(
        /none\.json: expected a JSON object with "version": 1; make it with/,
      );
      expect((await sign('x.part.json', 'a.secrets.json')).err).toMatch(
        /expected the secrets of an entry of .*, got none\n$/,
      );
    });

    it('is refused by a node in one line if its signature is of another registry', async () => {
      const { registry, parts } = JSON.parse(readFileSync(at('d.part.json'), 'utf8'));
      writeFileSync(at('closed.beacon.json'), JSON.stringify({ version: 1, registry, signature: parts[0].signature }));
      const { code, err } = await member();
      expect(code).toBe(1);
      expect(err).toMatch(
        /^tutti: .*closed\.beacon\.json: expected the signature of all members, got another signature; make the beacon again\n$/,
      );
    });
  });
});
