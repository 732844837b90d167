import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['tutti-source'] },
  ssr: { resolve: { conditions: ['tutti-source'] } },
  test: {
    name: 'core',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Long enough for a busy machine: no test waits for anything.
    testTimeout: 120_000,
  },
});
