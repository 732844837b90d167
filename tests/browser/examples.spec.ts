import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { expect, test } from '@playwright/test';

const root = join(import.meta.dirname, '../..');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Serves the repository's files, as any file server does. */
async function served(act: (address: string) => Promise<void>): Promise<void> {
  const server = createServer(({ url = '/' }, response) => {
    const file = join(root, normalize(new URL(url, 'http://localhost').pathname));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('examples/page.html runs Handel without a bundler', async ({ page }) => {
  await served(async (address) => {
    await page.goto(`${address}/examples/page.html`);
    await expect(page.locator('#result')).toHaveText(/^256 of 256 nodes hold 99 % after \d+ ms$/);
  });
});

test('examples/tabs.html certifies a block with another tab, without a bundler', async ({ page, context }) => {
  await served(async (address) => {
    await page.goto(`${address}/examples/tabs.html`);
    await expect(page.locator('#result')).toHaveText('Waiting for the other tab …');
    const other = await context.newPage();
    await other.goto(`${address}/examples/tabs.html#1`);
    for (const tab of [page, other])
      await expect(tab.locator('#result')).toHaveText('valid: true, signed by 2 of 2 tabs');
  });
});
