import { project } from './compiled.ts';

/** Tests across packages. Each file has its own folder, ports and processes, so that files run concurrently. */
export default project('tests');
