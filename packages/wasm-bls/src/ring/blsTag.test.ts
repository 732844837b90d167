import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, it } from 'vitest';
import { insecureSecretKey } from '../insecureKeys.ts';
import { nobleVariants } from '../noble.ts';
import { possessionDst } from '../suite.ts';
import { blsLinkTag, whoMadeBlsTag } from './blsTag.ts';

const event = new TextEncoder().encode('set-up 7');
const secrets = Array.from({ length: 5 }, (_, i) => insecureSecretKey(nobleVariants['min-pk'], 1, i + 1));

it('a tag made with the BLS key is given away by one pairing with any signature of that key', () => {
  const message = new TextEncoder().encode('something signed long ago');
  const published = secrets.map((secret) => ({ message, signature: nobleVariants['min-pk'].sign(secret, message) }));
  for (const signer of [0, 3])
    expect(whoMadeBlsTag(blsLinkTag(secrets[signer]!, event), event, published)).toEqual([signer]);
});

it('the proof of possession, which every registry has, is enough', () => {
  const published = secrets.map((secret) => ({
    message: nobleVariants['min-pk'].publicKey(secret),
    signature: nobleVariants['min-pk'].provePossession(secret),
    domain: possessionDst,
  }));
  expect(whoMadeBlsTag(blsLinkTag(secrets[4]!, event), event, published)).toEqual([4]);
  // As it does not for who is not among them.
  expect(whoMadeBlsTag(blsLinkTag(insecureSecretKey(nobleVariants['min-pk'], 1, 9), event), event, published)).toEqual(
    [],
  );
});

it('a tag is the secret key times the event, hashed to G1 under a domain of its own', () => {
  const Dst = 'TUTTI_MISTAKE_BLS_TAG_BASE_BLS12381G1_XMD:SHA-256_SSWU_RO_';
  const base = bls12_381.G1.Point.fromAffine(bls12_381.G1.hashToCurve(event, { DST: Dst }).toAffine());
  const secret = secrets[0]!;
  expect(blsLinkTag(secret, event)).toEqual(base.multiply(bls12_381.fields.Fr.fromBytes(secret)).toBytes());
});
