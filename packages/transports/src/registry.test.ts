import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from './crypto/node.ts';
import { identityStatement, looksLikeIdentity } from './identity.ts';
import { networkKey } from './networkKey.ts';
import { checkEntry, formatRegistry, parseRegistry, type RegistryEntry, registryDigest } from './registry.ts';
import { sessionId } from './session.ts';

const bls = await loadBls({ kernel: 'noble' });

function makeEntry(index: number): RegistryEntry {
  const secret = bls.keyGen(new Uint8Array(32).fill(index + 1));
  const publicKey = bls.publicKey(secret);
  const peerKey = networkKey(nodeCrypto, new Uint8Array(32).fill(index + 1)).publicKey;
  return {
    publicKey,
    proofOfPossession: bls.provePossession(secret),
    networkKey: peerKey,
    networkKeyProof: bls.sign(secret, identityStatement(publicKey, peerKey)),
    endpoint: { host: '127.0.0.1', port: 9000 + index },
  };
}

const entries = [makeEntry(0), makeEntry(1), makeEntry(2)];

type Fields = Record<string, unknown>;
const good = JSON.parse(formatRegistry(entries)) as { entries: Fields[] };

/** The registry's JSON with some fields of the document, or of one entry, replaced; undefined takes a field out. */
const documentWith = (fields: Fields) => JSON.stringify({ ...good, ...fields });
const entryWith = (index: number, fields: Fields) =>
  documentWith({ entries: good.entries.map((entry, i) => (i === index ? { ...entry, ...fields } : entry)) });

describe('parseRegistry', () => {
  it('reads back what formatRegistry wrote', () => {
    expect(parseRegistry(formatRegistry(entries))).toEqual(entries);
  });

  it.each<[string, string, RegExp]>([
    ['registry-not-json', '{"version":1', /^registry: expected JSON/],
    ['registry-not-object', '[]', /^registry: expected an object/],
    ['registry-wrong-version', '{"entries":[]}', /expected "version": 1, got nothing/],
    ['registry-wrong-version', documentWith({ version: 2 }), /expected "version": 1, got 2/],
    ['registry-wrong-size', documentWith({ entries: [] }), /expected 1 to 1048576 "entries", got 0/],
    ['registry-wrong-size', documentWith({ entries: {} }), /got \{\}/],
    ['registry-bad-entry', documentWith({ entries: [null] }), /^registry entry 0: expected an object, got null/],
    [
      'registry-bad-field',
      entryWith(1, { publicKey: 'ab' }),
      /^registry entry 1: publicKey: expected 48 bytes as 96 hexadecimal digits, got "ab"$/,
    ],
    ['registry-bad-field', entryWith(0, { publicKey: 'g'.repeat(96) }), /publicKey: expected 48 bytes/],
    ['registry-bad-field', entryWith(0, { publicKey: 'é'.repeat(96) }), /publicKey: expected 48 bytes/],
    ['registry-bad-field', entryWith(0, { networkKey: undefined }), /networkKey: expected 32 .*, got nothing$/],
    ['registry-bad-field', entryWith(2, { proofOfPossession: 7 }), /proofOfPossession: expected 96/],
    ['registry-bad-field', entryWith(2, { networkKeyProof: [] }), /networkKeyProof: expected 96/],
    ['registry-bad-field', entryWith(0, { host: 'example.org' }), /host: expected an IP address, got/],
    ['registry-bad-field', entryWith(0, { port: 0 }), /port: expected an integer from 1 to 65535, got 0$/],
    ['registry-bad-field', entryWith(0, { port: '9000' }), /port: .*got "9000"$/],
    [
      'registry-duplicate',
      entryWith(2, { publicKey: good.entries[0]!.publicKey }),
      /^registry entry 2: publicKey is that of entry 0/,
    ],
    [
      'registry-duplicate',
      entryWith(2, { networkKey: String(good.entries[1]!.networkKey).toUpperCase() }),
      /networkKey is that of entry 1/,
    ],
    ['registry-duplicate', entryWith(1, { port: 9000 }), /host and port is that of entry 0/],
  ])('refuses with %s (%#)', (code, text, message) => {
    let thrown: unknown;
    try {
      parseRegistry(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'WorldError', code });
    expect((thrown as Error).message).toMatch(message);
    expect((thrown as Error).message).not.toContain('\n');
  });
});

describe('checkEntry', () => {
  it('accepts an entry that its owner made', () => {
    for (const [index, entry] of entries.entries()) checkEntry(nodeCrypto, entry, index, bls);
  });

  it.each<[string, RegistryEntry]>([
    ['registry-bad-proof', { ...entries[0]!, proofOfPossession: entries[1]!.proofOfPossession }],
    ['registry-bad-proof', { ...entries[0]!, proofOfPossession: new Uint8Array(96) }],
    ['registry-bad-network-proof', { ...entries[0]!, networkKey: entries[1]!.networkKey }],
    ['registry-bad-network-proof', { ...entries[0]!, networkKeyProof: entries[1]!.networkKeyProof }],
    ['registry-weak-network-key', { ...entries[0]!, networkKey: new Uint8Array(32) }],
  ])('refuses with %s (%#)', (code, entry) => {
    expect(() => checkEntry(nodeCrypto, entry, 7, bls)).toThrow(
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
