import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';
import { room } from './compiled.ts';

/** Vitest's configuration of an extension: its unit tests, and its tests across packages. */
export function extension(name: string): ViteUserConfig {
  return mergeConfig(
    defineConfig(room(['node'])),
    defineConfig({
      test: {
        // Starting a process for each file takes a tenth of the time of all.
        isolate: false,
        name,
        include: ['src/**/*.test.ts', 'page/**/*.test.ts', 'tests/*.test.ts'],
        setupFiles: ['../../tests/properties.ts'],
        // Long enough for a busy machine.
        testTimeout: 240_000,
        hookTimeout: 240_000,
      },
    }),
  );
}
