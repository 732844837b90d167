import { extension } from '../../tests/extension.ts';

export default extension('pixel');
