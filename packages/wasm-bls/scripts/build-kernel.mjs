/**
 * Builds the kernel: Rust and C to WebAssembly by wasm-pack, then optimised. The result depends on sources and tool
 * versions only, not on where the checkout, the crates or the compiler lie.
 *
 *     node scripts/build-kernel.mjs
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ARTEFACTS,
  crateFolder,
  GLUE,
  KERNELS,
  kernelFolder,
  manifestFile,
  sha256,
  sourceDigest,
} from './kernel-source.mjs';
import {
  archiver,
  clang,
  findTools,
  output,
  TARGET,
  toolsEnvironment,
  wasmOpt,
  zig,
  zigHeaders,
} from './kernel-tools.mjs';

/**
 * Stack that blst's batched additions of points may take: 2048 points of 144 bytes, which then share one inversion a
 * halving. blst's own figure for WebAssembly, 45 KiB, was measured to make a sum of 2^15 keys a tenth slower; the
 * kernel's stack has 1 MiB.
 */
const SCRATCH_BYTES = 2048 * 144;

/**
 * How far the compiler may unroll loops that do not ask for it; its own 300 makes a kernel 8 KB larger, gzipped, that
 * is no faster.
 */
const UNROLL_THRESHOLD = 80;

/**
 * The kernels: one for every engine; one for those that have relaxed SIMD and fuse (src/fuses.ts), in which only
 * crate/field's lanes.h and lanes_tower.h use lanes; one for wide arithmetic, which a clang of LLVM 20 or newer
 * compiles; and one without crate/field, in which every C file is blst's own, unmodified.
 */
const VARIANTS = {
  scalar: {},
  simd: {
    compile: ['-msimd128', '-mrelaxed-simd', '-fno-vectorize', '-fno-slp-vectorize'],
    optimise: ['--enable-simd', '--enable-relaxed-simd'],
  },
  wide: {
    zig: true,
    compile: ['-mwide-arithmetic', `-isystem "${zigHeaders()}"`],
    optimise: ['--enable-wide-arithmetic'],
  },
  upstream: { ownField: false },
};

/** The crate that the overlay was written against. */
const BLST_VERSION = '0.3.17';

/** The files of that version that crate/field replaces, with their SHA-256. */
const REPLACED = {
  'no_asm.h': '35bda15509ff6fea022a40249e732bc00b0ecc037c11f17b262aa822acca0253',
  'vect.h': '7aaeb0246108beabf3d315f435b0af08a62c6fce6c725ef70b060f9b70fe70e6',
  'fp12_tower.c': '09e63dac5fe51c62006141e48e525c2a50fa6459173be8296d1ba76cb2fd5809',
};
/** What these include besides. */
const INCLUDED = ['digits.h', 'words.h', 'lanes.h', 'lanes_tower.h', 'wide.h', 'wide_tower.h'];

/** The crates that the kernel is made of, where they lie on this machine. */
function crates() {
  const metadata = output('cargo', [
    'metadata',
    '--format-version=1',
    '--locked',
    '--manifest-path',
    join(crateFolder, 'Cargo.toml'),
  ]);
  return JSON.parse(metadata ?? '{"packages":[]}').packages.map(({ name, version, manifest_path }) => ({
    name,
    version,
    folder: dirname(manifest_path),
  }));
}

/**
 * A view of the file system for the C compiler, in which crate/field's files replace blst's, and blst's own are beside
 * them under other names. blst's sources and its build script stay as they are.
 *
 * @param blst - where the crate lies, and its version. @throws Error if a replaced file is missing, when blst's own
 * would be used unnoticed, or is not the one that crate/field
 *   was written against.
 */
export function overlay({ folder, version }) {
  if (version !== BLST_VERSION)
    throw new Error(`blst: expected version ${BLST_VERSION}, for which crate/field was written, got ${version}`);
  const sources = join(folder, 'blst', 'src');
  for (const [name, digest] of Object.entries(REPLACED)) {
    const path = join(sources, name);
    const found = existsSync(path) ? sha256(readFileSync(path)) : 'no such file';
    if (found !== digest)
      throw new Error(
        `blst's ${name}: expected SHA-256 ${digest}, got ${found}; compare crate/field with it, then pin that digest`,
      );
  }
  const file = (name, contents) => ({ name, type: 'file', 'external-contents': contents });
  const field = join(crateFolder, 'field');
  const contents = [
    ...[...Object.keys(REPLACED), ...INCLUDED].map((name) => file(name, join(field, name))),
    ...Object.keys(REPLACED).map((name) => file(`blst_${name}`, join(sources, name))),
  ];
  return { version: 0, 'use-external-names': false, roots: [{ name: sources, type: 'directory', contents }] };
}

/** Compiler flags that replace every folder of this machine by a neutral name: panic messages carry their file's path. */
function remapFlags() {
  const folders = crates().map(({ name, folder }) => [folder, `/crates/${name}`]);
  folders.push([output('rustc', ['--print', 'sysroot']), '/rust']);
  return folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

function run(command, args, env) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed:\n${error?.message ?? stdout + stderr}`);
}

/**
 * Builds the artefact's files into a folder.
 *
 * @param folder - where all kernels, their glue and its types are written; made if absent.
 * @throws Error with a line per missing tool, or with the failed tool's own output.
 */
export function buildKernel(folder) {
  const { missing } = findTools();
  if (missing.length > 0) throw new Error(missing.join('\n'));
  const work = mkdtempSync(join(tmpdir(), 'tutti-kernel-'));
  try {
    const overlayFile = join(work, 'overlay.json');
    writeFileSync(overlayFile, JSON.stringify(overlay(crates().find(({ name }) => name === 'blst'))));
    const env = {
      ...toolsEnvironment(),
      CC_wasm32_unknown_unknown: clang(),
      AR_wasm32_unknown_unknown: archiver(),
      CC_SHELL_ESCAPED_FLAGS: '1',
      CARGO_ENCODED_RUSTFLAGS: remapFlags().join('\x1f'),
      CARGO_TARGET_DIR: join(work, 'target'),
    };
    mkdirSync(folder, { recursive: true });
    const zigClang = join(work, 'zig-clang');
    writeFileSync(zigClang, `#!/bin/sh\nexec "${zig()}" clang "$@"\n`, { mode: 0o755 });
    for (const [name, { zig: isZig, compile = [], optimise = [], ownField = true }] of Object.entries(VARIANTS)) {
      const wasm = KERNELS[name];
      const packed = join(work, name);
      const unrolling = ['-mllvm', `-unroll-threshold=${UNROLL_THRESHOLD}`];
      const flags = [
        '-O3',
        ...unrolling,
        `-DSCRATCH_LIMIT=${SCRATCH_BYTES}`,
        ...(ownField ? [`-ivfsoverlay "${overlayFile}"`] : []),
        ...compile,
      ];
      run(
        'wasm-pack',
        ['build', crateFolder, '--mode', 'no-install', '--release', '--target', 'web', '--no-pack']
          .concat('--out-dir', packed, '--out-name', 'tutti_bls')
          .concat('--', '--locked'),
        {
          ...env,
          ...(isZig && { CC_wasm32_unknown_unknown: zigClang }),
          CFLAGS_wasm32_unknown_unknown: flags.join(' '),
        },
      );
      run(wasmOpt(), ['-O3', ...optimise, join(packed, 'tutti_bls_bg.wasm'), '-o', join(folder, wasm)], env);
      for (const file of GLUE) {
        const glue = readFileSync(join(packed, file));
        const written = join(folder, file);
        // One glue serves all.
        if (name !== 'scalar' && !glue.equals(readFileSync(written))) throw new Error(`${wasm} has another ${file}`);
        writeFileSync(written, glue);
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The manifest of an artefact that was just built. */
export function manifestOf(folder) {
  return {
    sourceSha256: sourceDigest(),
    artefactSha256: Object.fromEntries(ARTEFACTS.map((name) => [name, sha256(readFileSync(join(folder, name)))])),
    target: TARGET,
    tools: findTools().versions,
  };
}

/** Builds into kernel/, with its manifest. */
export function rebuildCommitted() {
  buildKernel(kernelFolder);
  writeFileSync(manifestFile, `${JSON.stringify(manifestOf(kernelFolder), undefined, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    rebuildCommitted();
    console.log(`kernel built: ${readFileSync(join(kernelFolder, 'tutti_bls_bg.wasm')).length} bytes of WebAssembly`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
