import { codeName } from './codeName.ts';

/**
 * Version of the protocol code and of its simulation. The version is part of the line that reproduces a run. The part
 * after the `+` is a hash of core's sources, so two versions of the code never share a version text. `npm run compile`
 * writes the hash.
 */
export const version = `0.2.0-dev+${codeName}`;
