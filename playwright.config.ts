import { defineConfig } from '@playwright/test';

const port = 4273;

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  // A run with real signatures keeps a core busy; several at a time would only slow each other down.
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    // Each test has a browser of its own, which would fetch every file of the build to keep it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `npx vite preview --port ${port} --strictPort`,
    cwd: 'apps/visualizer',
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
  },
});
