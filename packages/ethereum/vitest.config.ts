import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedConfig } from '../../tests/compiled.ts';

export default mergeConfig(
  defineConfig(sharedConfig()),
  defineConfig({
    test: {
      // No module keeps state that a test could observe, so one process and its modules serve many test files.
      isolate: false,
      name: 'ethereum',
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      // The time limit allows for a busy machine. No test waits for time to pass.
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  }),
);
