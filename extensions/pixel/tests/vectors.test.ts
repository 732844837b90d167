import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toHex } from '@tutti/core/input';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { loadPixel } from '../src/index.ts';

/**
 * Output of the authors' implementation. The file is read in place if present, and is never copied into the project.
 */
const folder = fileURLToPath(new URL('../../../../shared/vectors/pixel', import.meta.url));

const utf8 = new TextEncoder();
const seed = utf8.encode('this is a very long seed for pixel tests');
const message = utf8.encode('this is the message we want pixel to sign');
const noSeed = new Uint8Array();

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const file = (name: string): Uint8Array => Uint8Array.from(readFileSync(`${folder}/${name}`));

if (!existsSync(folder)) {
  test.skip('Pixel vectors: skipped, because there is no ../shared/vectors/pixel next to this checkout', () => {});
} else {
  const lines = readFileSync(`${folder}/VECTORS.txt`, 'latin1').matchAll(
    /^\d+ t=(\d+) nssk=(\d+) sk_len=(\d+) sk_sha256=(\w+) sig=(\w+)$/gm,
  );
  const vectors = [...lines].map(([, time, subkeys, length, secretSha256, signature]) => ({
    time: Number(time),
    subkeys: Number(subkeys),
    length: Number(length),
    secretSha256,
    signature,
  }));

  for (const kernel of isWhole ? (['wasm', 'noble'] as const) : (['wasm'] as const)) {
    const pixel = await loadPixel({ engine: kernel, suite: 'reference' });

    describe(`${pixel.name} on the authors' vectors`, () => {
      test('creates their parameters and their key', () => {
        expect(sha256(pixel.parameters)).toBe(sha256(file('param_bin_cs0_d32.bin')));
        expect(pixel.keyGen(seed).publicKey).toEqual(file('pk_bin.txt'));
      });

      test('creates each of their secret keys and signatures, update by update', { timeout: 1_200_000 }, () => {
        expect(vectors.length).toBeGreaterThan(30);
        const { publicKey, secretKey } = pixel.keyGen(seed);
        let key = secretKey;
        for (const { time, subkeys, length, secretSha256, signature } of vectors) {
          if (time > 1) key = pixel.update(key, time, noSeed);
          expect([pixel.subkeyTimes(key).length, key.length]).toEqual([subkeys, length]);
          expect(sha256(key)).toBe(secretSha256);
          const signed = pixel.sign(key, message);
          expect(toHex(signed)).toBe(signature);
          expect(pixel.verify(publicKey, time, message, signed)).toBe(true);
        }
      });
    });
  }
}
