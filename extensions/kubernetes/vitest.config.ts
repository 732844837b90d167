import { project } from '../../tests/compiled.ts';

export default project('kubernetes', 'node');
