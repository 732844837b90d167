import { describeSecurity } from '../test/security.ts';
import { MemoryNetwork } from './memory.ts';
import { openUdp } from './udp.ts';

const network = new MemoryNetwork();
describeSecurity('memory', { open: async (options) => network.open(options) });
describeSecurity('udp', { open: (options) => openUdp({ host: '127.0.0.1', ...options }) });
