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
    'TRANSPORT_KINDS',
    'VerificationQueue',
    'WorldError',
    'checkEntry',
    'clockFromNow',
    'delayed',
    'formatRegistry',
    'fromHex',
    'identityStatement',
    'isWeakNetworkKey',
    'looksLikeIdentity',
    'monotonicClock',
    'monotonicNs',
    'networkKey',
    'nobleCrypto',
    'nodeCrypto',
    'openTransport',
    'openUdp',
    'parseRegistry',
    'registryDigest',
    'sessionId',
    'toHex',
  ]);
});
