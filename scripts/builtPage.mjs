/** The page of the last build, in a browser, and the resources that a tab with the page uses. */
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { root } from './run.mjs';
import { findChromium } from './tools.mjs';

/**
 * Serves the page at a free port, and starts a browser that can open it. `close` ends both the server and the browser.
 */
export async function openBuiltPage() {
  const app = `${root}apps/visualizer`;
  const server = await preview({
    root: app,
    configFile: `${app}/vite.config.ts`,
    logLevel: 'warn',
    preview: { port: 0 },
  });
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return { browser, address: `http://localhost:${server.httpServer.address().port}/`, close };
}

/**
 * Opens a tab that has its own processes, in a browser with other tabs.
 *
 * @returns the page; `taken`, which returns the CPU seconds of all the tab's processes so far, and the largest peak
 * memory of one of them in bytes, NaN if the system does not report it; and `close`.
 */
export async function openTab(browser) {
  const session = await browser.newBrowserCDPSession();
  const renderers = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer');
  };
  const before = new Set((await renderers()).map(({ id }) => id));
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const taken = async () => {
    const own = (await renderers()).filter(({ id }) => !before.has(id));
    return {
      seconds: own.reduce((sum, { cpuTime }) => sum + cpuTime, 0),
      peakBytes: Math.max(...own.map(({ id }) => peakBytesOf(id))),
    };
  };
  return { page, taken, close: () => context.close() };
}

/** Returns the peak resident memory of a process, bytes; NaN if the system does not report it. */
function peakBytesOf(pid) {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
