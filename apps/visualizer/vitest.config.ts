import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['tutti-source'] },
  ssr: { resolve: { conditions: ['tutti-source'] } },
  test: { name: 'visualizer', include: ['src/**/*.test.ts'] },
});
