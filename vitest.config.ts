import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'tests/vitest.config.ts'],
    // The default leaves a core to the runner, which needs next to none of it: on two cores, half of the machine.
    maxWorkers: '100%',
  },
});
