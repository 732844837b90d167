import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLinkSignal, encodeLinkSignal, maxSdpCharacters, withoutTcp } from './linkSignal.ts';

describe('decodeLinkSignal', () => {
  it('decodes the output of encodeLinkSignal', () => {
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

  it('keeps only the three fields of a signal', () => {
    expect(decodeLinkSignal('{"type":"answer","attempt":1,"sdp":"v","more":1}')).toEqual({
      type: 'answer',
      attempt: 1,
      sdp: 'v',
    });
  });

  it('never throws for a text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeLinkSignal(text)));
  });
});

it('withoutTcp removes the TCP candidates and nothing else', () => {
  const udp = 'a=candidate:1 1 udp 2122194687 192.0.2.2 54295 typ host\r\n';
  const tcp = 'a=candidate:2 1 tcp 1518214911 192.0.2.2 45825 typ host tcptype passive generation 0\r\n';
  const rest = 'a=setup:actpass\r\n';
  expect(withoutTcp(`${udp}${tcp}${tcp.replace('tcp', 'TCP')}${rest}`)).toBe(`${udp}${rest}`);
});
