import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { identityStatement, looksLikeIdentity } from '../channel/identity.ts';
import { networkKey } from '../channel/networkKey.ts';
import { sessionId } from '../channel/session.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { type RegistryEntry, registryDigest, verifyEntry } from './registry.ts';

const bls = await loadBls({ kernel: 'noble' });

function makeEntry(index: number): RegistryEntry {
  const secret = insecureSecretKey(bls, 1, index);
  const publicKey = bls.publicKey(secret);
  const peerKey = networkKey(nodeCrypto, insecureSeed('network', 1, index + 1)).publicKey;
  return {
    publicKey,
    proofOfPossession: bls.provePossession(secret),
    networkKey: peerKey,
    networkKeyProof: bls.sign(secret, identityStatement(publicKey, peerKey)),
    endpoint: { host: '127.0.0.1', port: 9000 + index },
  };
}

const entries = [makeEntry(0), makeEntry(1), makeEntry(2)];

describe('verifyEntry', () => {
  it('accepts an entry that its owner made', () => {
    for (const [index, entry] of entries.entries()) verifyEntry(nodeCrypto, entry, index, bls);
  });

  it.each<[string, RegistryEntry]>([
    ['registry-bad-proof', { ...entries[0]!, proofOfPossession: entries[1]!.proofOfPossession }],
    ['registry-bad-proof', { ...entries[0]!, proofOfPossession: new Uint8Array(96) }],
    ['registry-bad-network-proof', { ...entries[0]!, networkKey: entries[1]!.networkKey }],
    ['registry-bad-network-proof', { ...entries[0]!, networkKeyProof: entries[1]!.networkKeyProof }],
    ['registry-weak-network-key', { ...entries[0]!, networkKey: new Uint8Array(32) }],
  ])('refuses with %s (%#)', (code, entry) => {
    expect(() => verifyEntry(nodeCrypto, entry, 7, bls)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(/^registry entry 7: /) }),
    );
  });
});

it('a signature over an identity cannot be had by asking for a round of that message', () => {
  expect(looksLikeIdentity(identityStatement(entries[0]!.publicKey, entries[1]!.networkKey))).toBe(true);
  expect(looksLikeIdentity(new TextEncoder().encode('tutti identity v1'))).toBe(false);
  expect(looksLikeIdentity(new Uint8Array(0))).toBe(false);
});

it('the digest follows keys and order, not addresses', () => {
  const moved = entries.map((entry) => ({ ...entry, endpoint: { host: '127.0.0.2', port: 1 } }));
  expect(registryDigest(nodeCrypto, moved)).toEqual(registryDigest(nodeCrypto, entries));
  expect(registryDigest(nodeCrypto, [...entries].reverse())).not.toEqual(registryDigest(nodeCrypto, entries));
});

it('a session is named by registry and round', () => {
  const digest = registryDigest(nodeCrypto, entries);
  expect(sessionId(nodeCrypto, digest, '1')).toHaveLength(32);
  expect(sessionId(nodeCrypto, digest, '1')).toEqual(sessionId(nodeCrypto, digest, '1'));
  expect(sessionId(nodeCrypto, digest, '1')).not.toEqual(sessionId(nodeCrypto, digest, '2'));
  expect(sessionId(nodeCrypto, digest, '1')).not.toEqual(
    sessionId(nodeCrypto, registryDigest(nodeCrypto, entries.slice(1)), '1'),
  );
});
