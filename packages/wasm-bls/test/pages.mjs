/** Pages of Chromium with wide arithmetic that import this repository's files. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
export const packageRoot = '/packages/wasm-bls';
/** Flag that enables wide arithmetic in Chromium. */
const wideFlag = '--wasm-wide-arithmetic';
const contentTypes = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const imports = {
  '@tutti/wasm-bls': `${packageRoot}/dist/index.js`,
  // A replacement with only the functions that the fuzzer uses.
  'node:assert/strict': `data:text/javascript,${encodeURIComponent(`
    const text = (value) => JSON.stringify(value, (_, x) => (typeof x === 'bigint' ? x + 'n' : x));
    export default { deepEqual(a, b, said) { if (text(a) !== text(b)) throw new Error(said ?? 'not equal'); } };`)}`,
  '@noble/curves/': '/node_modules/@noble/curves/',
  '@noble/hashes/': '/node_modules/@noble/hashes/',
};

/** Serves the repository's files. */
async function serve() {
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const server = createServer(async ({ url }, response) => {
    const path = normalize(new URL(url, 'http://localhost').pathname);
    try {
      const body = path === '/' ? html : await readFile(join(repository, path));
      response.writeHead(200, { 'Content-Type': contentTypes[extname(path)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

/** Calls `use` with a function that opens pages, and Chromium's version. CHROMIUM_PATH names the browser. */
export async function withPages(use) {
  const server = await serve();
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
    return await use(open, browser.version());
  } finally {
    await browser.close();
    server.close();
  }
}
