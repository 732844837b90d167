import { describeSecurity } from '../test/security.ts';
import { openUdp } from './sockets/udp.ts';
import { MemoryNetwork } from './transport/memory.ts';

const network = new MemoryNetwork();
describeSecurity('memory', { open: async (options) => network.open(options) });
describeSecurity('udp', { open: (options) => openUdp({ host: '127.0.0.1', ...options }) });
