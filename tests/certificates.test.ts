import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegistry, successionStatement } from '@tutti/certificates';
import { afterAll, describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { freePorts } from './freePorts.ts';
import { requested } from './requested.ts';
import { printed, type Started, start, temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
const started: Started[] = [];
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL');
});

describe('a certificate of a cluster', () => {
  it('is written in each format, and verifies in it with its message only', async () => {
    const direct = ['--certificate', file('direct'), '--format', 'eip2537'];
    const made = await tutti('cluster', '--nodes', '5', '--threshold', '4', '--out', file('c.json'), ...direct);
    expect(made.code).toBe(0);
    const { message } = JSON.parse(readFileSync(file('c.json'), 'utf8'));
    writeFileSync(file('message'), message);
    writeFileSync(file('another'), `${message}.`);
    const registry = ['--registry', file('c.registry.json')];
    for (const form of ['tutti', 'eip2537']) {
      const written = file(`c.${form}`);
      const exporting = ['export', file('c.json'), '--certificate', written, '--format', form, ...registry];
      const exported = await runMain(exporting);
      expect(exported.err).not.toContain('tutti:');
      if (form === 'eip2537') expect(readFileSync(file('direct'))).toEqual(readFileSync(written));
      const verify = (name: string) =>
        runMain(['verify', written, '--format', form, ...registry, '--message-file', file(name)]);
      expect((await verify('message')).out).toMatch(/^valid: [45] signers, of a weight of [45] of 5\n$/);
      const other = await verify('another');
      expect(other.code).toBe(1);
      expect(other.err).toContain(
        `${written}: expected a certificate signed by the registry's members, got a different`,
      );
    }
  });
});

const ask = (socketPath: string, method: string, path: string, body: string | Uint8Array = '') =>
  requested({ socketPath, method, path, body });

/** Starts a member of a registry of three, with its API at a socket. Resolves when the socket is open. */
async function member(index: number): Promise<Started> {
  const one = start(
    ...['node', '--registry', file('registry.json'), '--key', file(`key-${index}.json`), '--node', String(index)],
    ...['--http', `unix:${file(`api-${index}`)}`, '--approve', 'all'],
  );
  started.push(one);
  await printed(one, /(certificates at)/);
  return one;
}

describe('members that run as daemons', () => {
  it('certify, sign no succession that was not posted to them, keep certificates after kill -9, and list the signers', async () => {
    const ports = await freePorts(3);
    expect((await runMain(['registry', 'keygen', '--count', '3', '--out', file('registry.json'), '-q'])).code).toBe(0);
    const registry = JSON.parse(readFileSync(file('registry.json'), 'utf8'));
    for (const [index, { address }] of registry.entries.entries()) address.port = ports[index];
    writeFileSync(file('registry.json'), JSON.stringify({ ...registry, epoch: '4', threshold: '1/2' }));
    const secrets = readFileSync(file('registry.secrets.json'), 'utf8');
    for (const index of [0, 1, 2]) writeFileSync(file(`key-${index}.json`), secrets, { mode: 0o600 });
    const members = [await member(0), await member(1), await member(2)];
    const posted = await ask(file('api-0'), 'POST', '/certificates', 'block 17');
    expect(posted.status).toBe(200);
    writeFileSync(file('block'), 'block 17');
    writeFileSync(file('block.certificate'), posted.body);
    const verify = ['verify', file('block.certificate'), '--format', 'tutti', '--message-file', file('block')];
    const registryFlag = ['--registry', file('registry.json')];
    expect((await runMain([...verify, ...registryFlag, '--json'])).out).toContain('"valid":true');
    // Without the flag, the command recognizes the form of the certificate.
    const [command, certificate, , , ...message] = verify;
    const bare = [command!, certificate!];
    expect((await runMain([...bare, ...message, ...registryFlag])).out).toMatch(/^valid: \d signers/);
    expect((await runMain(bare)).err).toContain('a certificate (tutti): expected --registry with');
    const next = { ...readRegistry(readFileSync(file('registry.json'), 'utf8')), epoch: 5n };
    const statement = successionStatement({ ...next, epoch: 4n }, next);
    const asked = ask(file('api-0'), 'POST', '/certificates', statement);
    const hasRefused = async (api: string) => {
      const { refused } = JSON.parse((await ask(file(api), 'GET', '/totals')).body.toString());
      return refused['not-approved'] > 0;
    };
    for (const api of ['api-1', 'api-2']) while (!(await hasRefused(api)));
    const also = ask(file('api-1'), 'POST', '/certificates', statement);
    expect([(await asked).status, (await also).status]).toEqual([200, 200]);
    for (const { child } of members) child.kill('SIGKILL');
    await Promise.all(members.map(({ finished }) => finished));
    await member(0);
    const name = JSON.parse((await ask(file('api-0'), 'GET', '/members')).body.toString());
    expect(name[0]).toMatchObject({ index: 0, certificates: 2 });
    const again = await ask(file('api-0'), 'POST', '/certificates', 'block 17');
    expect(again.status).toBe(200);
    const status = await runMain(['node', 'status', '--http', `unix:${file('api-0')}`]);
    expect(status.out).toMatch(/^member +weight +signed +missed last +invalid/);
    expect(status.out).toMatch(/2 of 2 +0 +0 +signs/);
    const none = await runMain(['node', 'status', '--http', `unix:${file('nobody')}`]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("expected a member's HTTP API, got an error")]);
  });
});
