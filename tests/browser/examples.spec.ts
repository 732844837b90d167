import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { expect, test } from '@playwright/test';

const root = join(import.meta.dirname, '../..');
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

test('examples/page.html runs Handel without a bundler', async ({ page }) => {
  const server = createServer(({ url = '/' }, response) => {
    const file = join(root, normalize(new URL(url, 'http://localhost').pathname));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/examples/page.html`);
    await expect(page.locator('#result')).toHaveText(/^256 of 256 nodes hold 99 % after \d+ ms$/);
  } finally {
    server.close();
  }
});
