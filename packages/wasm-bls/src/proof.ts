export { type BatchResult, verifyBatch } from './proof/batch.ts';
export type { ProvedStatement } from './proof/claim.ts';
export { GENERATOR_DOMAIN, type Generators, hashGenerators } from './proof/generators.ts';
export type { G1Group } from './proof/group.ts';
export { loadG1 } from './proof/load.ts';
export { proofBytes, prove } from './proof/prove.ts';
export { type ProofSetting, proofSetting } from './proof/setting.ts';
export { type Statement, statementOf } from './proof/statement.ts';
export { verifyProof } from './proof/verify.ts';
