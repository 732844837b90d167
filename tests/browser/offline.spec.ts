import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { expect, test } from '@playwright/test';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

test.use({ serviceWorkers: 'allow' });

test('after one visit the pages work without a server, from a folder of it', async ({ page }) => {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://page').pathname.replace(/\/$/, '/index.html');
    const file = `apps/visualizer/dist/${path.replace(/^\/some\/folder\//, '')}`;
    if (!path.startsWith('/some/folder/') || !existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  }).listen(0);
  const address = `http://localhost:${(server.address() as AddressInfo).port}/some/folder/`;
  await page.goto(`${address}#race&t=100`);
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.goto('about:blank');
  await new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });

  await page.goto(`${address}#race&t=380`);
  await expect(page.locator('#clock')).toHaveText('0.38 s');
  await page.goto(`${address}run.html#n=16&scheme=counting&t=100`);
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready', { timeout: 60_000 });
  await expect(page.getByTestId('digest')).toHaveText(/^[0-9a-f]{16}$/);
});
