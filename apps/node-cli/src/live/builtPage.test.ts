import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporaryFolder.ts';
import { builtPage, builtText, hasDocs } from './builtPage.ts';
import { listenAt, type RunningServer } from './httpServer.ts';

const folder = temporaryFolder();

let http: RunningServer | undefined;
afterEach(() => http?.close());

/** Writes a file below the folder. @returns the folder of the file. */
function write(path: string, content: string | Uint8Array): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return dirname(file);
}

async function serve(docs?: string, ancestors?: readonly string[]): Promise<string> {
  const page = write('page/index.html', '<title>here</title>');
  copyFileSync(new URL('../../../visualizer/public/headers.json', import.meta.url), join(page, 'headers.json'));
  http = await listenAt({ host: '127.0.0.1', port: 0 }, builtPage({ page, docs, ancestors }));
  return `http://127.0.0.1:${http.port}/`;
}

it('sends with every answer a policy for the page, without framing', async () => {
  const url = await serve();
  for (const path of ['', 'index.html', 'none', '../etc/passwd', 'none?a']) {
    const { headers } = await fetch(url + path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).not.toContain('unsafe-inline');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  }
});

it('allows the given origins to frame it, and changes nothing else of its policy', async () => {
  const policyOf = async (url: string) => (await fetch(url)).headers.get('content-security-policy');
  const own = (await policyOf(await serve()))!;
  await http?.close();
  const given = await policyOf(await serve(undefined, ['https://a.example', 'http://localhost:3000']));
  expect(given).toBe(own.replace("ancestors 'none'", 'ancestors https://a.example http://localhost:3000'));
});

it('answers GET and HEAD, and no other method', async () => {
  const url = await serve();
  const got = await fetch(url);
  expect([got.status, await got.text()]).toEqual([200, '<title>here</title>']);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  expect(got.headers.get('cache-control')).toBe('no-cache');
  const none = await fetch(`${url}none`);
  expect([none.status, none.headers.get('content-type')]).toEqual([404, 'text/plain']);
  expect(await none.text()).toBe('not found\n');
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
    const refused = await fetch(url, { method });
    expect([refused.status, refused.headers.get('allow')], method).toEqual([405, 'GET, HEAD']);
  }
});

it('serves the built docs under docs/, and reports missing ones', async () => {
  const docs = write('docs/index.html', '<title>docs</title>');
  const url = await serve(docs);
  for (const path of ['docs/', 'docs/index.html', 'docs/?q'])
    expect(await (await fetch(url + path)).text(), path).toBe('<title>docs</title>');
  expect((await fetch(`${url}docs/../../none`)).status).toBe(404);
  await http?.close();
  const none = await fetch(`${await serve(join(folder, 'none'))}docs/`);
  expect([none.status, none.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await none.text()).toContain('npm run docs');
  expect([docs, join(folder, 'none')].map(hasDocs)).toEqual([true, false]);
});

it.each(['bytes=10-5', 'bytes=5-9007199254740993', 'bytes=-9007199254740993', 'bytes=99-', 'nonsense'])(
  'returns the whole page for any requested range: %s',
  async (range) => {
    const url = await serve();
    for (const path of ['', 'index.html', '?a'])
      expect(await (await fetch(url + path, { headers: { Range: range } })).text()).toBe('<title>here</title>');
  },
);

it('answers 404 for a file that a build removed, and serves a file that it added', async () => {
  const page = write('page/old.js', 'old');
  const url = await serve();
  rmSync(join(page, 'old.js'));
  write('page/next.js', 'next');
  expect((await fetch(`${url}old.js`)).status).toBe(404);
  expect(await (await fetch(`${url}next.js`)).text()).toBe('next');
});

it('serves compressed content to clients that accept it, and 304 to those with the current version', async () => {
  write('page/some.js', 'plain');
  write('page/some.js.gz', gzipSync('small'));
  const url = await serve(write('docs/index.html', '<title>docs</title>'));
  for (const [accepted, encoding, text] of [
    ['gzip', 'gzip', 'small'],
    ['identity', null, 'plain'],
  ] as const) {
    const answer = await fetch(`${url}some.js`, { headers: { 'Accept-Encoding': accepted } });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([encoding, text]);
  }
  for (const path of ['', 'docs/']) {
    const etag = (await fetch(url + path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\//);
    expect((await fetch(url + path, { headers: { 'If-None-Match': etag } })).status, path).toBe(304);
  }
});

it('reports that the page is not built, or that a part is missing', () => {
  const page = write('parts/index.html', '<title>here</title>');
  for (const folderWithoutPart of [join(folder, 'none'), page])
    expect(() => builtPage({ page: folderWithoutPart })).toThrow(
      expect.objectContaining({
        code: 'page-not-built',
        message: `${folderWithoutPart}: expected the built page, found none; run npm run build -w @tutti/visualizer`,
      }),
    );
  write('parts/headers.json', '{}');
  expect(builtPage({ page })).toBeTypeOf('function');
});

it('reads a text of the built page, in the workspace with the built visualiser', () => {
  write('templates/some.html', 'text');
  expect(builtText('templates/some.html', folder)).toBe('text');
  const built = fileURLToPath(new URL('../../../visualizer/dist/', import.meta.url));
  expect(() => builtText('none.html')).toThrow(
    expect.objectContaining({
      code: 'page-not-built',
      message: `${built}: expected none.html of the built page, found none; run npm run build -w @tutti/visualizer`,
    }),
  );
});
