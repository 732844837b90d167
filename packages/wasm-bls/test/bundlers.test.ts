import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The test takes minutes, and downloads several hundred megabytes.
test.runIf(process.env.CI)(
  'the kernel loads by itself with every bundler and in an extension, from both sources',
  () => {
    const run = fileURLToPath(new URL('bundlers/run.mjs', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [run, '--dry'], { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    console.log(stdout);
    // These bundlers copy the kernel's file, so the file is loaded.
    for (const name of ['vite', 'webpack', 'parcel', 'next'])
      expect(stdout).toMatch(new RegExp(`^${name} [\\d.]+: (fetched loads, \\d+ kB; |fetched not tried: )`, 'm'));
    expect(stdout).toMatch(/^node [\d.]+: fetched loads; inlined loads$/m);
  },
  900_000,
);
