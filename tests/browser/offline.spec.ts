import { cpSync, createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { testInCi } from './page.ts';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

test.use({ serviceWorkers: 'allow' });

/** Serves a replaceable folder under /some/folder/. Without a folder, connections close without an answer. */
function serve(folder: () => string | undefined) {
  const server = createServer((request, response) => {
    const now = folder();
    if (now === undefined) return void request.socket.destroy();
    const path = new URL(request.url!, 'http://page').pathname.replace(/\/$/, '/index.html');
    const file = join(now, path.replace(/^\/some\/folder\//, ''));
    if (!path.startsWith('/some/folder/') || !existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  }).listen(0);
  const close = async () => {
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  };
  return { address: `http://localhost:${(server.address() as AddressInfo).port}/some/folder/`, close };
}

const dist = 'apps/visualizer/dist';

testInCi('after a visit the pages work without a server, and the next visit has a new build', async ({ page }) => {
  const next = mkdtempSync(join(tmpdir(), 'tutti-build-'));
  cpSync(dist, next, { recursive: true });
  writeFileSync(
    join(next, 'first.js'),
    `${readFileSync(join(dist, 'first.js'))}\ndocument.documentElement.dataset.build = 'next';`,
  );
  const worker = readFileSync(join(dist, 'sw.js'), 'utf8');
  const [build] = /[0-9a-f]{16}/.exec(worker)!;
  writeFileSync(join(next, 'sw.js'), worker.replace(build, 'f'.repeat(16)));
  let folder: string | undefined = dist;
  const { address, close } = serve(() => folder);
  const html = page.locator('html');

  await test.step('after one visit, without a server', async () => {
    await page.goto(`${address}#race&t=100`);
    await expect(html).toHaveAttribute('data-state', 'ready');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.goto('about:blank');
    folder = undefined;
    await page.goto(`${address}#race&t=380`);
    await expect(page.locator('#clock')).toHaveText('0.38 s');
    await page.goto(`${address}run.html#n=16&scheme=counting&t=100`);
    await expect(html).toHaveAttribute('data-state', 'ready');
    await expect(page.getByTestId('digest')).toHaveText(/^[0-9a-f]{16}$/);
  });

  await test.step('a new build is there with the next visit, and stays there without a server', async () => {
    folder = next;
    await page.reload();
    await expect(html).toHaveAttribute('data-build', 'next');
    // The page's worker takes control of the page before the page is closed.
    const isNext = () =>
      page.evaluate(async (build) => {
        // Reads the caches first: with caches, a worker is installing, unseen by an earlier registration.
        const isKept = (await caches.keys()).some((name) => name.endsWith(build));
        const { active, installing, waiting } = (await navigator.serviceWorker.getRegistration())!;
        return isKept && active?.state === 'activated' && !installing && !waiting;
      }, 'f'.repeat(16));
    await expect.poll(isNext).toBe(true);
    await close();
    rmSync(next, { recursive: true });
    await page.reload();
    await expect(html).toHaveAttribute('data-build', 'next');
    await expect(html).toHaveAttribute('data-state', 'ready');
  });
});
