import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedConfig } from '../../tests/compiled.ts';

export default mergeConfig(
  defineConfig(sharedConfig()),
  defineConfig({
    test: {
      // No module keeps state that a test could observe, so one process and its modules serve many files.
      isolate: false,
      name: 'wasm-bls',
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      // The limit is long enough for a busy machine. No test waits for a fixed time.
      testTimeout: 120_000,
    },
  }),
);
