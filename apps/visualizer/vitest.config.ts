import { defineConfig, mergeConfig } from 'vitest/config';
import { room } from '../../tests/compiled.ts';
import { handelSource } from './traced.ts';

export default mergeConfig(
  defineConfig(room()),
  defineConfig({
    plugins: [handelSource],
    // The timeout is long enough for a busy machine, because no test waits for anything.
    test: {
      // One process runs many test files, which share modules. No module has state that a test could observe.
      isolate: false,
      name: 'visualizer',
      include: ['src/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      testTimeout: 120_000,
    },
  }),
);
