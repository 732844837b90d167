import { project } from './compiled.ts';

/**
 * Configuration of the tests across packages, which include two live rooms and real processes. Each file has its own
 * folder, ports and child processes, so that files run concurrently.
 */
export default project('tests');
