import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Minutes, and several hundred megabytes from the registry.
test.runIf(process.env.CI)(
  'the inlined kernel loads by itself behind every bundler, the fetched one where files are copied',
  () => {
    const run = fileURLToPath(new URL('bundlers/run.mjs', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [run, '--dry'], { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    console.log(stdout);
    for (const name of ['vite', 'webpack', 'parcel', 'next'])
      expect(stdout).toMatch(new RegExp(`^${name} [\\d.]+: (fetched loaded; inlined loaded|fetched not tried: )`, 'm'));
    expect(stdout).toMatch(/^node [\d.]+: fetched loaded; inlined loaded$/m);
  },
  900_000,
);
