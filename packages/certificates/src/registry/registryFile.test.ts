import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import {
  formatRegistry,
  type ListedEntry,
  parseRegistry,
  readRegistry,
  refuseSharedAddresses,
} from './registryFile.ts';

const schema = JSON.parse(readFileSync(new URL('../../registry.schema.json', import.meta.url), 'utf8'));
const satisfiesSchema = (addFormats.default ?? addFormats)(
  new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }),
).compile(schema);

const addresses: readonly Pick<ListedEntry, 'transport' | 'endpoint'>[] = [
  { transport: 'udp', endpoint: { host: '127.0.0.1', port: 9000 } },
  { transport: 'udp', endpoint: { host: '::1', port: 9001 } },
  { transport: 'tcp', endpoint: { host: 'node.example', port: 9002 } },
];

/** Returns entries with invalid keys and proofs of these lengths. The tests check only the format of the keys. */
const entriesOf = (keyBytes: number, proofBytes: number, networkProofBytes = proofBytes): ListedEntry[] =>
  addresses.map((address, index) => ({
    publicKey: new Uint8Array(keyBytes).fill(index + 1),
    proofOfPossession: new Uint8Array(proofBytes).fill(index + 1),
    networkKey: new Uint8Array(32).fill(index + 1),
    networkKeyProof: new Uint8Array(networkProofBytes).fill(index + 1),
    ...address,
  }));

const entries = entriesOf(48, 96);

type Fields = Record<string, unknown>;
const good = JSON.parse(formatRegistry(entries)) as { entries: (Fields & { address: Fields })[] };

/** Returns the registry with fields replaced in the document, an entry, or its address; undefined removes one. */
const documentWith = (fields: Fields) => ({ ...good, ...fields });
const entryWith = (index: number, fields: Fields) =>
  documentWith({ entries: good.entries.map((entry, i) => (i === index ? { ...entry, ...fields } : entry)) });
const addressWith = (index: number, fields: Fields) =>
  entryWith(index, { address: { ...good.entries[index]!.address, ...fields } });

function refusalOf(document: unknown): { code: string; message: string } {
  try {
    parseRegistry(typeof document === 'string' ? document : JSON.stringify(document));
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('expected a refusal, got none');
}

describe('a registry of min-sig', () => {
  const ofMinSig = entriesOf(96, 48);

  it('contains its variant and is read back with it; a registry without a variant is min-pk', () => {
    const text = formatRegistry(ofMinSig);
    expect(JSON.parse(text)).toMatchObject({ version: 2, scheme: 'bls', variant: 'min-sig' });
    expect(satisfiesSchema(JSON.parse(text))).toBe(true);
    expect(parseRegistry(text)).toEqual(ofMinSig);
    expect(JSON.parse(formatRegistry(entries))).not.toHaveProperty('variant');
    expect(parseRegistry(JSON.stringify({ ...good, variant: 'min-pk' }))).toEqual(entries);
    expect(refusalOf({ ...JSON.parse(text), variant: undefined })).toMatchObject({
      code: 'registry-bad-field',
      message: expect.stringContaining('publicKey: expected 48 bytes'),
    });
    expect(refusalOf({ ...good, variant: 'min-sig' }).message).toContain('publicKey: expected 96 bytes');
    expect(refusalOf({ ...good, variant: 'sig' })).toMatchObject({ code: 'registry-wrong-variant' });
  });
});

describe('parseRegistry', () => {
  it('reads version 1, whose addresses are UDP addresses', () => {
    const { address, ...entry } = good.entries[0]!;
    const old = { version: 1, entries: [{ ...entry, host: address.host, port: address.port }] };
    expect(parseRegistry(JSON.stringify(old))).toEqual([entries[0]]);
    expect(refusalOf({ ...old, entries: [{ ...old.entries[0], host: 'node.example' }] })).toMatchObject({
      code: 'registry-bad-field',
      message: 'registry entry 0: host: expected an IP address for udp, got "node.example"',
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['registry-not-json', '{"version":1', /^registry: expected JSON/],
    ['registry-not-object', [], /^registry: expected an object/],
    ['registry-wrong-version', { entries: [] }, /expected "version": 2 or 1, got nothing/],
    ['registry-wrong-version', documentWith({ version: 3 }), /expected "version": 2 or 1, got 3/],
    ['registry-wrong-version', documentWith({ version: '2' }), /got "2"/],
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
    ['registry-bad-field', entryWith(0, { address: 'udp://127.0.0.1:9000' }), /address: expected an object with/],
    ['registry-bad-field', entryWith(0, { address: undefined }), /address: .*, got nothing$/],
    ['registry-bad-field', addressWith(0, { transport: 'smtp' }), /transport: expected udp or tcp, got "smtp"$/],
    ['registry-bad-field', addressWith(0, { transport: 'quic' }), /transport: expected udp or tcp, got "quic"$/],
    ['registry-bad-field', addressWith(0, { transport: undefined }), /transport: .*, got nothing$/],
    ['registry-bad-field', addressWith(0, { host: 'example.org' }), /host: expected an IP address for udp, got/],
    ['registry-bad-field', addressWith(1, { host: 'example.org' }), /host: expected an IP address for udp, got/],
    ['registry-bad-field', addressWith(1, { host: 'fe80::1%eth0' }), /host: expected an IP address for udp, got/],
    ['registry-bad-field', addressWith(2, { host: 'a b' }), /host: expected an IP address, a host name, or .* for tcp/],
    ['registry-bad-field', addressWith(2, { host: 'short.onion' }), /host: expected/],
    ['registry-bad-field', addressWith(2, { host: '1.2.3' }), /host: expected/],
    ['registry-unknown-field', documentWith({ note: 'ours' }), /^registry: expected no fields but version, .*"note"$/],
    ['registry-unknown-field', documentWith({ treshold: '2/3' }), /got "treshold" \(Did you mean threshold\?\)$/],
    ['registry-unknown-field', entryWith(1, { wieght: '2' }), /^registry entry 1: .*\(Did you mean weight\?\)$/],
    ['registry-unknown-field', entryWith(1, { host: '::1' }), /^registry entry 1: expected no fields .*, got "host"$/],
    ['registry-unknown-field', addressWith(2, { prot: 1 }), /^registry entry 2: address: .*got "prot"/],
    ['registry-bad-field', documentWith({ epoch: 3 }), /^registry: epoch: expected an integer as a text/],
    ['registry-bad-field', documentWith({ epoch: '-1' }), /^registry: epoch: expected/],
    ['registry-bad-field', documentWith({ epoch: '03' }), /^registry: epoch: expected/],
    ['registry-bad-field', documentWith({ threshold: 0.67 }), /^registry: threshold: expected a share .*, got 0.67$/],
    ['registry-bad-field', documentWith({ threshold: '67%' }), /^registry: threshold: expected a share/],
    ['registry-bad-field', documentWith({ threshold: '0/1' }), /^registry: threshold: expected a share/],
    ['registry-bad-field', documentWith({ threshold: '067/100' }), /^registry: threshold: expected a share/],
    ['registry-bad-field', documentWith({ margin: '0.03' }), /^registry: margin: expected a share/],
    ['registry-bad-field', addressWith(0, { port: 0 }), /port: expected an integer from 1 to 65535, got 0$/],
    ['registry-bad-field', addressWith(0, { port: 65_536 }), /port: .*got 65536$/],
    ['registry-bad-field', addressWith(0, { port: 1.5 }), /port: .*got 1.5$/],
    ['registry-bad-field', addressWith(0, { port: '9000' }), /port: .*got "9000"$/],
  ])('refuses %s like the schema (%#)', (code, document, message) => {
    const refusal = refusalOf(document);
    expect(refusal).toMatchObject({ name: 'EnvironmentError', code });
    expect(refusal.message).toMatch(message);
    expect(refusal.message).not.toContain('\n');
    // The document is serialized and parsed again, so that undefined fields are absent.
    if (typeof document !== 'string') expect(satisfiesSchema(JSON.parse(JSON.stringify(document)))).toBe(false);
  });

  it('requires the scheme that the caller expects', () => {
    const pixel = entriesOf(49, 97, 149);
    const text = formatRegistry(pixel, 'pixel');
    expect(parseRegistry(text, 'pixel')).toEqual(pixel);
    expect(satisfiesSchema(JSON.parse(text))).toBe(true);
    const withVariant = { ...JSON.parse(text), variant: 'min-pk' };
    expect(() => parseRegistry(JSON.stringify(withVariant), 'pixel')).toThrow(
      'registry: variant: expected none for the scheme pixel, got "min-pk"',
    );
    expect(satisfiesSchema(withVariant)).toBe(false);
    expect(refusalOf(text)).toMatchObject({ code: 'registry-wrong-scheme' });
    expect(refusalOf(text).message).toMatch(/^registry: expected "scheme": "bls", got "pixel"; /);
    expect(() => parseRegistry(JSON.stringify({ ...good, scheme: undefined }), 'pixel')).toThrow(/got "bls"/);
    expect(parseRegistry(JSON.stringify({ ...good, scheme: undefined }))).toEqual(entries);
    expect(() => parseRegistry(JSON.stringify({ ...good, scheme: 'pixel' }), 'pixel')).toThrow(/49 bytes as 98/);
  });

  it.each<[string, unknown]>([
    ['the registry itself', good],
    ['upper-case digits', entryWith(0, { publicKey: 'AB'.repeat(48) })],
    ['IPv6 over UDP', addressWith(0, { host: '2001:db8::1' })],
    ['an IP address over TCP', addressWith(2, { host: '127.0.0.1' })],
    ['an onion over TCP', addressWith(2, { host: `${'a2'.repeat(28)}.onion` })],
    ['a name over TCP that ends like an onion name', addressWith(2, { host: 'node.myonion' })],
  ])('reads %s like the schema', (_, document) => {
    expect(parseRegistry(JSON.stringify(document))).not.toHaveLength(0);
    expect(satisfiesSchema(document), JSON.stringify(satisfiesSchema.errors)).toBe(true);
  });

  it.each<[string, unknown, RegExp]>([
    ['publicKey', entryWith(2, { publicKey: good.entries[0]!.publicKey }), /entry 2: publicKey is that of entry 0/],
    [
      'networkKey',
      entryWith(2, { networkKey: String(good.entries[1]!.networkKey).toUpperCase() }),
      /networkKey is that of entry 1/,
    ],
    [
      'networkKey, but for the bit that X25519 ignores',
      entryWith(2, { networkKey: withTopBit(String(good.entries[1]!.networkKey)) }),
      /entry 2: networkKey is that of entry 1/,
    ],
  ])('refuses two entries with one %s', (_, document, message) => {
    const refusal = refusalOf(document);
    expect(refusal.code).toBe('registry-duplicate');
    expect(refusal.message).toMatch(message);
  });
});

it.each([
  ['the same', addressWith(1, { transport: 'udp', host: '127.0.0.1', port: 9000 })],
  ['written differently', addressWith(0, { host: '0::1', port: 9001 })],
  ['as IPv6 that stands for IPv4', addressWith(1, { transport: 'udp', host: '::ffff:127.0.0.1', port: 9000 })],
])('two entries at one address are read, and refused when a registry is created: %s', (_, document) => {
  const parsed = parseRegistry(JSON.stringify(document));
  expect(parsed.length).toBe(3);
  expect(() => refuseSharedAddresses(parsed)).toThrow(/entry 1: address is that of entry 0 .* its own host and port$/);
  expect(() => refuseSharedAddresses(entries)).not.toThrow();
});

/** Returns the hexadecimal digits of 32 bytes with the highest bit of the last byte flipped. */
function withTopBit(digits: string): string {
  return digits.slice(0, -2) + (Number.parseInt(digits.slice(-2), 16) ^ 0x80).toString(16).padStart(2, '0');
}

it('addresses are read in the notation that all nodes use, so that packet sources can be compared with them', () => {
  const hosts = [
    [0, '0:0::1', '::1'],
    [0, '::ffff:192.0.2.1', '192.0.2.1'],
    [2, 'Node-7.Example', 'node-7.example'],
  ] as const;
  for (const [index, written, read] of hosts)
    expect(parseRegistry(JSON.stringify(addressWith(index, { host: written })))[index]!.endpoint.host).toBe(read);
});

describe('the certificate terms of a registry', () => {
  const terms = {
    epoch: 3n,
    threshold: { numerator: 67n, denominator: 100n },
    margin: { numerator: 3n, denominator: 100n },
  };

  it('are read as they were written, or are absent', () => {
    const text = formatRegistry(entries, 'bls', terms);
    expect(satisfiesSchema(JSON.parse(text))).toBe(true);
    expect(readRegistry(text)).toEqual({ scheme: 'bls', entries, ...terms });
    expect(parseRegistry(text)).toEqual(entries);
    expect(readRegistry(JSON.stringify(good))).toEqual({ scheme: 'bls', entries });
  });

  it('are not written if they cannot be read', () => {
    const longest = { numerator: 999_999_998n, denominator: 999_999_999n };
    const most = { epoch: 10n ** 19n - 1n, threshold: longest, margin: longest };
    expect(readRegistry(formatRegistry(entries, 'bls', most))).toMatchObject(most);
    for (const over of [{ epoch: 10n ** 19n }, { margin: { numerator: 1n, denominator: 10n ** 9n } }])
      expect(() => formatRegistry(entries, 'bls', over)).toThrow(
        expect.objectContaining({ code: 'registry-bad-field' }),
      );
  });

  it.each(['101/100', '3/2'])('are refused with a share over 1, which the schema cannot express: %s', (threshold) => {
    expect(refusalOf(documentWith({ threshold }))).toMatchObject({
      code: 'registry-bad-field',
      message: expect.stringContaining('registry: threshold: expected a share'),
    });
  });
});

describe('the text of a registry', () => {
  const text = formatRegistry(entries);

  it('may begin with one byte order mark, and is refused by name in UTF-16', () => {
    expect(parseRegistry(`\ufeff${text}`)).toEqual(entries);
    for (const marked of [text, `\ufeff${text}`])
      expect(refusalOf(Buffer.from(marked, 'utf16le').toString('utf8'))).toMatchObject({
        code: 'registry-not-json',
        message: 'registry: expected JSON, got UTF-16; save it as UTF-8',
      });
  });

  it('is refused with a duplicate field or with nesting deeper than that of a registry', () => {
    const twice = text.replace('"scheme"', '"threshold": "2/3", "threshold": "1/10", "scheme"');
    expect(refusalOf(twice).message).toBe('registry: expected JSON, got an object with a repeated name');
    const deep = `{"version": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(refusalOf(deep).message).toBe('registry: expected JSON, got values nested more than 100 levels deep');
  });
});

const textOf = (...weights: unknown[]) =>
  JSON.stringify(documentWith({ entries: weights.map((weight, index) => ({ ...good.entries[index], weight })) }));

describe('weights of a registry', () => {
  it('are read and written as decimal texts, also beyond the range of numbers', () => {
    const read = parseRegistry(textOf('9007199254740993', '1'));
    expect(read.map(({ weight }) => weight)).toEqual([9007199254740993n, 1n]);
    expect(parseRegistry(formatRegistry(read))).toEqual(read);
  });

  it.each([
    [['0', '1'], 'registry entry 0: weight: expected a positive integer as a text of decimal digits, got "0"'],
    [[5, '1'], 'registry entry 0: weight: expected a positive integer'],
    [['1', undefined], 'entries[1].weight: expected a weight (because other entries have weights)'],
    [['9223372036854775807', '1'], 'expected a sum under 2^63'],
  ])('refuses %o', (weights, message) => expect(() => parseRegistry(textOf(...weights))).toThrow(message));
});
