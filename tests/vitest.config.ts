import { defineConfig } from 'vitest/config';

/** Two rooms and real processes. A file has its own process, folder, ports and children, so that files run beside each other. */
export default defineConfig({
  resolve: { conditions: ['tutti-source'] },
  ssr: { resolve: { conditions: ['tutti-source'] } },
  test: {
    name: 'tests',
    include: ['*.test.ts'],
    setupFiles: ['properties.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
