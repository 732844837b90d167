import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { parseRegistry } from '@tutti/certificates';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { refusalOf, tutti } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';

beforeAll(() => void vi.stubEnv('TUTTI_BLS', 'wasm'));
afterAll(() => void vi.unstubAllEnvs());
const { at, write, writeJson } = temporaryFiles();

const read = (name: string) => readFileSync(at(name), 'utf8');
const readJson = (name: string) => JSON.parse(read(name));

function changed(name: string, index: number, fields: object): string {
  const document = readJson('group.json');
  Object.assign(document.entries[index], fields);
  return writeJson(name, document);
}

const keygen = (name: string, ...more: string[]) => tutti('registry', 'keygen', '--out', at(name), ...more);

it('make combines the entries of nodes, in order, with the transport of each', async () => {
  await keygen('a.json', '--host', '::1');
  await keygen('b.json', '--transport', 'tcp', '--host', 'node.example', '--port', '443');
  await keygen('c.json', '--count', '2', '--port', '9001');
  const made = await tutti('registry', 'make', at('b.json'), at('a.json'), at('c.json'), '--out', at('group.json'));
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toMatch(/group\.json: 4 nodes, digest [0-9a-f]{64}\n$/);
  const entries = parseRegistry(read('group.json'));
  expect(entries.map(({ transport, endpoint }) => [transport, endpoint.host, endpoint.port])).toEqual([
    ['tcp', 'node.example', 443],
    ['udp', '::1', 9000],
    ['udp', '127.0.0.1', 9001],
    ['udp', '127.0.0.1', 9002],
  ]);
  const again = await tutti('registry', 'make', at('a.json'), '--out', at('group.json'));
  expect(refusalOf(again, 1)).toMatch(/exists already; use --force/);
});

it('supports min-sig keys: it checks them and signs their beacon', async () => {
  expect((await keygen('s.json', '--variant', 'min-sig', '--count', '2')).code).toBe(0);
  expect(readJson('s.json').variant).toBe('min-sig');
  for (const [command = '', ...more] of [
    ['check'],
    ['sign', '--key', at('s.secrets.json'), '--out', at('s.part.json')],
    ['beacon', at('s.part.json')],
  ])
    expect(await tutti('registry', command, at('s.json'), ...more)).toMatchObject({ code: 0, err: '' });
  const mixed = await tutti('registry', 'make', at('s.json'), at('c.json'), '--out', at('mixed.json'));
  expect(refusalOf(mixed, 1)).toContain('entry 2: expected a min-sig key');
});

it('make refuses inconsistent entries and writes nothing', async () => {
  const twice = await tutti('registry', 'make', at('a.json'), at('a.json'), '--out', at('twice.json'));
  expect(refusalOf(twice, 1)).toMatch(/^registry entry 1: publicKey is that of entry 0 or its negative /);
  expect(existsSync(at('twice.json'))).toBe(false);
});

it('make --insecure-keys creates the same keys for the same seed, with secrets readable by their owner only', async () => {
  const made = async (name: string, seed: string) => {
    expect((await tutti('registry', 'make', '--insecure-keys', '2', '--seed', seed, '--out', at(name))).code).toBe(0);
    return read(name);
  };
  const first = await made('r1.json', '5');
  expect(await made('r2.json', '5')).toBe(first);
  expect(await made('r4.json', '6')).not.toBe(first);
  expect(statSync(at('r1.secrets.json')).mode & 0o777).toBe(0o600);
});

it('check prints the valid properties, and the entry and reason of each invalid one', async () => {
  const good = await tutti('registry', 'check', at('group.json'));
  expect(good).toMatchObject({ code: 0, err: '' });
  expect(good.out).toMatch(
    /: 4 nodes: keys, addresses, proofs of possession and network keys are valid\nepoch 0, threshold 67\/100 \(default\), margin none, total weight 4, min-pk\ndigest [0-9a-f]{64}\n$/,
  );
  const entries = readJson('group.json').entries;
  const { networkKey } = entries[1];
  const anotherKey = `${networkKey.startsWith('ff') ? '00' : 'ff'}${networkKey.slice(2)}`;
  for (const [fields, expected] of [
    [{ proofOfPossession: entries[1].proofOfPossession }, /registry entry 2: proofOfPossession is not valid/],
    [{ networkKey: anotherKey }, /registry entry 2: networkKeyProof does not bind/],
    [{ networkKey: '00'.repeat(32) }, /registry entry 2: expected a valid networkKey, got one of low order/],
    [{ networkKey: entries[3].networkKey }, /registry entry 3: networkKey is that of entry 2/],
    [{ address: { ...entries[3].address, host: '0.0.0.0' } }, /entry 2: host: expected an IP address for udp/],
  ] as const) {
    const line = refusalOf(await tutti('registry', 'check', changed('changed.json', 2, fields)), 1);
    expect(line).toMatch(expected);
    expect(line).toContain('changed.json: ');
  }
});

const withTerms = (name: string, of: string, terms: object): string => writeJson(name, { ...readJson(of), ...terms });

it('check prints the terms that are in the digest', async () => {
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
});

it('make keeps the terms of its files, which must be equal', async () => {
  const terms = { epoch: '1', threshold: '1/2' };
  const [a, c] = ['a', 'c'].map((name) => withTerms(`terms-${name}.json`, `${name}.json`, terms));
  expect((await tutti('registry', 'make', a!, c!, '--out', at('kept.json'))).code).toBe(0);
  expect(readJson('kept.json')).toMatchObject(terms);
  expect(refusalOf(await tutti('registry', 'make', a!, at('c.json'), '--out', at('lost.json')), 1)).toBe(
    `${at('c.json')}: expected epoch 1, as in ${a}, got 0; all files must have the same terms`,
  );
  expect(existsSync(at('lost.json'))).toBe(false);
});

it('reads a file that begins with a byte order mark, and refuses UTF-16 by name', async () => {
  const text = read('group.json');
  write('marked.json', `\ufeff${text}`);
  expect((await tutti('registry', 'check', at('marked.json'))).code).toBe(0);
  write('wide.json', Buffer.from(`\ufeff${text}`, 'utf16le'));
  expect(refusalOf(await tutti('registry', 'check', at('wide.json')), 1)).toMatch(
    /wide\.json: .*expected UTF-8, got UTF-16; save it as UTF-8$/,
  );
});

describe('v1.0 4.3: the beacon of all members', () => {
  const sign = (name: string, key: string, ...more: string[]) =>
    tutti('registry', 'sign', at('closed.json'), '--key', at(key), '--out', at(name), ...more);
  const beacon = (...parts: string[]) => tutti('registry', 'beacon', at('closed.json'), ...parts.map(at));

  it('is their multi-signature over the digest, whichever member combines it, in a file next to the registry', async () => {
    await keygen('d.json', '--port', '9001');
    await keygen('e.json', '--count', '2', '--port', '9002');
    await tutti('registry', 'make', at('d.json'), at('e.json'), '--out', at('closed.json'));
    expect(await sign('d.part.json', 'd.secrets.json')).toMatchObject({ code: 0, err: '' });
    expect((await sign('e.part.json', 'e.secrets.json')).out).toMatch(/the part of 2 nodes in the beacon of /);
    expect((await beacon('e.part.json', 'd.part.json')).out).toMatch(
      /closed\.beacon\.json: beacon [0-9a-f]{16}…, of all 3 nodes\n$/,
    );
    const first = read('closed.beacon.json');
    expect(await beacon('d.part.json', 'e.part.json')).toMatchObject({ code: 1, out: '' });
    const parts = [at('d.part.json'), at('e.part.json'), '--force'];
    expect((await tutti('registry', 'beacon', at('closed.json'), ...parts)).code).toBe(0);
    expect(read('closed.beacon.json')).toBe(first);
  });

  it('is signed only with a key file whose secrets match their keys', async () => {
    const { version, secrets } = readJson('e.secrets.json');
    const [first, second] = secrets;
    for (const [some, line] of [
      [[{ ...first, secretKey: second.secretKey }], 'secretKey does not belong'],
      [[{ ...first, secretKey: '0'.repeat(64) }], 'secretKey does not belong'],
      [[first, first], 'expected each "publicKey" once'],
    ] as const) {
      writeFileSync(at('other.json'), JSON.stringify({ version, secrets: some }), { mode: 0o600 });
      expect(refusalOf(await sign('x.part.json', 'other.json'), 1)).toContain(line);
    }
  });

  it("requires every member's own signature over this registry", async () => {
    rmSync(at('closed.beacon.json'));
    const whole = readJson('e.part.json');
    const [first, second] = whole.parts;
    const ofParts = (...parts: object[]) => ({ ...whole, parts });
    for (const [document, line] of [
      [whole, 'entry 0: expected its part of the beacon, got none; all members must sign'],
      [
        ofParts(first, { ...second, signature: first.signature }),
        'entry 2: its part of the beacon is invalid; its member must sign again',
      ],
      [{ ...whole, registry: '00'.repeat(32) }, 'other.json: expected parts of the beacon of the registry with digest'],
      [ofParts(first, { ...second, publicKey: 'ab'.repeat(48) }), 'public key as "publicKey" of part 1'],
      [[], 'other.json: expected a JSON object with "version": 1; make it with'],
    ] as const) {
      writeJson('other.json', document);
      const others = document === whole ? [] : ['d.part.json'];
      expect(refusalOf(await beacon(...others, 'other.json'), 1)).toContain(line);
    }
    expect(refusalOf(await sign('x.part.json', 'a.secrets.json'), 1)).toMatch(
      /expected the secrets of an entry of .*, got none$/,
    );
  });

  it('is refused by a node in one line if its signature is of another registry', async () => {
    const { registry, parts } = readJson('d.part.json');
    writeJson('closed.beacon.json', { version: 1, registry, signature: parts[0].signature });
    const node = ['node', '--registry', at('closed.json'), '--key', at('d.secrets.json'), '--rounds', '1'];
    expect(refusalOf(await tutti(...node), 1)).toBe(
      `${at('closed.beacon.json')}: expected the signature of all members, got another signature; make the beacon again`,
    );
  });
});
