/**
 * Chooses the BLS engine that a start script passes to the program. The library itself never falls back to another
 * one.
 *
 *     node scripts/choose-kernel.mjs      prints wasm or noble, and the reason on standard error
 */
import { fileURLToPath } from 'node:url';
import { rebuildCommitted } from './build-kernel.mjs';
import { packGlue } from './kernel-glue.mjs';
import { staleness } from './kernel-source.mjs';
import { findTools, output } from './kernel-tools.mjs';

/**
 * Returns the kernel to use, and one line with its name and the reason. TUTTI_BLS determines it if set. Without a Rust
 * toolchain, the committed WASM kernel is used. With one, the kernel is rebuilt first if its sources changed.
 *
 * @returns `{ kernel: 'wasm' | 'noble', line }`.
 * @throws Error with a one-line message if TUTTI_BLS is neither `wasm` nor `noble`, or if a stale kernel cannot be
 * rebuilt.
 */
export function chooseKernel() {
  const asked = process.env.TUTTI_BLS;
  if (asked === 'noble') return { kernel: 'noble', line: 'TUTTI_BLS=noble: BLS engine noble-curves.' };
  if (asked === 'wasm') return { kernel: 'wasm', line: 'TUTTI_BLS=wasm: BLS engine blst, the committed WASM kernel.' };
  if (asked) throw new Error(`TUTTI_BLS: expected wasm or noble, got ${asked}`);
  const stale = staleness();
  if (output('cargo', ['--version']) === undefined) {
    if (stale !== undefined)
      throw new Error(`The WASM kernel is stale (${stale}), and there is no Rust toolchain to rebuild it`);
    return { kernel: 'wasm', line: 'No Rust toolchain: BLS engine blst, the committed WASM kernel.' };
  }
  if (stale === undefined)
    return { kernel: 'wasm', line: 'BLS engine blst, the committed WASM kernel, which matches its sources.' };
  const { missing } = findTools();
  if (missing.length > 0) throw new Error(`The WASM kernel is stale (${stale}), and cannot be rebuilt: ${missing[0]}`);
  rebuildCommitted();
  packGlue();
  return { kernel: 'wasm', line: `BLS engine blst, the WASM kernel, which was rebuilt: ${stale}.` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { kernel, line } = chooseKernel();
    console.error(line);
    console.log(kernel);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
