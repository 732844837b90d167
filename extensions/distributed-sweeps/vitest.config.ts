import { project } from '../../tests/compiled.ts';

export default project('distributed-sweeps', 'node');
