import { defineConfig, mergeConfig } from 'vitest/config';
import { room } from './compiled.ts';

/** Two rooms and real processes. A file has its own folder, ports and children, so that files run beside each other. */
export default mergeConfig(
  defineConfig(room()),
  defineConfig({
    test: {
      // Starting a process for each file takes a tenth of the time of all.
      isolate: false,
      name: 'tests',
      include: ['*.test.ts'],
      setupFiles: ['properties.ts'],
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  }),
);
