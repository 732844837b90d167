import { describeTransport } from '../../test/compliance.ts';
import { MemoryNetwork } from './memory.ts';

const network = new MemoryNetwork();
describeTransport('memory', { open: async (options) => network.open(options) });
