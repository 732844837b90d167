import { codeName } from './codeName.ts';

/**
 * The version of the protocol code and of its simulation; part of the line that is enough to reproduce a run. What
 * follows the `+` names the code: it is a hash of core's sources, so that no two codes with different digests share a
 * version. `npm run compile` writes it.
 */
export const version = `0.2.0-dev+${codeName}`;
