import { expect, test } from 'vitest';
import * as committee from './committee.ts';
import * as index from './index.ts';
import * as inline from './inline.ts';

test('the package exports these names and no others', () => {
  expect(Object.keys(index).sort()).toEqual([
    'BlsLoadError',
    'VerifierError',
    'ciphersuite',
    'inThreadVerifier',
    'insecureSecretKey',
    'insecureSeed',
    'isNativeInstalled',
    'loadBls',
    'possessionDst',
    'publicKeyBytes',
    'roundVerdicts',
    'secretKeyBytes',
    'signatureBytes',
    'signatureDst',
    'suites',
    'testMessage',
  ]);
  expect(Object.keys(committee).sort()).toEqual(['loadCommittees', 'sumMethods']);
  expect(Object.keys(inline)).toEqual(['loadBls']);
});
