import { expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { sessionBytes, sessionId } from './session.ts';

const digest = new Uint8Array(32).fill(1);

it('a session identifier has 32 bytes and depends on registry and round', () => {
  const session = sessionId(nodeCrypto, digest, 'round 1');
  expect(session).toHaveLength(sessionBytes);
  expect(sessionId(nodeCrypto, digest, 'round 1')).toEqual(session);
  expect(sessionId(nodeCrypto, digest, 'round 2')).not.toEqual(session);
  expect(sessionId(nodeCrypto, new Uint8Array(32), 'round 1')).not.toEqual(session);
});

it('refuses invalid suites, digests and texts', () => {
  expect(() => sessionId({} as never, digest, 'round')).toThrow(TypeError);
  expect(() => sessionId(nodeCrypto, 'digest' as never, 'round')).toThrow(TypeError);
  expect(() => sessionId(nodeCrypto, digest, 1 as never)).toThrow(TypeError);
  expect(() => sessionId(nodeCrypto, digest.subarray(1), 'round')).toThrow(RangeError);
});
