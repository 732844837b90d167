import { expect, it } from 'vitest';
import { openTransport, TRANSPORT_KINDS } from './openTransport.ts';

it.each(TRANSPORT_KINDS.filter((kind) => kind !== 'quic'))(
  'opens %s by its name, with its own options',
  async (kind) => {
    const transport = await openTransport({ kind, host: '127.0.0.1', maxPacketBytes: 99 });
    expect(transport.local.host).toBe('127.0.0.1');
    expect(transport.maxPacketBytes).toBe(99);
    await transport.close();
  },
);

it('opens quic by its name, or says in a line that this machine has none', async () => {
  const opened = await openTransport({ kind: 'quic', host: '127.0.0.1', maxPacketBytes: 99 }).catch((error) => error);
  if (opened instanceof Error) expect(opened).toMatchObject({ name: 'WorldError', code: 'quic-unavailable' });
  else {
    expect(opened.maxPacketBytes).toBe(99);
    await opened.close();
  }
});
