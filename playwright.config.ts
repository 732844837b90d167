import { defineConfig } from '@playwright/test';
import { freePorts } from './tests/freePorts.ts';

// Each worker reads this file too, and must use the port at which the first process serves the page.
process.env.TUTTI_PAGE_PORT ??= String(await freePorts(1));
const port = Number(process.env.TUTTI_PAGE_PORT);

export default defineConfig({
  testDir: '.',
  testMatch: ['tests/browser/*.spec.ts', 'extensions/*/tests/*.spec.ts'],
  outputDir: 'test-results',
  // A run with real signatures keeps a core busy; several concurrent runs would only slow each other down.
  workers: 1,
  // Tests mostly wait for computations in a worker, which may share two slow cores with other tests.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Recording traces takes a sixth of the total time of the tests. If TUTTI_TRACE is set, the traces of failed tests
    // are kept.
    trace: process.env.TUTTI_TRACE ? 'retain-on-failure' : 'off',
    // Each test has its own browser, which would fetch every file of the build to cache it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        // Drawing with an emulated GPU takes longer than drawing without a GPU.
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
