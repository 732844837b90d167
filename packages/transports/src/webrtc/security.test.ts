import { vi } from 'vitest';
import { MemorySignals } from '../../test/memorySignals.ts';
import { describeSecurity } from '../../test/security.ts';
import { loadNodeRtc } from '../node.ts';
import { openWebRtc } from './webrtc.ts';

// Opening a link takes several turns of the libraries' threads. On a loaded machine, these turns may be late.
vi.setConfig({ testTimeout: 60_000 });

const rtc = await loadNodeRtc();
const network = new MemorySignals();

let names = 0;
describeSecurity('webrtc in Node', {
  open: async () => {
    const name = `peer-${++names}`;
    const { leave, ...signals } = network.join(name);
    const transport = openWebRtc({ rtc, name, signals });
    const close = transport.close.bind(transport);
    transport.close = () => close().finally(leave);
    return transport;
  },
});
