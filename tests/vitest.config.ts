import { defineConfig, mergeConfig } from 'vitest/config';
import { room } from './compiled.ts';

/** Two rooms and real processes. A file has its own folder, ports and children, so that files run concurrently. */
export default mergeConfig(
  defineConfig(room()),
  defineConfig({
    test: {
      // Starting a process for each file takes a tenth of the time of all.
      isolate: false,
      name: 'tests',
      include: ['*.test.ts'],
      setupFiles: ['properties.ts'],
      // Long enough for a busy machine, on which these run concurrently with the journeys.
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  }),
);
