import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { root } from './run.mjs';
import { findChromium } from './tools.mjs';

/**
 * Serves the page as it was last built, at a free port, and starts a browser that looks at it. To be closed, both.
 *
 * @param args of the browser, besides.
 */
export async function openBuiltPage(args = []) {
  const app = `${root}apps/visualizer`;
  const server = await preview({
    root: app,
    configFile: `${app}/vite.config.ts`,
    logLevel: 'warn',
    preview: { port: 0 },
  });
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
  });
  return { server, browser, address: `http://localhost:${server.httpServer.address().port}/` };
}
