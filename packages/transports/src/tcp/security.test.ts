import { afterAll } from 'vitest';
import { describeSecurity } from '../../test/security.ts';
import { openSocksServer } from '../../test/socksServer.ts';
import { openTcp } from './tcp.ts';

const server = await openSocksServer();
afterAll(() => server.close());

describeSecurity('tcp', { open: (options) => openTcp({ host: '127.0.0.1', ...options }) });
describeSecurity('tcp through a SOCKS5 proxy', {
  open: (options) => openTcp({ host: '127.0.0.1', proxy: server.proxy, ...options }),
});
