import { vi } from 'vitest';
import { MemorySignals, openOn } from '../../test/memorySignals.ts';
import { describeSecurity } from '../../test/security.ts';

// Opening a link takes several turns of the libraries' threads. On a loaded machine, these turns may be late.
vi.setConfig({ testTimeout: 60_000 });

const network = new MemorySignals();
describeSecurity('webrtc in Node', { open: async () => openOn(network) });
