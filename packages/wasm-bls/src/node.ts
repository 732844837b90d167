export { type VerifierPoolOptions, verifierPool } from './verifier-pool.ts';
