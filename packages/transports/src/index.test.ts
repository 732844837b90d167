import { expect, it } from 'vitest';
import * as transports from './index.ts';

it('exports these names and no others', () => {
  expect(Object.keys(transports).sort()).toEqual([
    'CHANNEL_OVERHEAD_BYTES',
    'Channel',
    'Counts',
    'DEFAULT_MAX_PACKET_BYTES',
    'Host',
    'MemoryNetwork',
    'NETWORK_KEY_BYTES',
    'PUBLIC_KEY_BYTES',
    'SESSION_BYTES',
    'SIGNATURE_BYTES',
    'VerificationQueue',
    'WorldError',
    'checkEntry',
    'delayed',
    'formatRegistry',
    'fromHex',
    'identityStatement',
    'looksLikeIdentity',
    'monotonicClock',
    'monotonicNs',
    'networkKey',
    'openUdp',
    'parseRegistry',
    'registryDigest',
    'sessionId',
    'toHex',
  ]);
});
