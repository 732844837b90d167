import { batched, type GroupKernel, type OpenVerifier } from '@tutti/node-cli/clusters';
import { inThreadVerifier } from '@tutti/wasm-bls';
import { type Pixel, pixelSignatureBytes, signatureTime, suites } from './index.ts';

/**
 * Pixel as a group's signature scheme: contributions of another period or suite than the round's are refused as they
 * come.
 */
export function pixelKernel(pixel: Pixel): GroupKernel {
  const kernel: GroupKernel = {
    signatureBytes: pixelSignatureBytes,
    decodeSignature: (bytes) => pixel.decodeSignature(bytes),
    encodeSignature: (point) => pixel.encodeSignature(point),
    addSignatures: (a, b) => pixel.addSignatures(a, b),
    validatePublicKey: (bytes) => pixel.validatePublicKey(bytes),
    forRound: ({ period }) => ({
      ...kernel,
      refusal(signature) {
        if (signature[0] !== suites[pixel.suite].byte) return 'wrong-suite';
        return signatureTime(signature) === period ? undefined : 'wrong-period';
      },
    }),
  };
  return kernel;
}

/** Checks contributions to a round of a period on this thread, in batches. */
export function pixelVerifier(pixel: Pixel): OpenVerifier {
  return (publicKeys, message, { period }) => {
    if (period === undefined) throw new RangeError('period: expected one in the plan of a round of Pixel, got none');
    return batched(inThreadVerifier(pixel.round(publicKeys, period, message)));
  };
}
