import { expect, test } from 'vitest';
import * as committee from './committee.ts';
import * as index from './index.ts';
import * as pixel from './pixel.ts';
import * as proof from './proof.ts';
import * as ring from './ring.ts';

test('the package exports these names and no others', () => {
  expect(Object.keys(index).sort()).toEqual([
    'BlsLoadError',
    'MIN_IKM_BYTES',
    'POSSESSION_DST',
    'PUBLIC_KEY_BYTES',
    'PUBLIC_KEY_POINT_BYTES',
    'SECRET_KEY_BYTES',
    'SIGNATURE_BYTES',
    'SIGNATURE_DST',
    'SIGNATURE_POINT_BYTES',
    'VerifierError',
    'inThreadVerifier',
    'insecureSecretKey',
    'insecureSeed',
    'loadBls',
    'roundVerdicts',
    'testMessage',
  ]);
  expect(Object.keys(committee).sort()).toEqual(['loadCommittees', 'sumMethods']);
  expect(Object.keys(pixel).sort()).toEqual([
    'DEPTH',
    'LAST_TIME',
    'MIN_PIXEL_SEED_BYTES',
    'PIXEL_POSSESSION_BYTES',
    'PIXEL_PUBLIC_KEY_BYTES',
    'PIXEL_SIGNATURE_BYTES',
    'PIXEL_SIGNATURE_POINT_BYTES',
    'heldPaths',
    'loadPixel',
    'pathTime',
    'signatureTime',
    'stolenKeyReport',
    'suites',
    'timePath',
  ]);
  expect(Object.keys(proof).sort()).toEqual([
    'GENERATOR_DOMAIN',
    'MOST_MULTIPLICITY',
    'hashGenerators',
    'loadG1',
    'proofBytes',
    'proofSetting',
    'prove',
    'statementOf',
    'verifyBatch',
    'verifyProof',
  ]);
  expect(Object.keys(ring).sort()).toEqual([
    'MIN_ENTROPY_BYTES',
    'MIN_IDENTITY_SEED_BYTES',
    'MOST_MEMBERS',
    'blsLinkTag',
    'challengeChain',
    'decodeRing',
    'identityKeyFault',
    'identityKeyGen',
    'identityPublicKey',
    'linkable',
    'proveIdentity',
    'traceable',
    'verifyIdentity',
    'whoMadeBlsTag',
  ]);
});
