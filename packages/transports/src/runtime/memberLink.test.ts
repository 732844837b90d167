import { expect, it } from 'vitest';
import { vouchesFor } from './memberLink.ts';

it('verifies an address if exactly one entry has it and the packet names the current incarnation', () => {
  const endpoints = [1, 2, 2, 3].map((port) => ({ host: port === 3 ? 'b' : 'a', port }));
  const [bound, unbound] = [1, 0].map((byte) => new Uint8Array(60).fill(byte));
  const pins = endpoints.flatMap((_, from) =>
    [bound!, unbound!].map((packet) =>
      [...endpoints, { host: 'b', port: 1 }].map((at) => vouchesFor(endpoints, from, packet, at)),
    ),
  );
  expect(pins.map((row) => row.map(Number).join(''))).toEqual(['10000', ...Array(5).fill('00000'), '00010', '00000']);
});
