import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js';
import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { misuse, requireBytes, requireDomain, requireEntropy, requireForm, requireLength } from './arguments.ts';
import type { Bls } from './bls.ts';
import { finite, pairingsAgree } from './nobleGroups.ts';
import { readScalar } from './noblePoints.ts';
import type { NobleVariant } from './nobleRounds.ts';
import { pointFaultText, type SignatureForm } from './points.ts';
import { secretKeyBytes } from './suite.ts';

const { Fr } = bls12_381.fields;
/** Length L of KeyGen, bytes: ceil(3 * 255 / 16), so that reduction modulo r leaves a bias below 2^-128. */
const keygenOkmBytes = 48;

/** Derives a secret key (KeyGen; draft, section 2.3). */
export function keyGen(ikm: Uint8Array): Uint8Array {
  requireEntropy(ikm);
  const material = new Uint8Array(ikm.length + 1);
  material.set(ikm);
  const info = Uint8Array.of(0, keygenOkmBytes);
  let salt: Uint8Array = new TextEncoder().encode('BLS-SIG-KEYGEN-SALT-');
  for (;;) {
    salt = sha256(salt);
    const okm = expand(sha256, extract(sha256, material, salt), info, keygenOkmBytes);
    const scalar = Fr.create(bytesToNumberBE(okm));
    if (scalar !== 0n) return numberToBytesBE(scalar, secretKeyBytes);
  }
}

function scalarOf(secretKey: Uint8Array): bigint {
  requireLength('secretKey', secretKey, secretKeyBytes);
  const scalar = readScalar(secretKey);
  if (scalar === undefined) throw misuse(RangeError, 'secretKey', 'a scalar in 1..r-1', 'a value out of range');
  return scalar;
}

/** Returns the operations on single keys, signatures and proofs of possession. */
export function signing<Key, Signature>({
  groups,
  suite,
  operations,
}: NobleVariant<Key, Signature>): Pick<
  Bls,
  'publicKey' | 'provePossession' | 'verifyPossession' | 'sign' | 'signPoint' | 'verify'
> {
  const { keys: ofKeys, signatures: ofSignatures } = groups;
  const { signatureDst, possessionDst, signatureGroup, signaturePointBytes } = suite;

  function verifyUnder(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    domain: string | Uint8Array,
    form: SignatureForm = 'compressed',
  ): boolean {
    const key = operations.readKey(publicKey);
    if (typeof key === 'string') return false;
    const point = operations.readSignature(signature, form);
    if (typeof point === 'string') return false;
    return pairingsAgree(groups, key, groups.partner(ofSignatures.hash(message, domain)), point);
  }

  return {
    publicKey(secretKey) {
      return ofKeys.compress(ofKeys.Point.BASE.multiply(scalarOf(secretKey)));
    },

    provePossession(secretKey) {
      const key = ofKeys.compress(ofKeys.Point.BASE.multiply(scalarOf(secretKey)));
      return ofSignatures.compress(ofSignatures.hash(key, possessionDst).multiply(scalarOf(secretKey)));
    },

    verifyPossession(publicKey, proof) {
      requireBytes('publicKey', publicKey);
      requireBytes('proof', proof);
      return verifyUnder(publicKey, publicKey, proof, possessionDst);
    },

    sign(secretKey, message, domain) {
      requireBytes('message', message);
      if (domain !== undefined) requireDomain(domain);
      return ofSignatures.compress(ofSignatures.hash(message, domain ?? signatureDst).multiply(scalarOf(secretKey)));
    },

    signPoint(secretKey, point) {
      const scalar = scalarOf(secretKey);
      requireLength('point', point, signaturePointBytes);
      const hashed = finite(ofSignatures.readStrangers(point));
      if (typeof hashed === 'string')
        throw misuse(RangeError, 'point', `a point of ${signatureGroup}`, pointFaultText(hashed));
      return ofSignatures.compress(hashed.multiply(scalar));
    },

    verify(publicKey, message, signature, form = 'compressed', domain = undefined) {
      requireBytes('publicKey', publicKey);
      requireBytes('message', message);
      requireBytes('signature', signature);
      requireForm(form);
      if (domain !== undefined) requireDomain(domain);
      return verifyUnder(publicKey, message, signature, domain ?? signatureDst, form);
    },
  };
}
