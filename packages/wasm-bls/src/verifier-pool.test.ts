import { describe, expect, test } from 'vitest';
import { bitsOf, secretKeyOf } from '../test/fixtures.ts';
import { loadBls } from './index.ts';
import { verifierPool } from './node.ts';

const bls = await loadBls();
const message = Uint8Array.of(1, 2, 3);
const secretKey = secretKeyOf(bls, 1);
const publicKeys = [bls.publicKey(secretKey)];
const signature = bls.sign(secretKey, message);

describe('verifierPool', () => {
  test('rejects what is beyond its bound with the code queue-full, and answers the rest', async () => {
    const pool = await verifierPool({ bls, publicKeys, message, threads: 1, maxWaiting: 2 });
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => pool.verify(0, bitsOf([0]), signature)));
    expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(answers[3]).toMatchObject({ reason: { code: 'queue-full' } });
    expect(await pool.verify(0, bitsOf([0]), signature)).toBe(true);
    await pool.close();
  });

  test('rejects what is under way when it is closed', async () => {
    const pool = await verifierPool({ bls, publicKeys, message, threads: 1 });
    const answers = Promise.allSettled([1, 2, 3].map(() => pool.verify(0, bitsOf([0]), signature)));
    await pool.close();
    for (const answer of await answers) expect(answer).toMatchObject({ reason: { code: 'closed' } });
  });

  test('a thread that cannot start, and later verifications, are worker-died with the cause', async () => {
    const brokenKey = new Uint8Array(96);
    await expect(verifierPool({ bls, publicKeys: [brokenKey], message, threads: 2 })).rejects.toMatchObject({
      name: 'VerifierError',
      code: 'worker-died',
      cause: { name: 'RangeError' },
    });
  });

  test('serves noble-curves as well', async () => {
    const noble = await loadBls({ kernel: 'noble' });
    const pool = await verifierPool({ bls: noble, publicKeys, message, threads: 1 });
    expect(await pool.verify(0, bitsOf([0]), signature)).toBe(true);
    await pool.close();
  });

  test('refuses a registry or a number of threads that cannot be', async () => {
    await expect(verifierPool({ bls, publicKeys: [new Uint8Array(48)], message, threads: 1 })).rejects.toThrow(
      /^publicKeys\[0\]: expected a valid public key, got encoding/,
    );
    await expect(verifierPool({ bls, publicKeys, message, threads: 0 })).rejects.toThrow(/^threads: expected/);
  });
});
