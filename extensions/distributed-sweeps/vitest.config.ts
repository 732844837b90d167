import { extension } from '../../tests/extension.ts';

export default extension('distributed-sweeps');
