import { defineConfig } from '@playwright/test';
import { freePorts } from './tests/freePorts.ts';

// Each worker reads this file too, and is to look where the first has the page served.
process.env.TUTTI_PAGE_PORT ??= String(await freePorts(1));
const port = Number(process.env.TUTTI_PAGE_PORT);

export default defineConfig({
  testDir: '.',
  testMatch: ['tests/browser/*.spec.ts', 'extensions/*/tests/*.spec.ts'],
  outputDir: 'test-results',
  // A run with real signatures keeps a core busy; several at a time would only slow each other down.
  workers: 1,
  // What is waited for is mostly computed, in a worker that may share two slow cores with the rest of the tests.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Traces take a sixth of the time of all journeys, whatever comes of them: TUTTI_TRACE=1 keeps those of the ones
    // that fail.
    trace: process.env.TUTTI_TRACE ? 'retain-on-failure' : 'off',
    // Each test has a browser of its own, which would fetch every file of the build to keep it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        // A GPU that is emulated takes longer than drawing without one.
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `node ../../node_modules/vite/bin/vite.js preview --port ${port} --strictPort`,
    cwd: 'apps/visualizer',
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
    timeout: 180_000,
  },
});
