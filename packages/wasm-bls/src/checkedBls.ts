import {
  requireBytes,
  requireBytesList,
  requireDomain,
  requireEntropy,
  requireForm,
  requireLength,
  requireSome,
} from './arguments.ts';
import type { Bls } from './bls.ts';
import type { Decoded, SignatureForm } from './points.ts';
import { type Suite, secretKeyBytes } from './suite.ts';
import { inThreadVerifier } from './verifier.ts';

/**
 * Operations that a library provides. {@link checkedBls} checks the types and lengths of the arguments and sets their
 * defaults before each call. The library itself checks the contents: points, scalars, and the lengths of untrusted
 * bytes.
 */
export interface BlsEngine
  extends Omit<
    Bls,
    | 'variant'
    | 'publicKeyBytes'
    | 'signatureBytes'
    | 'signaturePointBytes'
    | 'verifier'
    | 'verify'
    | 'decodeSignature'
    | 'hashToCurve'
  > {
  verify(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    form: SignatureForm,
    domain: Uint8Array | undefined,
  ): boolean;
  decodeSignature(bytes: Uint8Array, form: SignatureForm): Decoded;
  hashToCurve(message: Uint8Array, domain: Uint8Array): Uint8Array;
}

function requireSecretKey(secretKey: Uint8Array): void {
  requireLength('secretKey', secretKey, secretKeyBytes);
}

/** Returns a variant of BLS on a library, with the argument checks that all libraries share. */
export function checkedBls(engine: BlsEngine, suite: Suite): Bls {
  const { variant, publicKeyBytes, signatureBytes, signaturePointBytes } = suite;
  const signatureDomain = new TextEncoder().encode(suite.signatureDst);
  const bls: Bls = {
    name: engine.name,
    variant,
    publicKeyBytes,
    signatureBytes,
    signaturePointBytes,

    keyGen(ikm) {
      requireEntropy(ikm);
      return engine.keyGen(ikm);
    },

    publicKey(secretKey) {
      requireSecretKey(secretKey);
      return engine.publicKey(secretKey);
    },

    provePossession(secretKey) {
      requireSecretKey(secretKey);
      return engine.provePossession(secretKey);
    },

    verifyPossession(publicKey, proof) {
      requireBytes('publicKey', publicKey);
      requireBytes('proof', proof);
      return engine.verifyPossession(publicKey, proof);
    },

    sign(secretKey, message, domain) {
      requireSecretKey(secretKey);
      requireBytes('message', message);
      if (domain !== undefined) requireDomain(domain);
      return engine.sign(secretKey, message, domain);
    },

    signPoint(secretKey, point) {
      requireSecretKey(secretKey);
      requireLength('point', point, signaturePointBytes);
      return engine.signPoint(secretKey, point);
    },

    verify(publicKey, message, signature, form = 'compressed', domain) {
      requireBytes('publicKey', publicKey);
      requireBytes('message', message);
      requireBytes('signature', signature);
      requireForm(form);
      if (domain !== undefined) requireDomain(domain);
      return engine.verify(publicKey, message, signature, form, domain);
    },

    fastAggregateVerify(publicKeys, message, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytes('message', message);
      requireBytes('signature', signature);
      return engine.fastAggregateVerify(publicKeys, message, signature);
    },

    aggregateVerify(publicKeys, messages, signature, domain) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('messages', messages);
      requireBytes('signature', signature);
      if (domain !== undefined) requireDomain(domain);
      return engine.aggregateVerify(publicKeys, messages, signature, domain);
    },

    verifyPoints(publicKeys, points, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('points', points);
      requireBytes('signature', signature);
      return engine.verifyPoints(publicKeys, points, signature);
    },

    aggregateSignatures(signatures) {
      requireBytesList('signatures', signatures);
      requireSome('signatures', signatures);
      return engine.aggregateSignatures(signatures);
    },

    aggregatePublicKeys(publicKeys) {
      requireBytesList('publicKeys', publicKeys);
      requireSome('publicKeys', publicKeys);
      return engine.aggregatePublicKeys(publicKeys);
    },

    decodePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return engine.decodePublicKey(bytes);
    },

    validatePublicKey(bytes) {
      requireBytes('bytes', bytes);
      return engine.validatePublicKey(bytes);
    },

    decodeSignature(bytes, form = 'compressed') {
      requireBytes('bytes', bytes);
      requireForm(form);
      return engine.decodeSignature(bytes, form);
    },

    encodeSignature(point) {
      requireLength('point', point, signaturePointBytes);
      return engine.encodeSignature(point);
    },

    addSignatures(a, b) {
      requireLength('a', a, signaturePointBytes);
      requireLength('b', b, signaturePointBytes);
      return engine.addSignatures(a, b);
    },

    hashToCurve(message, domain = signatureDomain) {
      requireBytes('message', message);
      requireDomain(domain);
      return engine.hashToCurve(message, domain);
    },

    round(publicKeys, message) {
      requireBytesList('publicKeys', publicKeys);
      requireSome('publicKeys', publicKeys);
      requireBytes('message', message);
      return engine.round(publicKeys, message);
    },

    verifier(publicKeys, message) {
      return inThreadVerifier(bls.round(publicKeys, message));
    },

    pointStore: engine.pointStore,
  };
  return bls;
}
