/**
 * Checks the kernel's Rust code as CI does: formatting, clippy without warnings, and tests on this machine. Tests that
 * do not call blst, which is written in C, also run under Miri.
 *
 *     npm run kernel:rust -w @tutti/wasm-bls [-- --if-tools]
 *
 * With --if-tools, a missing toolchain is reported in one line and is not a failure. Miri requires a nightly toolchain
 * that includes it. Without such a toolchain, the script reports its absence and omits Miri.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crateFolder } from './kernel-source.mjs';
import { output } from './kernel-tools.mjs';

/** The only modules that may use `unsafe`: the module that calls blst, and the allocator. */
const UNSAFE_MODULES = ['ffi.rs', 'wiping.rs'];

/** Commands that test whether the required tools are installed, each with installation advice. */
const NEEDED = [
  ['cargo', ['--version'], 'install Rust with rustup'],
  ['cargo', ['fmt', '--version'], 'rustup component add rustfmt'],
  ['cargo', ['clippy', '--version'], 'rustup component add clippy'],
];

const CHECKS = [
  ['fmt', '--check'],
  ['clippy', '--all-targets', '--locked', '--quiet', '--', '-D', 'warnings'],
  ['test', '--locked', '--quiet'],
];
const MIRI = ['+nightly', 'miri', 'test', '--locked', '--quiet'];

function cargo(args) {
  const { status, stdout, stderr } = spawnSync('cargo', args, { cwd: crateFolder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cargo ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

function check() {
  const sources = join(crateFolder, 'src');
  for (const name of readdirSync(sources).filter((name) => !UNSAFE_MODULES.includes(name)))
    if (/\bunsafe\b/.test(readFileSync(join(sources, name), 'utf8')))
      throw new Error(`crate/src/${name}: expected no unsafe outside ${UNSAFE_MODULES.join(' and ')}; call ffi.rs`);
  const missing = NEEDED.find(([command, args]) => output(command, args) === undefined);
  if (missing !== undefined) {
    const [command, args, how] = missing;
    const line = `${[command, ...args.slice(0, -1)].join(' ')} is missing: ${how}`;
    if (process.argv.includes('--if-tools')) return `kernel's Rust is not checked: ${line}`;
    throw new Error(line);
  }
  for (const args of CHECKS) cargo(args);
  if (output('cargo', ['+nightly', 'miri', '--version']) === undefined)
    return "kernel's Rust is formatted, linted and tested, but not under Miri, which is not installed";
  cargo(MIRI);
  return "kernel's Rust is formatted, linted, and tested, also under Miri";
}

try {
  console.log(check());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
