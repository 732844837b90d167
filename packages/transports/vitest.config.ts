import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedConfig } from '../../tests/compiled.ts';

export default mergeConfig(
  defineConfig(sharedConfig(['node'])),
  defineConfig({
    // Tests in this package wait for other work on a busy machine, never for a fixed time.
    test: {
      // No module keeps state that tests could observe, so one process and its modules serve many test files.
      isolate: false,
      name: 'transports',
      include: ['src/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      testTimeout: 240_000,
    },
  }),
);
