import { bytesOfHex } from './arguments.ts';
import type { Bls } from './bls.ts';

const secretKey = new Uint8Array(32).fill(1);
const message = new TextEncoder().encode('tutti');
/** The signature on `message` under `secretKey`, as computed by noble-curves. */
const signature = bytesOfHex(
  '92c1dca96d3688850ca11aba9f7b09a47d5b25ddbe6355ffcbf676b39e36fcdc23b32116688d773441a7cdb24033f50b' +
    '0e5c3adef2c26502d69b679eb06ebcc74b503999190e42e5b1f6f11ff9d11860e9572c1a75a922c2d6ddb748d5323d84',
);
/** A point on G1's curve but outside the subgroup. */
const outside = bytesOfHex(`80${'00'.repeat(46)}04`);

/**
 * Returns whether an engine signs and verifies correctly. The test covers a key in G1, hashing to G2, a signature in
 * G2, a valid pairing equation, and an invalid one. For example, a SIMD kernel passed as the scalar kernel starts, but
 * gives only wrong answers if the engine rounds twice.
 *
 * @param engine - engine to test, with the variant min-pk.
 */
export function passesSelfTest(engine: Pick<Bls, 'publicKey' | 'sign' | 'verify'>): boolean {
  try {
    const key = engine.publicKey(secretKey);
    const signed = engine.sign(secretKey, message);
    return (
      signed.length === signature.length &&
      signed.every((byte, at) => byte === signature[at]) &&
      engine.verify(key, message, signature) &&
      !engine.verify(key, secretKey, signature)
    );
  } catch {
    // The kernel trapped, or one of its functions is missing.
    return false;
  }
}

/**
 * Returns whether an engine rejects a point outside the subgroup, and rejects a batch if and only if the batch has an
 * invalid signature.
 *
 * @param engine - engine to test, with the variant min-pk.
 */
export function rejectsInvalid(engine: Pick<Bls, 'publicKey' | 'validatePublicKey' | 'round'>): boolean {
  try {
    const round = engine.round([engine.publicKey(secretKey)], message);
    const claim = { first: 0, bits: Uint8Array.of(1), signature };
    const invalid = { ...claim, signature: Uint8Array.from(signature, (byte, at) => (at === 0 ? byte ^ 0x20 : byte)) };
    const verdicts = [round.verifyBatch([claim, claim]), round.verifyBatch([claim, invalid])];
    round.free();
    return verdicts.join() === 'true,false' && !engine.validatePublicKey(outside).ok;
  } catch {
    return false;
  }
}
