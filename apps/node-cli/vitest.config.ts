import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['tutti-source', 'node'] },
  ssr: { resolve: { conditions: ['tutti-source', 'node'] } },
  // Long enough for a busy machine: no test waits for anything.
  test: {
    // A process and its modules serve many files: none keeps state that a test could see.
    isolate: false,
    name: 'node-cli',
    include: ['src/**/*.test.ts'],
    setupFiles: ['../../tests/properties.ts'],
    testTimeout: 120_000,
  },
});
