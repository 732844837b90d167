import { toHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { InsecureSetup } from './insecureSetup.ts';

it('a set-up without an excluded member is another event, with other anonymous keys of the others', async () => {
  const bls = await loadBls();
  const endpoint = { host: '127.0.0.1', port: 9000 };
  const [all, rest] = [
    [0, 1, 2, 3],
    [0, 2, 3],
  ].map(
    (places) =>
      new InsecureSetup({
        ...{ bls, scheme: 'traceable', ring: 2, seed: 1, event: 'set-up 1', transport: 'udp', places },
        inboxes: places.map(() => endpoint),
      }),
  );
  expect(toHex(rest!.shared.session)).not.toBe(toHex(all!.shared.session));
  expect([all!.shared.rings.length, rest!.shared.rings.length]).toEqual([2, 1]);
  for (const [index, place] of [0, 2, 3].entries()) {
    expect(rest!.members[index]!.identity.publicKey).toEqual(all!.members[place]!.identity.publicKey);
    expect(rest!.anonymousSecrets(index).secretKey).not.toEqual(all!.anonymousSecrets(place).secretKey);
  }
});
