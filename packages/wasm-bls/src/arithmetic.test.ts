import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { chosenArithmetic, engineName, fastest, runs, whyNotStarted } from './arithmetic.ts';

describe('the arithmetic of a kernel', () => {
  test('is selected by the name of the engine', () => {
    expect(engineName({ v8: '11.3' }, undefined)).toBe('v8');
    expect(engineName({}, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0')).toBe('v8');
    expect(engineName({}, 'Mozilla/5.0 (X11; Linux x86_64; rv:155.0) Gecko/20100101 Firefox/155.0')).toBe('other');
    expect(engineName({}, '')).toBe('other');
  });

  test('is supported by the engine, and scalar as last resort', async () => {
    expect(await runs('scalar')).toBe(true);
    for (const engine of ['v8', 'other'] as const) expect(await runs(await fastest(engine))).toBe(true);
    if (!(await runs('wide')) && !(await runs('simd'))) expect(await fastest('v8')).toBe('scalar');
    // The row of other engines has no wide arithmetic, even if the engine supports it.
    expect(await fastest('other')).not.toBe('wide');
  });
});

test.skipIf(await runs('wide'))('refuses an arithmetic that this engine lacks, with the reason', async () => {
  await expect(chosenArithmetic('wide')).rejects.toThrow(
    'arithmetic: wide: this engine has no wide arithmetic, or computes it wrongly',
  );
  expect(await chosenArithmetic('scalar')).toBe('scalar');
});

test.each([
  "WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source of script",
  'call to WebAssembly.compile() blocked by CSP',
  "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script",
])('names the policy of a page that refuses a kernel: %s', (words) => {
  expect(whyNotStarted(new Error(words))).toBe(
    "this page's policy forbids WebAssembly; allow script-src 'wasm-unsafe-eval', or use noble-curves",
  );
});

test('distinguishes a runtime without compilation from a policy, with the action to take', async () => {
  // A context without code generation gives the message of V8, as in Cloudflare Workers.
  const realm = createContext({}, { codeGeneration: { strings: true, wasm: false } });
  const refused = runInContext('WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))', realm);
  const cause = await (refused as Promise<unknown>).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(whyNotStarted(cause)).toBe(
    "this runtime, like Cloudflare Workers, cannot compile WebAssembly; pass kernel/tutti_bls_bg.wasm as a compiled module in source, or engine: 'noble'",
  );
});

test('names the runtime, or the address space of the process, for other refusals of a kernel', () => {
  expect(whyNotStarted(new RangeError('WebAssembly.Memory(): could not allocate memory'))).toMatch(/^no address space/);
  expect(whyNotStarted(new Error('bad\n magic'))).toBe('this runtime cannot run the kernel (bad magic)');
  expect(whyNotStarted(undefined)).toBe('this runtime cannot run the kernel');
});
