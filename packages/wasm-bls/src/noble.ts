import type { Bls } from './bls.ts';
import { aggregation, severalKeys } from './nobleAggregates.ts';
import { encoding } from './nobleEncoding.ts';
import { type Groups, minPk, minSig } from './nobleGroups.ts';
import { nobleOperations } from './nobleRounds.ts';
import { keyGen, signing } from './nobleSigning.ts';
import { openRound } from './pointRound.ts';
import { pointStore } from './pointStore.ts';
import { type Suite, suites, type Variant } from './suite.ts';
import { inThreadVerifier } from './verifier.ts';

/** Returns the library of a variant: the operations of `nobleSigning.ts` and the other files, in one object. */
function blsOf<Key, Signature>(groups: Groups<Key, Signature>, suite: Suite): Bls {
  const operations = nobleOperations(groups, suite);
  const all = { groups, suite, operations };
  const bls: Bls = {
    name: 'noble-curves',
    variant: suite.variant,
    publicKeyBytes: suite.publicKeyBytes,
    signatureBytes: suite.signatureBytes,
    signaturePointBytes: suite.signaturePointBytes,
    keyGen,
    ...signing(all),
    ...severalKeys(all),
    ...aggregation(all),
    ...encoding(all),

    round: (publicKeys, message) => openRound(operations, suite, publicKeys, message),

    verifier(publicKeys, message) {
      return inThreadVerifier(bls.round(publicKeys, message));
    },

    pointStore: (capacity) => pointStore(operations, capacity),
  };
  return bls;
}

/**
 * BLS in plain JavaScript on noble-curves, for machines without WebAssembly, and as an independent check of the
 * kernel's results. It is 4 to 10 times slower than the kernel (docs/benchmarks/bls-kernel.md).
 */
export const nobleVariants: Readonly<Record<Variant, Bls>> = {
  'min-pk': blsOf(minPk, suites['min-pk']),
  'min-sig': blsOf(minSig, suites['min-sig']),
};
