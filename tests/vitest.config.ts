import { defineConfig } from 'vitest/config';

/** Two rooms and real processes: each file has its own sockets and children, so files run one after another. */
export default defineConfig({
  resolve: { conditions: ['tutti-source'] },
  ssr: { resolve: { conditions: ['tutti-source'] } },
  test: { name: 'tests', include: ['*.test.ts'], fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 },
});
