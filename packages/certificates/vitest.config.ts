import { defineConfig, mergeConfig } from 'vitest/config';
import { room } from '../../tests/compiled.ts';

export default mergeConfig(
  defineConfig(room(['node'])),
  defineConfig({
    // What waits here waits for other work of a loaded machine, never for a time of its own.
    test: {
      // A process and its modules serve many files: none keeps state that a test could see.
      isolate: false,
      name: 'certificates',
      include: ['src/**/*.test.ts'],
      setupFiles: ['../../tests/properties.ts'],
      testTimeout: 240_000,
    },
  }),
);
