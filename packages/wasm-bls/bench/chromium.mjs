/**
 * The benchmark of kernel.mjs in Chromium: a page for each library, asked in turn.
 *
 *     npm run bench -- chromium [--rounds 5] [--only verify,batch-128] [--dry]
 *
 * Prints the table, and writes docs/records/bench-kernel-chromium.md unless --dry. CHROMIUM_PATH is the browser,
 * /usr/bin/chromium if it is not set.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { wrapMarkdown } from '../../../scripts/wrapMarkdown.mjs';
import { operations } from './contenders.mjs';
import { interleaved } from './interleaved.mjs';
import { sampleMs } from './sampling.mjs';
import { askedRounds, comparison } from './tables.mjs';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const contentTypes = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const packageRoot = '/packages/wasm-bls';
const imports = {
  '@tutti/wasm-bls': `${packageRoot}/dist/index.js`,
  '@tutti/wasm-bls/committee': `${packageRoot}/dist/committee.js`,
  '@tutti/wasm-bls/proof': `${packageRoot}/dist/proof.js`,
  '@noble/curves/': '/node_modules/@noble/curves/',
  '@noble/hashes/': '/node_modules/@noble/hashes/',
  // herumi's browser build is a classic script, which the page has run before.
  'bls-eth-wasm': 'data:text/javascript,export default globalThis.bls',
};
const html = `<!doctype html><script src="/node_modules/bls-eth-wasm/browser/bls.js"></script>
<script type="importmap">${JSON.stringify({ imports })}</script>`;

/** Serves the repository's files, isolated, so that the page's clock is fine. */
async function serve() {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(new URL(url, 'http://localhost').pathname);
    const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    try {
      const body = path === '/' ? html : await readFile(join(repository, path));
      response.writeHead(200, { ...headers, 'Content-Type': contentTypes[extname(path)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

/** A library in a page of its own; undefined if it cannot be had there. */
async function pageContender(context, origin, name) {
  const page = await context.newPage();
  await page.goto(origin);
  const has = await page.evaluate(
    async ([module, name]) => {
      try {
        globalThis.contender = await (await import(module)).contender(name);
        return globalThis.contender.has;
      } catch (error) {
        if (error.code === 'kernel-rejected') return [];
        throw error;
      }
    },
    [`${packageRoot}/bench/contenders.mjs`, name],
  );
  const ask =
    (asked) =>
    (...args) =>
      page.evaluate(([asked, args]) => globalThis.contender[asked](...args), [asked, args]);
  return { has, answer: ask('answer'), calls: ask('calls'), sample: ask('sample') };
}

async function measured(rounds, only) {
  const server = await serve();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    const context = await browser.newContext();
    const origin = `http://127.0.0.1:${server.address().port}/`;
    const all = {};
    for (const name of ['scalar', 'simd', 'noble', 'herumi']) all[name] = await pageContender(context, origin, name);
    const rows = await interleaved(all, { rounds, only, told: (operation) => console.error(operation) });
    return { rows, version: browser.version() };
  } finally {
    await browser.close();
    server.close();
  }
}

const asked = process.argv.indexOf('--only');
const only = asked === -1 ? Object.keys(operations) : process.argv[asked + 1].split(',');
const rounds = askedRounds(5);
const { rows, version } = await measured(rounds, only);
const text = comparison('ms for one call (ratio to the kernel)', rows);
console.log(text);
if (!process.argv.includes('--dry'))
  await writeFile(
    join(repository, 'docs', 'bench-kernel-chromium.md'),
    wrapMarkdown(`# The kernel against other BLS libraries, in Chromium

Measured by \`packages/wasm-bls/bench/chromium.mjs\` (\`npm run bench -- chromium\` writes this page); it bears on Handel v1.03, section 6, like [bench-kernel.md](bench-kernel.md), which explains the rows.

A page for each library, ${rounds} rounds, each of which runs every operation on every page in turn (${sampleMs} ms or more at a time). A page cannot measure its own CPU time, so these are milliseconds of wall time, including whatever else the machine did. A cell is the median of the rounds; a ratio is the median of the rounds' ratios, over 1 where the kernel is faster. All libraries were first checked to agree on every answer.

${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, Chromium ${version}.

${text}
`),
  );
