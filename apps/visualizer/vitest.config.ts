import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedConfig } from '../../tests/compiled.ts';
import { handelSource } from './traced.ts';

export default mergeConfig(
  defineConfig(sharedConfig()),
  defineConfig({
    plugins: [handelSource],
    test: {
      // One process runs many test files, which share modules. No module has state that a test could observe.
      isolate: false,
      name: 'visualizer',
      include: ['src/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      // No test waits for anything, so only a busy machine makes a test slow.
      testTimeout: 120_000,
    },
  }),
);
