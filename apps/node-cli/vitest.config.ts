import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['tutti-source', 'node'] },
  ssr: { resolve: { conditions: ['tutti-source', 'node'] } },
  test: { name: 'node-cli', include: ['src/**/*.test.ts'] },
});
