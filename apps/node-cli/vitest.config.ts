import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['tutti-source', 'node'] },
  ssr: { resolve: { conditions: ['tutti-source', 'node'] } },
  // Long enough for a busy machine: no test waits for anything.
  test: { name: 'node-cli', include: ['src/**/*.test.ts'], testTimeout: 120_000 },
});
