import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeRecording, scenarioArguments } from '@tutti/simulation';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyScenario } from '../../../../packages/simulation/test/anyScenario.ts';
import { isWhole } from '../../../../tests/sampled.ts';
import { documentOf, refusalOf, runMain, tutti } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { listenAt } from '../live/httpServer.ts';
import { openerOf } from './open.ts';

const isPageBuilt = existsSync(new URL('../../../visualizer/dist/templates/single.html', import.meta.url));

const { at } = temporaryFiles();
const run = async (...args: string[]) => documentOf(await tutti('simulate', ...args, '--json'));

describe('tutti open', () => {
  it('prints a link to the run of the flags', async () => {
    const line = 'open --nodes 100 --attack invalid:0.3 --no-browser --page http://elsewhere/';
    expect(await runMain(line)).toEqual({
      code: 0,
      out: 'http://elsewhere/#n=100&network=aws&dead=0&scheme=counting&seed=1&attack=invalid%3A0.3\n',
      err: '',
    });
  });

  it('opens a link to a slot of proofs at the address of the page', async () => {
    const link = 'http://elsewhere/lean.html#subnets=4&job=greedy:3';
    expect(await tutti('open', '--link', link, '--no-browser', '--json')).toMatchObject({
      code: 0,
      out: `${JSON.stringify({ link: 'http://localhost:8080/lean.html#subnets=4&job=greedy:3' })}\n`,
    });
  });

  it('warns if an address of this machine serves no page of Tutti', async () => {
    const http = await listenAt({ host: '127.0.0.1', port: 0 }, (_, response) => response.end('<title>A wiki</title>'));
    const page = `http://127.0.0.1:${http.port}`;
    const opened = () => runMain(`open --no-browser --page ${page}`);
    const warning = `tutti: warning: ${page}: expected 'tutti serve', got`;
    const answered = await opened();
    await http.close();
    expect(answered).toMatchObject({ code: 0, err: `${warning} another server; use --page with its address\n` });
    expect(await opened()).toMatchObject({ code: 0, err: `${warning} no answer; start it, or use --page\n` });
  });

  it('passes the whole link to one program as one argument, without a shell', () => {
    const link = 'http://localhost:8080/#n=100&network=aws&calc.exe';
    expect(openerOf('win32', link)).toEqual(['rundll32', 'url.dll,FileProtocolHandler', link]);
    expect(openerOf('darwin', link)).toEqual(['open', link]);
    for (const platform of ['linux', 'freebsd'] as const) expect(openerOf(platform, link)).toEqual(['xdg-open', link]);
  });
});

describe('tutti simulate --link', () => {
  it('opens the same run as the printed command, digest for digest, for any scenario', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ nodes: 16 }), async (scenario) => {
        const flags = scenarioArguments(scenario);
        const typed = await run(...flags);
        expect(typed.scenario).toEqual(scenario);
        const { out } = await tutti('open', ...flags, '--no-browser');
        expect(await run('--link', out.trim())).toMatchObject({ scenario, digest: typed.digest });
      }),
      { numRuns: isWhole ? 100 : 10 },
    );
  }, 240_000);
});

describe('tutti open --single-file', () => {
  it.skipIf(!isPageBuilt)('writes one page with the run of a link, and refuses to overwrite it', async () => {
    const path = at('run.html');
    const args = ['open', '--link', 'http://x/#n=8&t=12.5&node=3', '--single-file', path, '--caption', 'a "b" <c>'];
    expect(await tutti(...args)).toMatchObject({ code: 0, out: expect.stringContaining(path), err: '' });
    const text = readFileSync(path, 'utf8');
    const [, file] = / data-node="3" data-at="12500" data-caption="a &quot;b&quot; &lt;c>">([^<]+)</.exec(text)!;
    const { scenario } = decodeRecording(gunzipSync(Buffer.from(file!, 'base64')));
    expect(scenario).toMatchObject({ nodes: 8, scheme: 'counting' });
    expect(text).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(refusalOf(await tutti(...args), 1)).toContain('exists already');
  });
});
