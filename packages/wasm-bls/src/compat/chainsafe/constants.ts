/** The lengths that `@chainsafe/bls/constants` names. */
const secretKeyLength = 32;
const publicKeyLengthCompressed = 48;
const publicKeyLengthUncompressed = 96;
const signatureLengthCompressed = 96;
const signatureLengthUncompressed = 192;

export {
  publicKeyLengthCompressed as PUBLIC_KEY_LENGTH_COMPRESSED,
  publicKeyLengthUncompressed as PUBLIC_KEY_LENGTH_UNCOMPRESSED,
  secretKeyLength as SECRET_KEY_LENGTH,
  signatureLengthCompressed as SIGNATURE_LENGTH_COMPRESSED,
  signatureLengthUncompressed as SIGNATURE_LENGTH_UNCOMPRESSED,
};
