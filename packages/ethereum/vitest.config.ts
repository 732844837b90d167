import { defineConfig, mergeConfig } from 'vitest/config';
import { room } from '../../tests/compiled.ts';

export default mergeConfig(
  defineConfig(room()),
  defineConfig({
    test: {
      // A process and its modules serve many files: none keeps state that a test could see.
      isolate: false,
      name: 'ethereum',
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      // Long enough for a busy machine: no test waits for anything.
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  }),
);
