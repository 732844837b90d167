import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedConfig } from '../../tests/compiled.ts';

export default mergeConfig(
  defineConfig(sharedConfig(['node'])),
  defineConfig({
    // The timeout allows for a busy machine: no test waits for time to pass.
    test: {
      // Each process and its modules serve many test files, because no module keeps state that a test could observe.
      isolate: false,
      name: 'node-cli',
      include: ['src/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  }),
);
