/**
 * A drop-in replacement for `@chainsafe/bls`, computed by the kernel: change the import. Keys are in G1, signatures in
 * G2, under Ethereum's ciphersuite (with proofs of possession).
 *
 * Importing this module loads the kernel and waits for it. docs/guides/bls-compatibility.md lists the differences.
 *
 * @example
 * ```js
 * import bls from '@tutti/wasm-bls/chainsafe';
 *
 * const secretKey = bls.SecretKey.fromKeygen();
 * const message = new TextEncoder().encode('tutti');
 * const signature = secretKey.sign(message);
 * console.log(bls.verify(secretKey.toPublicKey(), message, signature));
 * ```
 *
 * ```text
 * true
 * ```
 *
 * @packageDocumentation
 */
import { loadBls } from '../load.ts';
import { PublicKey, SecretKey, Signature, useKernel } from './chainsafe/classes.ts';
import { functions } from './chainsafe/functions.ts';
import type { IBls } from './chainsafe/types.ts';

useKernel(await loadBls());

/** The default export of `@chainsafe/bls`, computed by the kernel. */
export const bls: IBls = { implementation: 'tutti', SecretKey, PublicKey, Signature, ...functions };
export default bls;

export type { PublicKeyArg, SignatureArg, SignatureSet } from './chainsafe/classes.ts';
export {
  CoordType,
  PointFormat,
  PUBLIC_KEY_LENGTH_COMPRESSED,
  PUBLIC_KEY_LENGTH_UNCOMPRESSED,
  SECRET_KEY_LENGTH,
  SIGNATURE_LENGTH_COMPRESSED,
  SIGNATURE_LENGTH_UNCOMPRESSED,
} from './chainsafe/constants.ts';
export {
  EmptyAggregateError,
  InvalidLengthError,
  InvalidOrderError,
  NotInitializedError,
  ZeroPublicKeyError,
  ZeroSecretKeyError,
  ZeroSignatureError,
} from './chainsafe/errors.ts';
export type { IBls, Implementation } from './chainsafe/types.ts';
export { PublicKey, SecretKey, Signature };
