import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';
import { sharedConfig } from './compiled.ts';

/** Returns Vitest's configuration for an extension, with its unit tests and its tests across packages. */
export function extension(name: string): ViteUserConfig {
  return mergeConfig(
    defineConfig(sharedConfig(['node'])),
    defineConfig({
      test: {
        // A separate process for each file would increase the total time by 10 %.
        isolate: false,
        name,
        include: ['src/**/*.test.ts', 'page/**/*.test.ts', 'tests/*.test.ts'],
        setupFiles: ['../../tests/properties.ts'],
        // The timeout is long enough for a busy machine.
        testTimeout: 240_000,
        hookTimeout: 240_000,
      },
    }),
  );
}
