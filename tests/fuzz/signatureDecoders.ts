import { type Bls, loadBls } from '@tutti/wasm-bls';
import { signersOf } from '../../packages/wasm-bls/test/fixtures.ts';
import { type FuzzedDecoder, hold } from './fuzz.ts';
import { mutatedBytes } from './mutate.ts';

/** noble-curves, and the default library on this machine, which is blst in WebAssembly if that was built. */
const [noble, other] = await Promise.all([loadBls({ engine: 'noble' }), loadBls()]);
const { publicKeys, signatures } = signersOf(noble, 2, new Uint8Array(3));

function point(
  name: string,
  valid: readonly Uint8Array[],
  decode: (bls: Bls, bytes: Uint8Array) => ReturnType<Bls['decodeSignature']>,
): FuzzedDecoder<Uint8Array> {
  return {
    name,
    share: 1 / 1000,
    draw: (random) => mutatedBytes(random, valid),
    decode(bytes) {
      const [one, two] = [decode(noble, bytes), decode(other, bytes)];
      const isSame = JSON.stringify(one) === JSON.stringify(two);
      hold(isSame, 'both libraries read the same point, or refuse it with one code');
      return one.ok ? 'value' : one.code;
    },
  };
}

export const signatureDecoders = [
  point('a public key', publicKeys, (bls, bytes) => bls.decodePublicKey(bytes)),
  point('a signature', signatures, (bls, bytes) => bls.decodeSignature(bytes)),
];
