import { describe, expect, test } from 'vitest';
import {
  type DrandChain,
  drandChains,
  drandSchemes,
  readDrandBeacon,
  readDrandChain,
  verifyDrandBeacon,
} from '../src/drand.ts';
import { loadBls } from '../src/index.ts';

/** Rounds that the main network published. */
const quicknet = [
  {
    round: 1000,
    signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  },
  {
    round: 1001,
    signature: 'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41',
  },
  {
    round: 1002,
    signature: 'ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e',
  },
];
const firstOfDefault = {
  round: 1,
  randomness: '101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec',
  signature:
    '8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b10104990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655',
  previous_signature: '176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a',
};
/** Of a network of tests, from the protocol's own repository. */
const chained = {
  chain: {
    name: 'chained',
    scheme: 'pedersen-bls-chained',
    publicKey: '88a8227b75dba145599d894d33eebde3b36fef900d456ae2cc4388867adb4769c40359f783750a41b4d17e40f578bfdb',
  } satisfies DrandChain,
  beacon: {
    round: 397089,
    randomness: 'cd435675735e459fb4d9c68a9d9f7b719e59e0a9f5f86fe6bd86b730d01fba42',
    signature:
      '88ccd9a91946bc0bbef2c6c60a09bbf4a247b1d2059522449aa1a35758feddfad85efe818bbde3e1e4ab0c852d96e65f0b1f97f239bf3fc918860ea846cbb500fcf7c9d0dd3d851320374460b5fc596b8cfd629f4c07c7507c259bf9beca850a',
    previous_signature:
      'a2237ee39a1a6569cb8e02c6e979c07efe1f30be0ac501436bd325015f1cd6129dc56fd60efcdf9158d74ebfa34bfcbd17803dbca6d2ae8bc3a968e4dc582f8710c69de80b2e649663fef5742d22fff7d1619b75d5f222e8c9b8840bc2044bce',
  },
};
const unchained = {
  chain: {
    name: 'unchained',
    scheme: 'pedersen-bls-unchained',
    publicKey: '8200fc249deb0148eb918d6e213980c5d01acd7fc251900d9260136da3b54836ce125172399ddc69c4e3e11429b62c11',
  } satisfies DrandChain,
  beacon: {
    round: 19369534,
    randomness: '778180564f4fb9b77580af69a559ce941eb23d8d3180c48c4d290484b516c6aa',
    signature:
      'a33833d2098f5e0c4df334fb6c5b1c2de3ab293c77825f55d816254dabf7f4f3d429b6207e1cd2a808876e06058a1f8102bb6f6927b654b391259ea99c3566a4eb55feb9665dbaf9d33af08a10b1d8d8b35d91fd3536eb4c197be0041beb5dc2',
  },
};

describe.each(['wasm', 'noble'] as const)('drand on %s', async (kernel) => {
  const [minPk, minSig] = [await loadBls({ kernel }), await loadBls({ kernel, variant: 'min-sig' })];
  const verdict = (chain: DrandChain, document: object) =>
    verifyDrandBeacon(
      drandSchemes[chain.scheme].variant === 'min-pk' ? minPk : minSig,
      chain,
      readDrandBeacon(document),
    );

  test('rounds that quicknet published are valid, and each of its round alone', () => {
    for (const beacon of quicknet) expect(verdict(drandChains.quicknet, beacon)).toBe('valid');
    expect(verdict(drandChains.quicknet, { ...quicknet[0], round: 1001 })).toBe('signature');
    expect(verdict(drandChains.quicknet, { ...quicknet[0], randomness: '00'.repeat(32) })).toBe('randomness');
  });

  test('the first round of the default chain, and rounds of other networks, are valid under their own key', () => {
    expect(verdict(drandChains.default, firstOfDefault)).toBe('valid');
    expect(verdict(chained.chain, chained.beacon)).toBe('valid');
    expect(verdict(unchained.chain, unchained.beacon)).toBe('valid');
    expect(verdict(drandChains.default, chained.beacon)).toBe('signature');
    expect(verdict({ ...chained.chain, scheme: 'pedersen-bls-unchained' }, chained.beacon)).toBe('signature');
  });

  test('a chained round is verified with all of the one before it', () => {
    const { previous_signature, ...alone } = chained.beacon;
    expect(verdict(chained.chain, alone)).toBe('no-previous-signature');
    expect(verdict(chained.chain, { ...alone, previous_signature: `${previous_signature}00` })).toBe(
      'previous-signature',
    );
  });
});

test('a document that is no round, or no chain, is refused by the member at fault', async () => {
  for (const [document, text] of [
    [null, 'expected a round: a JSON object'],
    [{ round: 0, signature: 'ab' }, 'expected "round"'],
    [{ round: 2 ** 53, signature: 'ab' }, 'expected "round"'],
    [{ round: 1 }, 'expected "signature": hexadecimal digits'],
    [{ round: 1, signature: 'abc' }, 'expected "signature"'],
    [{ round: 1, signature: 'ab', randomness: 7 }, 'expected "randomness"'],
  ] as const)
    expect(() => readDrandBeacon(document)).toThrow(text);
  const { publicKey, scheme } = drandChains.quicknet;
  const info = { public_key: publicKey, schemeID: scheme, metadata: { beaconID: 'quicknet' } };
  expect(readDrandChain(info)).toEqual({ ...drandChains.quicknet, hash: undefined });
  expect(() => readDrandChain({ ...info, schemeID: 'bls-bn254-unchained-on-g1' })).toThrow('expected "schemeID"');
  expect(() => readDrandChain({ ...info, public_key: publicKey.slice(2) })).toThrow('192 hexadecimal digits');
  const bls = await loadBls({ kernel: 'noble' });
  expect(() => verifyDrandBeacon(bls, drandChains.quicknet, readDrandBeacon(quicknet[0]))).toThrow(
    'bls: expected one of min-sig, for bls-unchained-g1-rfc9380, got min-pk',
  );
});
