import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, test } from 'vitest';
import { ciphersuite, loadBls, type Variant } from '../src/index.ts';
import { hexBytes } from './fixtures.ts';

/** A round published by a drand network. The chain of the round signs with the draft's basic scheme. */
interface DrandRound {
  readonly chain: string;
  readonly variant: Variant;
  readonly publicKey: string;
  readonly round: number;
  /** SHA-256 of the signature. */
  readonly randomness: string;
  readonly signature: string;
  /** Signature of the previous round, which a chained scheme signs too. */
  readonly previous?: string;
}

const rounds: readonly DrandRound[] = [
  {
    chain: 'quicknet',
    variant: 'min-sig',
    publicKey:
      '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
    round: 1000,
    randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
    signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  },
  {
    chain: 'default',
    variant: 'min-pk',
    publicKey: '868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31',
    round: 1,
    randomness: '101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec',
    signature:
      '8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b10104990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655',
    previous: '176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a',
  },
  {
    chain: 'an unchained test network',
    variant: 'min-pk',
    publicKey: '8200fc249deb0148eb918d6e213980c5d01acd7fc251900d9260136da3b54836ce125172399ddc69c4e3e11429b62c11',
    round: 19369534,
    randomness: '778180564f4fb9b77580af69a559ce941eb23d8d3180c48c4d290484b516c6aa',
    signature:
      'a33833d2098f5e0c4df334fb6c5b1c2de3ab293c77825f55d816254dabf7f4f3d429b6207e1cd2a808876e06058a1f8102bb6f6927b654b391259ea99c3566a4eb55feb9665dbaf9d33af08a10b1d8d8b35d91fd3536eb4c197be0041beb5dc2',
  },
];

/** Returns the message that a chain signs: SHA-256 of the previous signature, if any, and the round's number. */
function messageOf(previous: string | undefined, round: number): Uint8Array {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  return sha256(Uint8Array.from([...(previous === undefined ? [] : hexBytes(previous)), ...number]));
}

describe.each(['wasm', 'noble'] as const)('published rounds of drand, on %s', async (kernel) => {
  const suiteOf = {
    'min-pk': ciphersuite(await loadBls({ engine: kernel }), 'basic'),
    'min-sig': ciphersuite(await loadBls({ engine: kernel, variant: 'min-sig' }), 'basic'),
  };

  test.each(rounds)('round $round of $chain is valid, and its signature is valid for no other round', (one) => {
    const signature = hexBytes(one.signature);
    const isValid = (message: Uint8Array) => suiteOf[one.variant].verify(hexBytes(one.publicKey), message, signature);
    expect(isValid(messageOf(one.previous, one.round))).toBe(true);
    expect(isValid(messageOf(one.previous, one.round + 1))).toBe(false);
    if (one.previous !== undefined) expect(isValid(messageOf(undefined, one.round))).toBe(false);
    expect(sha256(signature)).toEqual(hexBytes(one.randomness));
  });
});
