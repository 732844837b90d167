/** Pages of Chromium and frames of Firefox, both with wide arithmetic, which import this repository's files. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));
export const packageRoot = '/packages/wasm-bls';
/** Chromium has wide arithmetic behind it. */
export const wideFlag = '--wasm-wide-arithmetic';
const contentTypes = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const imports = {
  '@tutti/wasm-bls': `${packageRoot}/dist/index.js`,
  '@tutti/wasm-bls/committee': `${packageRoot}/dist/committee.js`,
  '@tutti/wasm-bls/kernel': `${packageRoot}/dist/kernel.js`,
  // Enough of it for the fuzzer.
  'node:assert/strict': `data:text/javascript,${encodeURIComponent(`
    const text = (value) => JSON.stringify(value, (_, x) => (typeof x === 'bigint' ? x + 'n' : x));
    export default { deepEqual(a, b, said) { if (text(a) !== text(b)) throw new Error(said ?? 'not equal'); } };`)}`,
  '@noble/curves/': '/node_modules/@noble/curves/',
  '@noble/hashes/': '/node_modules/@noble/hashes/',
  // herumi's browser build is a classic script, which the page has run before.
  'bls-eth-wasm': 'data:text/javascript,export default globalThis.bls',
};

/** Serves the repository's files, isolated, so that the page's clock is fine; `folders` are others, by their path. */
async function serve(scripts, folders) {
  const html = `<!doctype html>${scripts.map((script) => `<script src="${script}"></script>`).join('')}
<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const server = createServer(async ({ url }, response) => {
    const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    try {
      const path = normalize(new URL(url, 'http://localhost').pathname);
      const at = Object.keys(folders).find((folder) => path.startsWith(folder));
      const file = at === undefined ? join(repository, path) : join(folders[at], path.slice(at.length));
      const body = path === '/' ? html : await readFile(file);
      response.writeHead(200, { ...headers, 'Content-Type': contentTypes[extname(path)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

/**
 * What `use` makes of pages, each as `open` gives it; it is also told the browser's version, and the pages' address.
 *
 * @param scripts - classic ones that each page runs first.
 * @param folders - what is served beside the repository, by its path.
 * CHROMIUM_PATH is the browser, /usr/bin/chromium if it is not set.
 */
export async function withPages({ scripts = [], folders = {} }, use) {
  const server = await serve(scripts, folders);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--js-flags=${wideFlag}`],
  });
  try {
    const context = await browser.newContext();
    const address = `http://127.0.0.1:${server.address().port}/`;
    const open = async () => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
    return await use(open, browser.version(), address);
  } finally {
    await browser.close();
    server.close();
  }
}

/** This machine's Firefox, as the journeys drive it, and its version; undefined where there is none. */
export async function startFirefox(preferences) {
  const { runnerImport } = await import('vite');
  const { module: firefoxes } = await runnerImport(`${repository}tests/browser/firefox.ts`);
  const { Firefox, firefoxCommand } = firefoxes;
  if (firefoxCommand === undefined) return undefined;
  const said = spawnSync(firefoxCommand, ['--version'], { encoding: 'utf8' }).stdout;
  const firefox = await Firefox.start(firefoxCommand, { width: 1440, height: 900 }, preferences);
  return { firefox, version: /[\d.]+(?:esr)?/.exec(said)[0] };
}

/** Where Firefox has wide arithmetic behind a preference, it is set. */
export const wideFirefox = { 'javascript.options.wasm_wide_arithmetic': true };

/**
 * What `use` makes of frames of a page in this machine's Firefox, as the journeys drive it, each with modules of its own
 * and as `open` gives it: `evaluate`, which runs a function there on what can be written as JSON. It is told the version.
 *
 * @param address - of every frame.
 */
export async function withFirefox(address, use) {
  const started = await startFirefox(wideFirefox);
  if (started === undefined) throw new Error('no Firefox: none is on the PATH, and FIREFOX_PATH names none');
  const { firefox, version } = started;
  try {
    await firefox.goto(address);
    let frames = 0;
    const open = async () => {
      const at = frames++;
      await firefox.evaluate(`new Promise((loaded) => {
        const frame = document.createElement('iframe');
        frame.onload = loaded;
        frame.src = '/';
        document.body.append(frame);
      })`);
      const evaluate = async (run, given) => {
        const there = `(async () => JSON.stringify((await (${run})(${JSON.stringify(given)})) ?? null))()`;
        return JSON.parse(await firefox.evaluate(`frames[${at}].eval(${JSON.stringify(there)})`));
      };
      return { evaluate };
    };
    return await use(open, version);
  } finally {
    firefox.close();
  }
}

/**
 * A library in a page of its own, or in a frame.
 *
 * @param page - its `evaluate` runs a function there, on one value.
 * @returns as `contender` of contenders.mjs, with answers that are promises; no operations where the engine does not run
 *   the kernel.
 */
export async function pageContender(page, name) {
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
