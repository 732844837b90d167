import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLinkSignal, encodeLinkSignal, maxSdpCharacters, withoutTcp } from './linkTable.ts';

describe('decodeLinkSignal', () => {
  it('reads what encodeLinkSignal wrote', () => {
    const signal = { type: 'offer', attempt: 7, sdp: 'v=0\r\n' } as const;
    expect(decodeLinkSignal(encodeLinkSignal(signal))).toEqual(signal);
  });

  it.each([
    '',
    'null',
    '[]',
    '"offer"',
    '{"type":"candidate","attempt":1,"sdp":"v"}',
    '{"type":"offer","attempt":-1,"sdp":"v"}',
    '{"type":"offer","attempt":1.5,"sdp":"v"}',
    '{"type":"offer","attempt":4294967296,"sdp":"v"}',
    '{"type":"offer","attempt":"1","sdp":"v"}',
    '{"type":"offer","attempt":1,"sdp":""}',
    '{"type":"offer","attempt":1}',
    JSON.stringify({ type: 'offer', attempt: 1, sdp: 'x'.repeat(maxSdpCharacters + 1) }),
    ' '.repeat(2 * maxSdpCharacters + 1),
  ])('refuses %.60s', (text) => {
    expect(decodeLinkSignal(text)).toBeUndefined();
  });

  it('keeps nothing of a signal but its three fields', () => {
    expect(decodeLinkSignal('{"type":"answer","attempt":1,"sdp":"v","more":1}')).toEqual({
      type: 'answer',
      attempt: 1,
      sdp: 'v',
    });
  });

  it('throws for no text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeLinkSignal(text)));
  });
});

it('withoutTcp takes out the addresses for TCP and nothing else', () => {
  const udp = 'a=candidate:1 1 udp 2122194687 192.0.2.2 54295 typ host\r\n';
  const tcp = 'a=candidate:2 1 tcp 1518214911 192.0.2.2 45825 typ host tcptype passive generation 0\r\n';
  const rest = 'a=setup:actpass\r\n';
  expect(withoutTcp(`${udp}${tcp}${tcp.replace('tcp', 'TCP')}${rest}`)).toBe(`${udp}${rest}`);
});
