import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { AuthorVerifier, maxAuthorsAtOnce } from './authors.ts';

const bls = await loadBls();
const secrets = [0, 1, 2].map((index) => insecureSecretKey(bls, 1, index));
const keys = secrets.map((secret) => bls.publicKey(secret));
const statement = (index: number) => Uint8Array.of(9, index);
const open = () => new AuthorVerifier(bls.pointStore(keys.length + maxAuthorsAtOnce), keys);

it('finds all invalid signatures in more than one batch', async () => {
  const authors = open();
  const count = maxAuthorsAtOnce + 7;
  const verdicts = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const signature = bls.sign(secrets[index % 3]!, statement(index === 5 ? 6 : index));
      return authors.verify(index % 3, statement(index), signature);
    }),
  );
  expect(verdicts).toEqual(Array.from({ length: count }, (_, index) => index !== 5));
  authors.close();
});

it('refuses bytes that encode no point, and signatures of another validator', async () => {
  const authors = open();
  const signature = bls.sign(secrets[0]!, statement(1));
  expect(await authors.verify(0, statement(1), signature)).toBe(true);
  expect(await authors.verify(1, statement(1), signature)).toBe(false);
  expect(await authors.verify(0, statement(1), new Uint8Array(96).fill(0xff))).toBe(false);
  expect(await authors.verify(0, statement(1), new Uint8Array(3))).toBe(false);
  authors.close();
});

it('requires valid keys', () => {
  expect(() => new AuthorVerifier(bls.pointStore(9), [keys[0]!, new Uint8Array(48)])).toThrow(
    'entry 1: expected a valid publicKey, got invalid bytes',
  );
});
