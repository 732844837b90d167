import { defineConfig, mergeConfig } from 'vitest/config';
import { room } from '../../tests/compiled.ts';
import { handelSource } from './traced.ts';

export default mergeConfig(
  defineConfig(room()),
  defineConfig({
    plugins: [handelSource],
    // Long enough for a busy machine: no test waits for anything.
    test: {
      // A process and its modules serve many files: none keeps state that a test could see.
      isolate: false,
      name: 'visualizer',
      include: ['src/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      testTimeout: 120_000,
    },
  }),
);
