import { expect, it } from 'vitest';
import { decodeLinkSignal, encodeLinkSignal, maxSdpCharacters, withoutTcp } from './linkSignal.ts';

const offer = { type: 'offer', attempt: 7, sdp: 'v=0\r\n' } as const;

it('decodeLinkSignal decodes the output of encodeLinkSignal, without unknown fields', () => {
  expect(decodeLinkSignal(encodeLinkSignal({ ...offer, more: 1 } as never))).toEqual(offer);
  expect(decodeLinkSignal(JSON.stringify({ ...offer, more: 1 }))).toEqual(offer);
});

it.each([
  ...['', 'null', '[]', '"offer"', ' '.repeat(2 * maxSdpCharacters + 1)],
  ...['candidate', undefined].map((type) => JSON.stringify({ ...offer, type })),
  ...[-1, 1.5, 2 ** 32, '1'].map((attempt) => JSON.stringify({ ...offer, attempt })),
  ...['', undefined, 'x'.repeat(maxSdpCharacters + 1)].map((sdp) => JSON.stringify({ ...offer, sdp })),
])('decodeLinkSignal refuses %.60s', (text) => expect(decodeLinkSignal(text)).toBeUndefined());

it('withoutTcp removes the TCP candidates and nothing else', () => {
  const udp = 'a=candidate:1 1 udp 2122194687 192.0.2.2 54295 typ host\r\n';
  const tcp = 'a=candidate:2 1 tcp 1518214911 192.0.2.2 45825 typ host tcptype passive generation 0\r\n';
  const rest = 'a=setup:actpass\r\n';
  expect(withoutTcp(`${udp}${tcp}${tcp.replace('tcp', 'TCP')}${rest}`)).toBe(`${udp}${rest}`);
});
