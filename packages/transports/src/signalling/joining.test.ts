import { toHex } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { joinSignalling, type WebSocketLike } from './client.ts';
import { lastingSignalling } from './lastingSignalling.ts';
import type { Signalling } from './signalling.ts';

const keys = Array.from({ length: 5 }, (_, index) => networkKey(nodeCrypto, new Uint8Array(32).fill(index + 1)));
const names = keys.map(({ publicKey }) => toHex(publicKey));

it('what joins no room is refused, and named', async () => {
  const right = {
    ...{ url: 'ws://h/signal', room: 'room', member: names[0]!, secret: keys[0]!.secret, crypto: nodeCrypto },
    ...{ card: 'mine', invitation: undefined, connect: () => ({}) as WebSocketLike },
  };
  const refused = async (call: () => Promise<unknown>) => {
    try {
      await call();
      return 'taken';
    } catch (error) {
      return String(error);
    }
  };
  const pins = await Promise.all(
    Object.keys(right).map((field) => refused(() => joinSignalling({ ...right, [field]: 5 } as never))),
  );
  const none = () => refused(() => lastingSignalling(async () => ({}) as Signalling));
  const more = [() => joinSignalling(undefined as never), () => lastingSignalling(5 as never)].map(refused);
  expect([...pins, ...(await Promise.all(more)), await none()]).toMatchInlineSnapshot(`
    [
      "TypeError: url: expected a text, got 5",
      "TypeError: room: expected a text, got 5",
      "TypeError: member: expected a text, got 5",
      "TypeError: secret: expected a Uint8Array, got 5",
      "TypeError: crypto: expected an object with randomBytes, sha256, hmacSha256, hkdfSha256, keyAgreement, seal, open, got 5",
      "TypeError: card: expected a text, got 5",
      "TypeError: invitation: expected a text, got 5",
      "TypeError: connect: expected a function, got 5",
      "TypeError: options: expected an object, got undefined",
      "TypeError: join: expected a function, got 5",
      "TypeError: joined.signal: expected a function, got undefined",
    ]
  `);
});
