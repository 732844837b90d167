/**
 * What WebAssembly's wide arithmetic gives: stock blst with 64-bit limbs and with 32-bit ones, beside our kernels, in
 * Chromium with the flag.
 *
 *     npm run bench -- wide --zig PATH [--rounds 60] [--dry]
 *
 * PATH is a zig whose clang is LLVM 20 or newer (PyPI's `ziglang` has one: `pip download --no-deps ziglang`, unpacked).
 * Prints the table, and writes docs/records/wide.md unless --dry. CHROMIUM_PATH is the browser, /usr/bin/chromium if it
 * is not set.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { wrapMarkdown } from '../../../scripts/wrapMarkdown.mjs';
import { median } from './sampling.mjs';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const crate = join(repository, 'packages', 'wasm-bls', 'crate', 'Cargo.toml');
const flag = '--wasm-wide-arithmetic';
const features = 'generic+bulk_memory+sign_ext+nontrapping_fptoint+mutable_globals';
/** Calls of a sample: few, so that some sample falls between what else the machine does. */
const calls = 4;
/** The known signature's first bytes (src/knownAnswer.ts). */
const knownStart = 0x92c1dc;

function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
}

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

async function serve(work) {
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const imports = {
    '@noble/curves/': '/node_modules/@noble/curves/',
    '@noble/hashes/': '/node_modules/@noble/hashes/',
  };
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const server = createServer(({ url }, response) => {
    const path = normalize(new URL(url, 'http://localhost').pathname);
    const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    try {
      const file = path.startsWith('/work/') ? join(work, path.slice('/work/'.length)) : join(repository, path);
      const body = path === '/' ? html : readFileSync(file);
      response.writeHead(200, { ...headers, 'Content-Type': types[extname(path)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
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
  const bls = await loadBls({ simd: name === 'simd' });
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

const zig = option('--zig');
const rounds = Number(option('--rounds', '60'));
if (zig === undefined || !Number.isSafeInteger(rounds) || rounds < 1) {
  console.error('bench wide: expected --zig with the path of a zig, and a count of 1 or more as --rounds');
  process.exit(2);
}
const names = { blst64: 'stock blst, wide', blst32: 'stock blst', simd: 'ours with SIMD', scalar: 'ours' };
const work = mkdtempSync(join(tmpdir(), 'tutti-wide-'));
built(zig, work);
const size = (name) => Math.round(gzipSync(readFileSync(join(work, `${name}.wasm`)), { level: 9 }).length / 1000);
const clang = output(zig, ['cc', '--version']).split('\n')[0];
const server = await serve(work);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', `--js-flags=${flag}`],
});
const times = {};
try {
  const context = await browser.newContext();
  const pages = {};
  for (const name of Object.keys(names)) {
    pages[name] = await context.newPage();
    await pages[name].goto(`http://127.0.0.1:${server.address().port}/`);
    const start = await pages[name].evaluate(prepare, name);
    if (start !== knownStart) throw new Error(`${names[name]}: expected the known signature, got another`);
  }
  for (let round = 0; round < rounds; round++)
    for (const operation of ['sign', 'verify'])
      for (const [name, page] of Object.entries(pages)) {
        const ms = await page.evaluate(
          ([asked, count]) => {
            const started = performance.now();
            if (globalThis.operations[asked](count) === false) throw new Error('a right signature was refused');
            return (performance.now() - started) / count;
          },
          [operation, calls],
        );
        times[operation] ??= {};
        times[operation][name] ??= [];
        times[operation][name].push(ms);
      }
} finally {
  await browser.close();
  server.close();
}
const table = [
  `| ms | ${Object.values(names).join(' | ')} |`,
  `|---|${Object.keys(names)
    .map(() => '---:|')
    .join('')}`,
  ...['sign', 'verify'].flatMap((operation) => [
    `| ${operation}, least | ${Object.keys(names)
      .map((name) => Math.min(...times[operation][name]).toFixed(2))
      .join(' | ')} |`,
    `| ${operation}, median | ${Object.keys(names)
      .map((name) => median(times[operation][name]).toFixed(2))
      .join(' | ')} |`,
  ]),
].join('\n');
console.log(table);
if (!process.argv.includes('--dry'))
  writeFileSync(
    join(repository, 'docs', 'records', 'wide.md'),
    wrapMarkdown(`# Wide arithmetic

Measured by \`npm run bench -- wide --zig PATH\`, which writes this page. Source: [\`wide.mjs\`](../../packages/wasm-bls/bench/wide.mjs).

WebAssembly's wide arithmetic multiplies 64 bits by 64 to 128 in one instruction. Stock blst, its own portable C, was compiled for it with limbs of 64 bits, and as it is with limbs of 32, by ${clang} of zig; both sign and verify rightly. Two things had to be changed for 64 bits: the types of a limb, and an assumption of \`quot_rem_n\` that limbs come in even numbers, which is not so of a divisor of 64 bits and traps in signing.

Chromium ${browser.version()} with \`--js-flags=${flag}\`, each in a page of its own, ${rounds} samples of ${calls} calls in turn. The modules have ${size('blst64')} and ${size('blst32')} kB, gzipped, of what is asked here. Our kernels have their arithmetic for 32-bit limbs or for lanes: what they would gain by the instruction is not in the table.

${table}

**No third kernel yet.** Firefox alone has the instruction without a flag, from version 155 on. The toolchain is there; what is missing is our own arithmetic (lazy reduction in Fp2 and Fp12, sums of products reduced once) on limbs of 64 bits, in the overlay beside \`digits.h\`, with its bounds, and the choice of the kernel by engine.
`),
  );
rmSync(work, { recursive: true, force: true });
