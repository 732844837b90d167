import { createHash } from 'node:crypto';
import { insecureSeed } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initSync } from '../../../packages/wasm-bls/kernel/tutti_bls.js';
import { isWhole } from '../../../tests/sampled.ts';
import { lastTime, loadPixel, type Pixel } from '../src/index.ts';
import { describePixel } from './compliance.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const empty = new Uint8Array();
const byKernel: Pixel[] = [];

for (const kernel of ['wasm', 'noble'] as const)
  for (const suite of ['reference', 'rfc9380'] as const) {
    const pixel = await loadPixel({ engine: kernel, suite });
    if (suite === 'reference') byKernel.push(pixel);
    // The suites differ only in their hash to the curve. Outside CI, only one suite is tested. noble-curves is slow, so
    // only one suite is tested with it.
    if (isWhole ? kernel === 'wasm' || suite === 'rfc9380' : kernel === 'wasm' && suite === 'rfc9380')
      describe(`${pixel.name}, ${pixel.suite} suite`, () => describePixel(pixel));
  }

describe('both libraries', () => {
  test('create the parameters of the authors', () => {
    for (const pixel of byKernel)
      expect(sha256(pixel.parameters)).toBe('afcf45a3e415fcdf135c100243ced6abc6304dec892d266c86ed104c63848c17');
  });

  test('agree on keys, updates, signatures and verdicts, at random times', { timeout: 120_000 }, () => {
    const [one, two] = byKernel as [Pixel, Pixel];
    const bytes = (minLength: number) => fc.uint8Array({ minLength, maxLength: 80 });
    // Times near the start, where keys are longest, and near the end, where keys are shortest. An update from the first
    // to the last of these times would take noble-curves seconds.
    const time = fc.oneof(fc.integer({ min: 2, max: 6 }), fc.integer({ min: lastTime - 30, max: lastTime - 5 }));
    fc.assert(
      fc.property(
        fc.tuple(bytes(32), bytes(0), bytes(0)),
        time,
        fc.integer({ min: 1, max: 5 }),
        (drawn, first, step) => {
          const [seed, entropy, message] = drawn;
          const [kernels, nobles] = [one, two].map((pixel) => {
            const { secretKey, ...rest } = pixel.keyGen(seed);
            const jumped = pixel.update(secretKey, first, entropy);
            const stepped = pixel.update(Uint8Array.from(jumped), first + step, empty);
            return { ...rest, keys: [jumped, stepped].map(sha256), signature: pixel.sign(stepped, message) };
          });
          expect(kernels).toEqual(nobles);
          const { publicKey, signature } = kernels!;
          for (const pixel of [one, two]) expect(pixel.verify(publicKey, first + step, message, signature)).toBe(true);
        },
      ),
      { numRuns: isWhole ? 2 : 1 },
    );
  });
});

test('the suite of this project creates unchanged parameters, keys and signatures', async () => {
  const pixel = await loadPixel();
  const { publicKey, proofOfPossession, secretKey } = pixel.keyGen(insecureSeed('signing', 1, 5));
  const second = pixel.update(secretKey, 2, empty);
  const jumped = pixel.update(second, 40, Uint8Array.of(7));
  const signature = pixel.sign(jumped, Uint8Array.of(1, 2, 3));
  const made = { parameters: pixel.parameters, publicKey, proofOfPossession, jumped, signature };
  expect(Object.entries(made).map(([name, bytes]) => `${name} ${sha256(bytes).slice(0, 16)}`)).toMatchInlineSnapshot(`
    [
      "parameters da8ed7fe970f5bb5",
      "publicKey ff27bee80f4a9831",
      "proofOfPossession a25921bf238bdea6",
      "jumped 8efb1244c9e63748",
      "signature 9be1a3f796e93685",
    ]
  `);
});

test('loadPixel returns one instance of each, and refuses invalid suites and kernels', async () => {
  expect(await loadPixel()).toBe(await loadPixel({ engine: 'wasm', suite: 'rfc9380' }));
  expect(() => loadPixel({ suite: 'modern' as never })).toThrow(/^suite: expected reference or rfc9380, got "modern"/);
  // The options of the BLS kernel have no effect on Pixel.
  for (const field of ['arithmetic', 'source']) expect(() => loadPixel({ [field]: 'inline' })).toThrow(/^options: /);
  for (const engine of ['rust', 'native'] as const)
    await expect(loadPixel({ engine: engine as never })).rejects.toThrow(
      `engine: expected 'noble' or 'wasm', got "${engine}"`,
    );
});

test("the kernel's heap contains nothing of a key that was updated or that signed", async () => {
  const pixel = await loadPixel();
  const { memory } = initSync({} as never) as unknown as { memory: WebAssembly.Memory };
  const find = (bytes: Uint8Array): boolean => Buffer.from(memory.buffer).includes(Buffer.from(bytes));
  const { secretKey } = pixel.keyGen(insecureSeed('signing', 1, 77));
  // The parts of the key: g2r and hpoly of the root, which give every later key, and an element of hvector.
  const parts = [secretKey.slice(71, 119), secretKey.slice(119, 215), secretKey.slice(311, 407)];
  pixel.sign(secretKey, empty);
  const second = pixel.update(secretKey, 2, empty);
  pixel.sign(second, empty);
  const later = pixel.update(second, 9, empty);
  expect(parts.map(find)).toEqual([false, false, false]);
  // The search must find bytes that are present.
  const seen = later.slice(71, 119);
  new Uint8Array(memory.buffer).set(seen, memory.buffer.byteLength - 64);
  expect(find(seen)).toBe(true);
});
