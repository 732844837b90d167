import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadBls } from '../src/index.ts';
import { hexBytes, toHex } from './fixtures.ts';

/** Folder of vectors in Ethereum's format, which are read if present, and are not part of the project. */
const folder = fileURLToPath(new URL('../../../../shared/vectors/bls', import.meta.url));

/** Domain of the vectors of hash_to_G2, which are from RFC 9380, appendix J.10.1. */
const rfc9380Dst = 'QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_';

/** Returns the vectors of one kind: their names, inputs and outputs as JSON. */
function vectors<Input, Output>(kind: string): [name: string, input: Input, output: Output][] {
  return readdirSync(`${folder}/${kind}`).map((file) => {
    const { input, output } = JSON.parse(readFileSync(`${folder}/${kind}/${file}`, 'utf8'));
    return [file.replace(/\.json$/, ''), input, output];
  });
}

/** Returns the encoding of a coordinate in Fp2, imaginary part first, from the vectors' two numbers. */
function coordinate(pair: string): string {
  const [real, imaginary] = pair.split(',').map((part) => part.replace(/^0x/, ''));
  return `${imaginary}${real}`;
}

if (!existsSync(folder)) {
  test.skip('BLS vectors: skipped, because there is no ../shared/vectors/bls next to this checkout', () => {});
} else {
  for (const engine of ['wasm', 'noble', 'native'] as const) {
    const bls = await loadBls({ engine });

    describe(`${bls.name} on the vectors`, () => {
      test.each(vectors<{ privkey: string; message: string }, string | null>('sign'))('%s', (_, input, output) => {
        const sign = (): Uint8Array => bls.sign(hexBytes(input.privkey), hexBytes(input.message));
        if (output === null) expect(sign).toThrow(RangeError);
        else expect(toHex(sign())).toBe(output);
      });

      test.each(vectors<{ pubkey: string; message: string; signature: string }, boolean>('verify'))(
        '%s',
        (_, input, output) => {
          const [key, message, signature] = [input.pubkey, input.message, input.signature].map(hexBytes);
          expect(bls.verify(key!, message!, signature!)).toBe(output);
        },
      );

      test.each(vectors<string[], string | null>('aggregate'))('%s', (_, input, output) => {
        const aggregate = (): Uint8Array => bls.aggregateSignatures(input.map(hexBytes));
        if (output === null) expect(aggregate).toThrow(RangeError);
        else expect(toHex(aggregate())).toBe(output);
      });

      test.each(vectors<{ pubkey: string }, boolean>('deserialization_G1'))('%s', (_, input, output) => {
        expect(bls.decodePublicKey(hexBytes(input.pubkey)).ok).toBe(output);
      });

      test.each(vectors<{ msg: string }, { x: string; y: string }>('hash_to_G2'))('%s', (_, input, output) => {
        const point = bls.hashToCurve(new TextEncoder().encode(input.msg), new TextEncoder().encode(rfc9380Dst));
        expect(toHex(point)).toBe(`0x${coordinate(output.x)}${coordinate(output.y)}`);
      });
    });
  }
}
