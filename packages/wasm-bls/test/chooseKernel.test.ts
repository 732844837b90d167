import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/choose-kernel.mjs', import.meta.url));

/** Returns the result of the script with these environment variables. */
function choose(env: { PATH?: string; TUTTI_BLS?: string }) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  return { kernel: stdout.trim(), line: stderr.trim(), status };
}

test('without a Rust toolchain, the committed kernel is used, with one line of output', () => {
  expect(choose({ PATH: '' })).toEqual({
    kernel: 'wasm',
    line: 'No Rust toolchain: BLS engine blst, the committed WASM kernel.',
    status: 0,
  });
});

test('TUTTI_BLS overrides the default on any machine', () => {
  expect(choose({ PATH: '', TUTTI_BLS: 'wasm' })).toMatchObject({ kernel: 'wasm', status: 0 });
  expect(choose({ ...process.env, TUTTI_BLS: 'noble' })).toMatchObject({ kernel: 'noble', status: 0 });
});

test('refuses another value of TUTTI_BLS in one line', () => {
  const { line, status } = choose({ PATH: '', TUTTI_BLS: 'fast' });
  expect(line).toBe('TUTTI_BLS: expected wasm or noble, got fast');
  expect(status).toBe(1);
});
