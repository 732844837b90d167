import { toHex } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { joinSignalling, lastingSignalling, type WebSocketLike } from './client.ts';
import type { Signalling } from './signalling.ts';

const keys = Array.from({ length: 5 }, (_, index) => networkKey(nodeCrypto, new Uint8Array(32).fill(index + 1)));
const names = keys.map(({ publicKey }) => toHex(publicKey));

it('refuses an invalid room, and names it', async () => {
  const right = {
    ...{ url: 'ws://h/signal', room: 'room', member: names[0]!, secret: keys[0]!.secret, crypto: nodeCrypto },
    ...{ card: 'mine', invitation: undefined, connect: () => ({}) as WebSocketLike },
  };
  const refused = async (call: () => Promise<unknown>) => {
    try {
      await call();
      return 'taken';
    } catch (error) {
      return (error as Error).message.split(': expected ', 1)[0];
    }
  };
  for (const field of Object.keys(right))
    expect(await refused(() => joinSignalling({ ...right, [field]: 5 } as never))).toBe(field);
  expect(await refused(() => joinSignalling(undefined as never))).toBe('options');
  expect(await refused(() => lastingSignalling(5 as never))).toBe('join');
  expect(await refused(() => lastingSignalling(async () => ({}) as Signalling))).toBe('joined.signal');
});
