import { defineConfig, mergeConfig } from 'vitest/config';
import { sharedConfig } from './compiled.ts';

/**
 * Configuration of the tests across packages, which include two live rooms and real processes. Each file has its own
 * folder, ports and child processes, so that files run concurrently.
 */
export default mergeConfig(
  defineConfig(sharedConfig()),
  defineConfig({
    test: {
      // A separate process for each file would increase the total time by 10 %.
      isolate: false,
      name: 'tests',
      include: ['*.test.ts'],
      setupFiles: ['properties.ts'],
      // The timeout is long enough for a busy machine, on which these tests run concurrently with the browser tests.
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  }),
);
