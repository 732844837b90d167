import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { openSignedLog } from '@tutti/certificates/log';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { documentFrom, outputOf, refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';

const { folder } = temporaryFiles();
const home = process.cwd();
beforeAll(async () => {
  vi.stubEnv('TUTTI_BLS', 'wasm');
  process.chdir(folder);
  for (const more of ['keygen --out alice.json', 'keygen --out bob.json --port 9001', 'make alice.json bob.json'])
    expect((await runMain(`registry ${more}`)).code).toBe(0);
});
afterAll(() => {
  process.chdir(home);
  vi.unstubAllEnvs();
});

const messageOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
let logs = 0;
/** Creates a log with statements at the given heights, and returns the log's name. */
function logOf(...heights: readonly bigint[]): string {
  const name = `${logs++}.signed`;
  const log = openSignedLog(name);
  for (const height of heights) log.record({ height, message: messageOf(Number(height)) });
  log.close();
  return name;
}
const alice = '--registry registry.json --key alice.secrets.json';
const nodeLog = (line: string) => runMain(`node log ${line}`);
const exported = async (name: string, more = '') => outputOf(await nodeLog(`export ${name} ${alice} ${more}`));

/** Returns whether a log accepts a message that no test has signed at this height. */
function isOpen(name: string, height: bigint): boolean {
  const log = openSignedLog(name);
  try {
    log.record({ height, message: messageOf(255) });
    return true;
  } catch (error) {
    expect((error as { code?: string }).code).toBe('already-signed');
    return false;
  } finally {
    log.close();
  }
}

it('show prints the content of a log, also while a signer has it open', async () => {
  const name = logOf(9n, 5n);
  const log = openSignedLog(name);
  expect(await nodeLog(`show ${name}`)).toEqual({
    code: 0,
    out: `log        ${name}, version 2, ${statSync(name).size} bytes\nheights    2, from 5 to 9\nwatermark  none\n`,
    err: '',
  });
  log.close();
  expect(await documentFrom(`node log show ${name}`)).toEqual({
    log: name,
    version: 2,
    bytes: statSync(name).size,
    watermark: null,
    heights: [
      { height: '5', message: '05'.repeat(32) },
      { height: '9', message: '09'.repeat(32) },
    ],
  });
});

it('export and import transfer signed messages to another signer, and print their number', async () => {
  const from = logOf(5n, 9n);
  const to = logOf();
  expect(await exported(from, '--out a.json')).toBe(
    'a.json contains all signed messages; never start this signer again, because the exported file would lack its later signatures\n',
  );
  expect(statSync('a.json').mode & 0o777).toBe(0o600);
  expect(await exported(from)).toBe(readFileSync('a.json', 'utf8'));
  expect(await nodeLog(`import ${to} a.json ${alice}`)).toEqual({
    code: 0,
    out: `${to}: took 2 heights from a.json; at or below height 9, the member signs only messages in this log\n`,
    err: '',
  });
  expect([5n, 7n, 9n, 10n].map((height) => isOpen(to, height))).toEqual([false, false, false, true]);
  expect((await nodeLog(`show ${to}`)).out).toContain('9: no new message is signed at or below this height');
  const document = JSON.parse(await exported(to, '--out b.json --json'));
  expect(document).toEqual({ log: to, out: 'b.json', heights: 3, watermark: '9' });
});

it('import creates a missing log, and prints conflicts and attestations', async () => {
  const file = JSON.parse(await exported(logOf(5n, 9n)));
  file.data[0].signed_blocks.push({ slot: '5' });
  file.data[0].signed_attestations.push({ source_epoch: '0', target_epoch: '1' });
  writeFileSync('c.json', JSON.stringify(file));
  expect(await documentFrom(`node log import new.signed c.json ${alice}`)).toEqual({
    ...{ log: 'new.signed', file: 'c.json', isNew: true },
    ...{ taken: 3, conflicts: 1, attestations: 1, watermark: '9' },
  });
  expect((await nodeLog(`import new.signed c.json ${alice}`)).out).toBe(
    'new.signed: took 3 heights from c.json; at or below height 9, the member signs only messages in this log\n1 height with two conflicting messages, neither of which is signed again\n1 attestation ignored: the log stores only messages with a height\n',
  );
});

it('import fails with one line if the file does not contain the key, or belongs to another registry', async () => {
  const [from, to] = [logOf(5n), logOf()];
  await exported(from, '--out d.json');
  for (const [args, expected] of [
    [`d.json ${alice.replace('alice', 'bob')}`, /: interchange: expected entries of the key 0x[0-9a-f]{96}, got 1/],
    [`registry.json ${alice}`, /registry.json: interchange: metadata/],
    [`d.json ${alice.replace('registry.json', 'alice.json')}`, /for registry 0x/],
    [`none.json ${alice}`, /none\.json: cannot be read \(ENOENT\)/],
  ] as const)
    for (const log of [to, 'fresh.signed'])
      expect(refusalOf(await nodeLog(`import ${log} ${args}`), 1)).toMatch(expected);
  expect(isOpen(to, 5n)).toBe(true);
  expect(readdirSync('.')).not.toContain('fresh.signed');
});

it('export and import refuse a log that a signer has open', async () => {
  const name = logOf(5n);
  await exported(name, '--out e.json');
  const log = openSignedLog(name);
  for (const line of [`export ${name}`, `import ${name} e.json`])
    expect(refusalOf(await nodeLog(`${line} ${alice}`), 1)).toMatch(
      /has it; two signers with one key would sign twice, end one$/,
    );
  log.close();
});

it('show and export create no log, and export replaces no file', async () => {
  const before = readdirSync('.');
  for (const line of ['show typo.signed', `export typo.signed ${alice}`])
    expect(refusalOf(await nodeLog(line), 1)).toContain('got no file');
  const replaced = await nodeLog(`export ${logOf(5n)} ${alice} --out registry.json`);
  expect(refusalOf(replaced, 1)).toContain('exists already; use --force');
  expect(readdirSync('.').filter((name) => !before.includes(name))).toEqual([`${logs - 1}.signed`]);
});

it('finds the secrets by the name of the log, and requires them for other names', async () => {
  const log = openSignedLog('alice.secrets.json.signed');
  log.record({ height: 3n, message: messageOf(3) });
  log.close();
  const { out } = await nodeLog('export alice.secrets.json.signed --registry registry.json');
  expect(out).toBe(await exported('alice.secrets.json.signed'));
  expect(refusalOf(await nodeLog('export other --registry registry.json'))).toBe(
    "--key: expected the file with the key's secrets, because other does not end in .signed",
  );
});
