import { expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { type IdentityKernel, isLabel, makeIdentity, maxLabelCharacters } from './card.ts';
import { isMessage, isShare, maxMessageCharacters } from './messages.ts';
import { Room } from './room.ts';

/** A kernel whose points depend only on a few bytes and on lengths. The test itself supplies the verdict on cards. */
const kernel: IdentityKernel = {
  keyGen: (ikm) => ikm,
  publicKey: (secretKey) => new Uint8Array(48).fill(secretKey[0]!),
  provePossession: (secretKey) => new Uint8Array(96).fill(secretKey[1]!),
  sign: (secretKey, message) => new Uint8Array(96).fill(secretKey[2]! ^ message.length),
};

it('a room shows at most 256 members', () => {
  const people = Array.from({ length: 258 }, (_, index) =>
    makeIdentity(nodeCrypto, kernel, { label: `person ${index}`, mayLead: true }),
  );
  const port = { announce() {}, send() {}, isGenuine: () => true, beacon: () => '', begin() {}, changed() {} };
  const room = new Room({ self: people[0]!, port });
  for (const { name, card } of people) room.onCame(name, card, 0);
  expect(room.view().members).toHaveLength(256);
});

it.each([
  ['a label', isLabel, ['x', 'x'.repeat(maxLabelCharacters)], ['', ' a', 'x'.repeat(maxLabelCharacters + 1), 5]],
  [
    'a message',
    isMessage,
    ['x', 'x'.repeat(maxMessageCharacters)],
    ['', 'x'.repeat(maxMessageCharacters + 1), 'tutti identity v1\0', 5],
  ],
  ['a share', isShare, [0.5, 1], [0, -1, 1.5, '1', null]],
] as const)('%s has limits', (_, is, taken, refused) => {
  for (const value of taken) expect(is(value), `${value}`).toBe(true);
  for (const value of refused) expect(is(value), `${value}`).toBe(false);
});
