import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { parseRegistry, readRegistry } from '@tutti/certificates';
import { registryDigest, verifyEntry } from '@tutti/core';
import { fromHex, toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentFrom, outputOf, refusalOf, runMain, tutti } from '../test/runMain.ts';
import { temporaryFiles } from '../test/temporaryFolder.ts';

const { at, folder, write, writeJson } = temporaryFiles();
beforeAll(() => void vi.stubEnv('TUTTI_BLS', 'wasm'));
afterAll(() => void vi.unstubAllEnvs());

const bls = await loadBls({ engine: 'noble' });
const succeeded = (out: string) => ({ code: 0, out, err: '' });

describe('help and version', () => {
  it.each(['help', '--help', 'help simulate', 'help horn tables', 'cluster --help'])(
    '%j goes to the standard output',
    async (line) => expect(outputOf(await runMain(line))).toMatch(/^Usage: tutti /),
  );

  it('--help describes every command, whatever follows it', async () => {
    expect(await tutti('--help', 'tables')).toEqual(await tutti('--help'));
  });

  it('every command has --json, except those without a document as output', async () => {
    const { out } = await tutti('completion', 'bash');
    const without = [...out.matchAll(/^ {6}'([^']+)'\) words='([^']*)' ;;$/gm)]
      .filter(
        ([, , words]) =>
          !words!.split(' ').includes('--json') && words!.split(' ').every((word) => word.startsWith('--')),
      )
      .map(([, path]) => path);
    // `lean profile` needs no `--json`, because this command always prints a JSON document.
    expect(without).toEqual(['lean profile', 'completion']);
  });

  it('tutti without a command prints its help to the standard error and exits with 2', async () => {
    const { code, out, err } = await tutti();
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Usage: tutti /);
  });
});

describe('tutti simulate', () => {
  it.each([
    ['complete-graph', ''],
    ['complete-graph', '--verification bulk'],
    ['san-fermin', '--candidates 3 --reply-timeout 250.5 --exhausted leave'],
    ['gossip', '--gossip-of individuals --degree 6'],
    ['gossip', '--gossip-of aggregates --degree 5'],
  ])('--protocol %s %s runs, and its JSON equals that of Handel in form', async (protocol, own) => {
    const run = (flags: string) => documentFrom(`simulate ${flags} --nodes 24`);
    const document = await run(`--protocol ${protocol} ${own} --dead 0.2 --threshold 0.5 --check`);
    expect(Object.keys(document)).toEqual(Object.keys(await run('')));
    expect(document).toMatchObject({ live: 20, reached: 20, ended: 'reached', scenario: { protocol } });
  });

  it.each([
    // With this latency, a reply always arrives after the timeout. A single verification takes longer than the run.
    ['san-fermin', '--network constant:200 --reply-timeout 150', 'never reach it: no message is in transit', 'silent'],
    ['handel', '--verify-ms 600000', 'the time limit ended the run', 'given-up'],
  ])('--protocol %s %s reports of unfinished nodes that they %s', async (protocol, own, words, ended) => {
    const line = `simulate --protocol ${protocol} --nodes 16 --dead 0.25 ${own}`;
    const { out } = await runMain(line);
    expect(out).toContain(words);
    expect(out).not.toContain('All 12');
    expect(await documentFrom(line)).toMatchObject({ ended });
  });

  it('prints a readable summary by default', async () => {
    const { out } = await tutti('simulate', '--nodes', '32');
    expect(out).toContain('All 32 live nodes reached 99 % (32 signatures).');
    expect(out).toMatch(/^time to threshold, ms( +[\d.,]+){6}$/m);
    expect(out).toMatch(/--seed 1 and version .*: digest [0-9a-f]{16}/);
    expect(out).not.toMatch(/ $/m);
  });

  it('rounds a threshold up, accepts a count, and prints the number of signatures', async () => {
    const reached = async (...flags: string[]) => /reached (.*)\./.exec((await tutti('simulate', ...flags)).out)?.[1];
    expect(await reached('--nodes', '2')).toBe('99 % (2 signatures)');
    expect(await reached('--nodes', '10', '--threshold', '0.67')).toBe('67 % (7 signatures)');
    expect(await reached('--nodes', '100', '--threshold', '67')).toBe('67 signatures');
    expect(await reached('--nodes', '10', '--threshold', '1')).toBe('100 % (10 signatures)');
  });
});

describe('tutti registry keygen', () => {
  it('creates a valid registry, with its secrets in a file of mode 0600, and overwrites neither', async () => {
    const path = at('group.json');
    const secretsPath = at('group.secrets.json');
    expect(await tutti('registry', 'keygen', '--count', '3', '--out', path)).toMatchObject({ code: 0, err: '' });
    const entries = parseRegistry(readFileSync(path, 'utf8'));
    expect(entries.map(({ endpoint }) => endpoint.port)).toEqual([9000, 9001, 9002]);
    for (const [index, entry] of entries.entries()) verifyEntry(entry, index, bls);
    expect(statSync(secretsPath).mode & 0o777).toBe(0o600);
    const { secrets } = JSON.parse(readFileSync(secretsPath, 'utf8'));
    expect(toHex(bls.publicKey(fromHex(secrets[1].secretKey)!))).toBe(toHex(entries[1]!.publicKey));
    const before = readFileSync(secretsPath, 'utf8');
    expect(refusalOf(await tutti('registry', 'keygen', '--out', path), 1)).toBe(
      `${path}: exists already; use --force to replace it, or another name`,
    );
    expect(readFileSync(secretsPath, 'utf8')).toBe(before);
    expect((await tutti('registry', 'keygen', '--out', path, '--force')).code).toBe(0);
    expect(parseRegistry(readFileSync(path, 'utf8'))).toHaveLength(1);
  });

  it.each(['registry keygen', 'cluster'])('%s reports first that its result cannot be written', async (command) => {
    const path = join(folder, 'nowhere', 'result.json');
    expect(refusalOf(await tutti(...command.split(' '), '--out', path), 1)).toBe(
      `${path}: expected the folder ${at('nowhere')}, found none; create it or choose another`,
    );
  });
});

it('cluster replaces neither a registry nor public keys, and sweep no table of another program', async () => {
  for (const [name, line] of [
    ['own.registry.json', `cluster --out ${at('own.json')}`],
    ['own.public-keys.json', `cluster --protocol horn --out ${at('own.json')}`],
    ['own.public-keys.slot-2.json', `cluster --protocol horn --rounds 2 --out ${at('own.json')}`],
    ['own.csv', `sweep ${writeJson('own-sweep.json', { name: 'x', base: { nodes: 8 } })} --out ${at('own.csv')}`],
    ['own.csv', `simulate --nodes 8 --seeds 2 --out ${at('own.csv')}`],
  ] as const) {
    const path = write(name, 'mine');
    expect(refusalOf(await runMain(line), 1)).toMatch(/: (exists already|expected the table of an earlier sweep)/);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    rmSync(path);
  }
});

describe('tutti verify', () => {
  /** A valid document, with files of its keys and its registry. */
  let document: { message: string; signature: string; bitset: string; publicKeys: string; registryFile: string };
  beforeAll(async () => {
    const registryFile = at('registry.json');
    await tutti('registry', 'make', '--insecure-keys', '3', '--seed', '1', '--out', registryFile);
    const { entries } = JSON.parse(readFileSync(registryFile, 'utf8'));
    const keys = entries.map(({ publicKey }: { publicKey: string }) => publicKey);
    const message = new TextEncoder().encode('grüezi');
    const signatures = [0, 2].map((index) => bls.sign(insecureSecretKey(bls, 1, index), message));
    document = {
      ...{ message: 'grüezi', signature: toHex(bls.aggregateSignatures(signatures)), bitset: '05' },
      ...{ publicKeys: writeJson('keys.json', keys), registryFile },
    };
  });

  const verdict = '2 of 3 signed, say noble-curves and blst-wasm; all keys have proofs of possession';
  const digestOf = (file: string) => toHex(registryDigest(nodeCrypto, readRegistry(readFileSync(file, 'utf8'))));

  it('accepts a multi-signature of the claimed signers, whose registry proves their possession', async () => {
    const path = writeJson('good.json', document);
    const file = document.registryFile;
    const digest = digestOf(file);
    const valid = (whose: string) => succeeded(`valid: ${verdict}\nregistry ${file}, digest ${digest}: ${whose}\n`);
    expect(await tutti('verify', path, '--registry', file)).toEqual(valid('given with --registry'));
    expect(await tutti('verify', path, '--digest', digest.toUpperCase())).toEqual(
      valid('named by the document, and equal to --digest'),
    );
    const other = 'ab'.repeat(32);
    for (const more of [[], ['--registry', file]])
      expect((await tutti('verify', path, '--digest', other, ...more)).err).toContain(
        `expected the registry with digest ${other}, got ${digest}`,
      );
    expect(await tutti('verify', path, '--digest', 'ab')).toMatchObject({ code: 2 });
  });

  it('does not trust a document about its signers: without registry or digest it reports this first, and fails', async () => {
    const path = writeJson('own-choice.json', document);
    const { code, out, err } = await tutti('verify', path);
    const file = document.registryFile;
    expect([code, out]).toEqual([
      1,
      `registry not checked: ${file} was chosen by the document\n` +
        `valid only if the nodes of this registry were the intended signers: ${verdict}\n` +
        `registry ${file}, digest ${digestOf(file)}: named by the document\n`,
    ]);
    expect(err).toMatch(/^tutti: [^\n]*; use --registry with your own file, or --digest [^\n]*\n$/);
    const verified = JSON.parse((await tutti('verify', path, '--json')).out);
    expect(verified).toMatchObject({ valid: false, keysChosenBy: 'document', registry: digestOf(file) });
  });

  it('finds the registry next to the document if the named path is missing, and accepts another one if given', async () => {
    const gone = { publicKeys: '/gone/keys.json', registryFile: '/gone/registry.json' };
    const path = writeJson('moved.json', { ...document, ...gone });
    const digest = digestOf(document.registryFile);
    expect((await tutti('verify', path, '--digest', digest)).code).toBe(0);
    const bare = writeJson('bare.json', { ...document, registryFile: undefined });
    expect(await tutti('verify', bare, '--registry', document.registryFile)).toMatchObject({ code: 0 });
    expect((await tutti('verify', bare, '--digest', digest)).err).toContain('expected "registryFile"');
  });

  it('reports first that the possession of bare keys was not checked, and accepts them only on request', async () => {
    const path = writeJson('bare.json', { ...document, registryFile: undefined });
    const keys = document.publicKeys;
    const out = (whose: string) =>
      `possession not checked: ${keys} contains keys without proofs of possession\n` +
      `valid only if no key was derived from other keys: 2 of 3 signed, say noble-curves and blst-wasm\nkeys ${keys}: ${whose}\n`;
    const refused = await tutti('verify', path);
    expect(refused).toMatchObject({ code: 1, out: out('named by the document') });
    expect(refused.err).toMatch(
      /^tutti: [^\n]*: expected a registry with proofs of possession, got bare keys; [^\n]*\n$/,
    );
    // All keys in the file that the document itself names may belong to one attacker.
    expect((await tutti('verify', path, '--allow-unproven')).code).toBe(2);
    const given = out('given with --public-keys');
    const flags = ['verify', path, '--public-keys', keys];
    expect(await tutti(...flags, '--allow-unproven')).toEqual(succeeded(given));
    const named = writeJson('named.json', document);
    expect(await tutti('verify', named, '--public-keys', keys)).toMatchObject({ code: 1, out: given });
  });

  it('opens only regular files that a document names, and quotes nothing of them', async () => {
    const [fifo, link] = [at('fifo'), at('link')];
    if (process.platform !== 'win32') execFileSync('mkfifo', [fifo]);
    symlinkSync('/dev/zero', link);
    const hostile = [folder, ...(process.platform === 'win32' ? [] : ['/dev/zero', fifo, link])];
    for (const field of ['registryFile', 'publicKeys']) {
      const naming = (file: string) =>
        tutti('verify', writeJson('hostile.json', { ...document, registryFile: undefined, [field]: file }));
      for (const file of hostile)
        expect(refusalOf(await naming(file), 1)).toBe(`${file}: expected a regular file, got something else`);
      for (const text of ['root:x:0:0', '{"version":"root:x"}', '["root:x"]', '{"version":2,"entries":["root:x"]}'])
        expect(refusalOf(await naming(write('secret.txt', text)), 1)).not.toContain('root');
    }
  });

  it('refuses a rogue key derived from a victim that never signed', async () => {
    const registry = JSON.parse(readFileSync(document.registryFile, 'utf8'));
    const { Point } = bls12_381.G1;
    const attacker = insecureSecretKey(bls, 1, 9);
    const victim = Point.fromHex(registry.entries[0].publicKey);
    const rogue = Point.fromHex(toHex(bls.publicKey(attacker)))
      .subtract(victim)
      .toHex(true);
    const claim = {
      message: 'send it all',
      signature: toHex(bls.sign(attacker, new TextEncoder().encode('send it all'))),
      bitset: '03',
      publicKeys: writeJson('rogue-keys.json', [registry.entries[0].publicKey, rogue]),
    };
    const bare = await tutti('verify', writeJson('rogue.json', claim));
    expect(bare).toMatchObject({ code: 1, out: expect.stringMatching(/^possession not checked: /) });
    registry.entries = [registry.entries[0], { ...registry.entries[1], publicKey: rogue }];
    const forged = writeJson('rogue-registry.json', registry);
    const proven = writeJson('rogue.json', { ...claim, registryFile: forged });
    expect(refusalOf(await tutti('verify', proven, '--registry', forged), 1)).toContain(
      'registry entry 1: proofOfPossession is not valid',
    );
  });

  it.each([
    ['other signers', { bitset: '03' }, 'invalid: noble-curves rejects the signature of 2 signers'],
    ['another message', { message: 'gruezi' }, 'invalid: noble-curves rejects'],
    ['no signers', { bitset: '00' }, 'invalid: the bitset is not a valid set of signers among the 3 public keys'],
    ['a bit beyond the end', { bitset: '0d' }, 'invalid: the bitset is not a valid set'],
    ['a bitset too long', { bitset: '0500' }, 'invalid: the bitset is not a valid set'],
    ['no hexadecimal bitset', { bitset: 'x' }, 'expected "bitset", hexadecimal digits; use a document'],
    ['a signature too short', { signature: 'ab' }, 'expected "signature", 192 (of min-sig 96) hexadecimal digits; use'],
    ['bytes that encode no point', { signature: 'ff'.repeat(96) }, 'invalid: noble-curves rejects'],
    ['no message', { message: 7 }, 'expected "message", a string; use a document'],
    [
      'no keys',
      { registryFile: 7, publicKeys: 7 },
      'expected "registryFile" or "publicKeys", the path of a file, or --registry; use a document',
    ],
  ])('refuses %s in one line with exit code 1', async (_what, change, line) => {
    const path = writeJson('bad.json', { ...document, ...change });
    expect(refusalOf(await tutti('verify', path), 1)).toContain(`${path}: ${line}`);
  });

  it.each([
    ['a file that is not there', at('nothing.json'), 'cannot be read (ENOENT)'],
    ['a path below a file', join(write('file', ''), 'below'), 'cannot be read (ENOTDIR)'],
    ['a text that is not JSON', write('text.json', 'hello'), 'expected JSON, got text that is not JSON'],
    [
      'JSON without an object',
      write('null.json', 'null'),
      "expected a JSON object; use a document from 'tutti cluster --out' or 'tutti node --out-folder'",
    ],
  ])('refuses %s', async (_what, path, line) => {
    expect(refusalOf(await tutti('verify', path), 1)).toBe(`${path}: ${line}`);
  });
});
