import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { repositoryFolder } from './kernel-source.mjs';

export const TARGET = 'wasm32-unknown-unknown';
export const WASM_PACK_VERSION = '0.15.1';
export const WASM_BINDGEN_VERSION = '0.2.130';
const INSTALL = 'npm run kernel:tools -w @tutti/wasm-bls';

/**
 * Folder for tools that install-tools.mjs compiles. The folder is inside the checkout, so that it is removed together
 * with node_modules.
 */
export const toolsFolder = join(repositoryFolder, 'node_modules', '.cache', 'tutti', 'tools');

/** Returns an environment in which the checkout's tools take precedence over others on the PATH. */
export const toolsEnvironment = () => ({
  ...process.env,
  PATH: `${join(toolsFolder, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
});

/** C compiler of the wasm target. The committed kernel was built with clang 19. */
export const clang = () => process.env.CC_wasm32_unknown_unknown ?? 'clang-19';
export const archiver = () => process.env.AR_wasm32_unknown_unknown ?? 'llvm-ar-19';

/**
 * Version of zig, which is installed as a PyPI package. The clang in zig supports wide arithmetic, which LLVM 19 does
 * not support.
 */
export const ZIG_VERSION = '0.17.1';
export const zigFolder = join(toolsFolder, 'zig');
export const zig = () => process.env.TUTTI_ZIG ?? join(zigFolder, 'ziglang', 'zig');
export const zigHeaders = () => join(dirname(zig()), 'lib', 'include');

/** Returns a command's standard output, trimmed, or undefined if the command is absent or fails. */
export function output(command, args) {
  const run = spawnSync(command, args, { encoding: 'utf8', env: toolsEnvironment() });
  return run.status === 0 ? run.stdout.trim() : undefined;
}

const firstLine = (text) => text?.split('\n')[0];

function binaryenPackage() {
  try {
    return createRequire(import.meta.url).resolve('binaryen/package.json');
  } catch {
    return undefined;
  }
}

/**
 * Path to the optimiser from the npm package binaryen. An optimiser on the PATH is not used, because its version is
 * unknown.
 */
export const wasmOpt = () => join(dirname(binaryenPackage()), 'bin', 'wasm-opt');

/** Returns the name of the wasm target if rustc has the target's standard library, and undefined otherwise. */
function targetLibrary() {
  const library = output('rustc', ['--print', 'target-libdir', '--target', TARGET]);
  return library !== undefined && existsSync(library) ? TARGET : undefined;
}

/**
 * Searches for all tools required for a build.
 *
 * @returns `versions` of the tools found, as in the manifest, and, for each `missing` tool, one line that says how to
 * install it.
 */
export function findTools() {
  const binaryen = binaryenPackage();
  const bindgen = output('wasm-bindgen', ['--version'])?.split(' ')[1];
  const wanted = [
    ['cargo', output('cargo', ['--version']), 'install Rust with rustup'],
    ['rustc', output('rustc', ['--version']), 'install Rust with rustup'],
    [`rust target ${TARGET}`, targetLibrary(), `rustup target add ${TARGET}, or ${INSTALL}`],
    ['clang', firstLine(output(clang(), ['--version'])), `Debian: apt-get install clang-19 llvm-19, or ${INSTALL}`],
    ['llvm-ar', output(archiver(), ['--version']) && 'present', `Debian: apt-get install llvm-19, or ${INSTALL}`],
    ['wasm-pack', output('wasm-pack', ['--version']), INSTALL],
    [`wasm-bindgen ${WASM_BINDGEN_VERSION}`, bindgen === WASM_BINDGEN_VERSION ? bindgen : undefined, INSTALL],
    [`zig ${ZIG_VERSION}`, output(zig(), ['version']) === ZIG_VERSION ? ZIG_VERSION : undefined, INSTALL],
    ['binaryen', binaryen && JSON.parse(readFileSync(binaryen, 'utf8')).version, 'npm install'],
  ];
  const missing = wanted.filter(([, version]) => !version).map(([name, , how]) => `${name} is missing: ${how}`);
  const found = Object.fromEntries(wanted.map(([name, version]) => [name, version]));
  const versions = {
    rustc: found.rustc,
    clang: found.clang,
    'wasm-bindgen': bindgen,
    zig: found[`zig ${ZIG_VERSION}`],
    binaryen: found.binaryen,
  };
  return { versions, missing };
}
