/**
 * A succinct proof that an aggregated key is the sum of a committee's keys, with multiplicities that the proof does not
 * list. A proof for 64 keys is 796 bytes long. {@link prove} creates a proof, {@link verifyProof} verifies one proof,
 * and {@link verifyBatch} verifies many.
 *
 * @example
 * ```js
 * import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
 * import { hashGenerators, loadG1, proofSetting, prove, statementOf, verifyProof } from '@tutti/key-proof';
 *
 * const [bls, group] = await Promise.all([loadBls(), loadG1()]);
 * const publicKeys = Array.from({ length: 64 }, (_, i) => bls.publicKey(insecureSecretKey(bls, 1, i)));
 * const setting = proofSetting(group, publicKeys, hashGenerators(group, publicKeys.length));
 * const multiplicities = Uint8Array.from({ length: 64 }, (_, i) => i % 16);
 * const statement = statementOf(setting, multiplicities);
 * const proof = prove(setting, multiplicities, statement);
 * console.log(`${proof.length} bytes: ${verifyProof(setting, { statement, proof }) ? 'valid' : 'not valid'}`);
 * ```
 *
 * ```text
 * 796 bytes: valid
 * ```
 *
 * @packageDocumentation
 */

export { type G1Group, loadG1 } from '@tutti/wasm-bls/kernel';
export { type BatchResult, verifyBatch } from './batch.ts';
export { type Generators, hashGenerators } from './generators.ts';
export { maxMultiplicity } from './layout.ts';
export { prove } from './prove.ts';
export type { ProvedStatement } from './readProof.ts';
export { type ProofSetting, proofSetting } from './setting.ts';
export { type Statement, statementOf } from './statement.ts';
export { verifyProof } from './verify.ts';
