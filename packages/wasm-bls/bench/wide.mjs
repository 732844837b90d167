/**
 * What WebAssembly's wide arithmetic gives: stock blst with 64-bit limbs and with 32-bit ones, our kernels, and native
 * blst, in Chromium with the flag.
 *
 *     npm run bench -- wide [--zig PATH] [--rounds 60] [--dry]
 *
 * PATH is a zig whose clang is LLVM 20 or newer; undefined, the one that kernel:tools installs.
 * Prints the table, and writes docs/records/wide.md unless --dry. CHROMIUM_PATH is the browser, /usr/bin/chromium if it
 * is not set.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { options, table, writeRecord } from '../../../scripts/bench/frame.mjs';
import { zig as installedZig } from '../scripts/kernel-tools.mjs';
import { repository, wideFlag, withPages } from './pages.mjs';
import { median } from './sampling.mjs';

const crate = join(repository, 'packages', 'wasm-bls', 'crate', 'Cargo.toml');
const features = 'generic+bulk_memory+sign_ext+nontrapping_fptoint+mutable_globals';
/** Calls of a sample: few, so that some sample falls between what else the machine does. */
const calls = 4;
/** The known signature's first bytes (src/knownAnswer.ts). */
const knownStart = 0x92c1dc;

function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
  return stdout;
}

/** Replaces what must be there. */
function edited(file, ...edits) {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of edits) {
    if (!text.includes(from)) throw new Error(`${file}: expected ${JSON.stringify(from)}, got another version of blst`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
}

/** Two modules of blst's own code: with its limbs of 32 bits, and of 64 by wide arithmetic. */
function built(zig, work) {
  const { packages } = JSON.parse(
    output('cargo', ['metadata', '--format-version=1', '--locked', '--manifest-path', crate]),
  );
  const blst = join(dirname(packages.find(({ name }) => name === 'blst').manifest_path), 'blst');
  for (const limbs of [32, 64]) {
    const folder = join(work, `blst${limbs}`);
    cpSync(blst, folder, { recursive: true });
    if (limbs === 64) {
      const narrow = 'typedef unsigned int limb_t;\n# define LIMB_T_BITS    32';
      edited(join(folder, 'src', 'vect.h'), [narrow, 'typedef unsigned long long limb_t;\n# define LIMB_T_BITS    64']);
      edited(
        join(folder, 'src', 'no_asm.h'),
        ['#if LIMB_T_BITS==32\ntypedef unsigned long long llimb_t;\n#endif', 'typedef unsigned __int128 llimb_t;'],
        // quot_rem_64 divides by one limb of 64 bits, which is no even number of them: the assumption traps in signing.
        [
          '__builtin_assume(n != 0 && n%2 == 0);\n    llimb_t limbx;\n    limb_t tmp[n+1], carry, mask, borrow;',
          '__builtin_assume(n != 0);\n    llimb_t limbx;\n    limb_t tmp[n+1], carry, mask, borrow;',
        ],
      );
    }
    output(zig, [
      ...['cc', '-target', 'wasm32-freestanding', '-O3', '-g0', '-ffreestanding', '-nostdlib'],
      ...['-D__BLST_NO_ASM__', '-D__BLST_PORTABLE__', `-mcpu=${features}${limbs === 64 ? '+wide_arithmetic' : ''}`],
      ...['-Wl,--no-entry', '-Wl,-z,stack-size=1048576', `-I${join(folder, 'bindings')}`],
      ...[fileURLToPath(new URL('./wide.c', import.meta.url)), join(folder, 'src', 'server.c')],
      ...['-o', join(work, `blst${limbs}.wasm`)],
    ]);
  }
}

/** Native blst in this process: the same calls. */
async function native() {
  const blst = (await import('@chainsafe/blst')).default;
  const secret = blst.SecretKey.fromBytes(new Uint8Array(32).fill(1));
  const message = new TextEncoder().encode('tutti');
  const [key, signature] = [secret.toPublicKey().toBytes(), secret.sign(message).toBytes()];
  const times = (run) => (count) => {
    let all = true;
    for (let i = 0; i < count; i++) all = run() && all;
    return all;
  };
  return {
    sign: times(() => secret.sign(message).toBytes().length > 0),
    verify: times(() =>
      blst.verify(message, blst.PublicKey.fromBytes(key, true), blst.Signature.fromBytes(signature, true)),
    ),
  };
}

function timed(own, operation) {
  const started = performance.now();
  own[operation](calls);
  return (performance.now() - started) / calls;
}

/** In a page: milliseconds for one call. */
function timedThere([operation, count]) {
  const started = performance.now();
  if (globalThis.operations[operation](count) === false) throw new Error('a right signature was refused');
  return (performance.now() - started) / count;
}

/** In a page: makes `operations` of one contender, and says how its known signature begins. */
async function prepare(name) {
  if (name.startsWith('blst')) {
    const { instance } = await WebAssembly.instantiateStreaming(fetch(`/work/${name}.wasm`));
    const { setup, sign, verify } = instance.exports;
    const start = setup();
    globalThis.operations = { sign, verify: (count) => verify(count) === 1 };
    return start;
  }
  const { loadBls } = await import('/packages/wasm-bls/dist/index.js');
  const bls = await loadBls({ arithmetic: name });
  const message = new TextEncoder().encode('tutti');
  const secret = new Uint8Array(32).fill(1);
  const [key, signature] = [bls.publicKey(secret), bls.sign(secret, message)];
  const times = (run) => (count) => {
    let all = true;
    for (let i = 0; i < count; i++) all = run() && all;
    return all;
  };
  globalThis.operations = {
    sign: times(() => bls.sign(secret, message).length > 0),
    verify: times(() => bls.verify(key, message, signature)),
  };
  return (signature[0] << 16) | (signature[1] << 8) | signature[2];
}

const { zig, rounds, dry } = options({ zig: installedZig(), rounds: 60, dry: false });
const names = {
  wide: 'ours, wide',
  blst64: 'stock blst, wide',
  simd: 'ours with SIMD',
  scalar: 'ours',
  native: 'native blst',
  blst32: 'stock blst',
};
const work = mkdtempSync(join(tmpdir(), 'tutti-wide-'));
built(zig, work);
const size = (name) => Math.round(gzipSync(readFileSync(join(work, `${name}.wasm`)), { level: 9 }).length / 1000);
const clang = output(zig, ['cc', '--version']).split('\n')[0];
const times = { sign: {}, verify: {} };
const version = await withPages({ folders: { '/work/': work } }, async (open, version) => {
  const pages = {};
  const own = await native();
  for (const name of Object.keys(names).filter((name) => name !== 'native')) {
    pages[name] = await open();
    const start = await pages[name].evaluate(prepare, name);
    if (start !== knownStart) throw new Error(`${names[name]}: expected the known signature, got another`);
  }
  for (let round = 0; round < rounds; round++)
    for (const operation of Object.keys(times))
      for (const name of Object.keys(names)) {
        times[operation][name] ??= [];
        times[operation][name].push(
          name === 'native' ? timed(own, operation) : await pages[name].evaluate(timedThere, [operation, calls]),
        );
      }
  return version;
});
const least = (samples) => Math.min(...samples);
const text = table(
  ['ms', ...Object.values(names)],
  ['sign', 'verify'].flatMap((operation) =>
    Object.entries({ least, median }).map(([what, of]) => [
      `${operation}, ${what}`,
      ...Object.keys(names).map((name) => of(times[operation][name]).toFixed(2)),
    ]),
  ),
);
writeRecord(
  'wide',
  `# Wide arithmetic

Measured by \`npm run bench -- wide\`, which writes this page. Source: [\`wide.mjs\`](../../packages/wasm-bls/bench/wide.mjs).

WebAssembly's wide arithmetic multiplies 64 bits by 64 to 128 in one instruction. Stock blst, its own portable C, was compiled for it with limbs of 64 bits, and as it is with limbs of 32, by ${clang} of zig; both sign and verify rightly. Two things had to be changed for 64 bits: the types of a limb, and an assumption of \`quot_rem_n\` that limbs come in even numbers, which is not so of a divisor of 64 bits and traps in signing.

Chromium ${version} with \`--js-flags=${wideFlag}\`, each in a page of its own, ${rounds} samples of ${calls} calls in turn. The modules have ${size('blst64')} and ${size('blst32')} kB, gzipped, of what is asked here.

${text}

Native blst, with its assembly, runs in the process that asks the pages.

**Our kernel** has limbs of 64 bits, and multiplies row by row (\`crate/field/wide.h\`). Digits of 56 bits, whose columns need no carries, were tried before: 49 multiplications for 36, and a quarter slower, in V8 and natively alike. A row of Montgomery's reduction needs no multiplication to find its multiple of p, but the last. In Fp2 a sum of two products is reduced once; in Fp12 products of 768 bits are summed, and each coordinate is reduced once (\`wide_tower.h\`).

**Chosen by the engine.** \`src/arithmetic.ts\` has a table: V8 gets wide arithmetic where it has it, every other engine SIMD. Firefox has the instruction without a flag since version 155, but a Montgomery product took 84 ns in Firefox 153 with its preference set, where it takes 40 in Chromium; 155 was not measured. An engine that is chosen for must first multiply three known pairs rightly, and the kernel then sign a known message.

**Where native blst led most.** With wide arithmetic a key is decoded in 1.5 times native's time, a signature in 1.7, a batch of 128 on one message is verified in 1.6, and signing takes 1.5 (above) to 1.7 ([in Chromium](bench-kernel-chromium.md)). Without it these take 2.3 to 3.2 times as long as natively, in Node 20 too, which does not have it ([there](bench-kernel.md)): each is almost all products in Fp, which is what the kernels differ by.

**What was aimed at and not reached.** Verification at 1.5 times native blst's time, and 1.4 times faster than SIMD: the table has what is reached. A product in Fp is 73 multiplications of limbs, each with four additions of which two carry, since WebAssembly has no carry flag: an engine adds 128 bits at a time. Assembly keeps two chains of carries in flags and does with half the instructions. In the same code compiled natively by clang a product takes as long as in V8 (48 and 45 ns), so it is not the engine that is left to gain from.
`,
  !dry,
);
rmSync(work, { recursive: true, force: true });
