import {
  type BlsVariant,
  blsLengths,
  blsVariantOf,
  networkKeyBytes,
  type RegistryEntry,
  type RegistryTerms,
  type RegistryTransport,
  type RegistryVerifier,
  registryTransports,
  type Share,
  weightsOf,
} from '@tutti/core';
import {
  EnvironmentError,
  fromHex,
  isObject,
  parseJson,
  requireArray,
  requireMethods,
  requireObject,
  requireText,
  shownValue,
  suggestion,
  toHex,
} from '@tutti/core/input';
import { canonicalHost, expectedHost, isHostFor, placeOf } from './registryAddress.ts';
import { duplicate, maxEntries, refuseDuplicates, verifyEntries } from './verifyRegistry.ts';

const schemaVersion = 2;

/** Signature schemes of a registry. */
export type RegistryScheme = 'bls' | 'pixel';

interface RegistryLengths {
  readonly publicKey: number;
  readonly proof: number;
  readonly signature: number;
}

/**
 * Lengths of Pixel's encoded keys, proofs and signatures, bytes. An encoding consists of the suite (1 byte) and the
 * points; a signature also contains the period.
 */
const pixelLengths: RegistryLengths = { publicKey: 49, proof: 97, signature: 149 };

/**
 * Returns the lengths of keys and signatures in a scheme's documents, bytes. @throws EnvironmentError
 * `registry-wrong-variant` for an unknown BLS variant; `registry-bad-field` for a variant with Pixel, which has none.
 */
function lengthsOf(scheme: RegistryScheme, variant: unknown): RegistryLengths {
  if (scheme === 'pixel') {
    if (variant !== undefined) throw badField('variant', 'none for the scheme pixel', variant);
    return pixelLengths;
  }
  const named = variant ?? 'min-pk';
  if (typeof named !== 'string' || !Object.hasOwn(blsLengths, named))
    throw new EnvironmentError(
      'registry-wrong-variant',
      `registry: expected "variant": "min-pk" or "min-sig", got ${shownValue(variant)}; make a new one with this version of tutti`,
    );
  const { publicKey, signature } = blsLengths[named as BlsVariant];
  return { publicKey, proof: signature, signature };
}

/** An entry of a registry file, with the transport for the entry's address. */
export interface ListedEntry extends RegistryEntry {
  readonly transport: RegistryTransport;
}

/** The content of a registry file. */
export interface ListedRegistry extends RegistryTerms {
  readonly scheme: RegistryScheme;
  readonly entries: readonly ListedEntry[];
}

/**
 * Reads a registry from JSON text:
 *
 * ```json
 * { "version": 2, "scheme": "bls", "variant": "min-pk", "epoch": "0", "threshold": "67/100", "margin": "3/100",
 *   "entries": [ { "publicKey": "96 hex digits", "proofOfPossession": "192 hex digits",
 *                  "networkKey": "64 hex digits", "networkKeyProof": "192 hex digits", "weight": "1",
 *                  "address": { "transport": "udp", "host": "192.0.2.1", "port": 9000 } }, ... ] }
 * ```
 *
 * `registry.schema.json` describes the same format. The function checks all fields except for the signatures, which
 * `verifyEntry` checks. An unknown field is rejected, because its value would be ignored. For example, a misspelt
 * `threshold` would leave the default in effect. Version 1, with "host" and "port" in the entry and UDP as the only
 * transport, is accepted too.
 *
 * @param scheme required signature scheme of the keys. A file without a scheme counts as BLS, and one without a variant
 * as min-pk. With min-sig, keys take 96 bytes; signatures and proofs take 48 bytes. With Pixel, keys take 49 bytes and
 * proofs of possession take 97 bytes. With Pixel, network keys are signed at period 1, in 149 bytes, and a variant is
 * rejected.
 * @throws EnvironmentError with a code that begins with `registry-`.
 */
export function readRegistry(text: string, scheme: RegistryScheme = 'bls'): ListedRegistry {
  requireText('text', text);
  const document = jsonOf(text);
  if (!isObject(document))
    throw new EnvironmentError('registry-not-object', 'registry: expected an object with "version" and "entries"');
  const { version, entries } = document;
  if (version !== 1 && version !== schemaVersion)
    throw new EnvironmentError(
      'registry-wrong-version',
      `registry: expected "version": ${schemaVersion} or 1, got ${shownValue(version)}; make a new one with this version of tutti`,
    );
  const named = document.scheme ?? 'bls';
  if (named !== scheme)
    throw new EnvironmentError(
      'registry-wrong-scheme',
      `registry: expected "scheme": ${JSON.stringify(scheme)}, got ${shownValue(named)}; give a registry of that scheme, or run what is made for this one`,
    );
  if (!Array.isArray(entries) || entries.length < 1 || entries.length > maxEntries)
    throw new EnvironmentError(
      'registry-wrong-size',
      `registry: expected 1 to ${maxEntries} "entries", got ${Array.isArray(entries) ? entries.length : shownValue(entries)}`,
    );
  refuseOtherFields('registry', document, documentFields);
  const lengths = lengthsOf(scheme, document.variant);
  const parsed = entries.map((entry: unknown, index) => parseEntry(entry, index, version, lengths));
  refuseDuplicates(parsed);
  refuseBadWeights(parsed);
  return { scheme, entries: parsed, ...termsOf(document) };
}

/**
 * Reads a registry from a file's text for a group or a verifier, and verifies that each entry's member holds the
 * entry's BLS key and owns its network key. A certificate by keys without such proofs proves nothing. Verifying an
 * entry costs about four pairings.
 *
 * @param text content of the file.
 * @param kernel kernel of the registry's variant, such as `await loadBls()` of `@tutti/wasm-bls`.
 * @throws EnvironmentError with a code that begins with `registry-`.
 */
export function verifiedRegistry(text: string, kernel: RegistryVerifier): ListedRegistry {
  requireMethods('kernel', kernel, ['verify', 'verifyPossession']);
  const registry = readRegistry(text);
  verifyEntries(registry.entries, kernel);
  return registry;
}

/**
 * Returns the entries of a registry in the format of {@link readRegistry}. @throws EnvironmentError under the same
 * conditions as that function.
 */
export function parseRegistry(text: string, scheme: RegistryScheme = 'bls'): ListedEntry[] {
  return [...readRegistry(text, scheme).entries];
}

const documentFields = ['version', 'scheme', 'variant', 'epoch', 'threshold', 'margin', 'entries'];
const keyFields = ['publicKey', 'proofOfPossession', 'networkKey', 'networkKeyProof', 'weight'];
const addressFields = ['transport', 'host', 'port'];
const entryFields = { 1: [...keyFields, 'host', 'port'], 2: [...keyFields, 'address'] } as const;

/**
 * Rejects unknown fields. @throws EnvironmentError `registry-unknown-field`, which suggests the known field that was
 * probably meant, if there is one.
 */
function refuseOtherFields(label: string, fields: Record<string, unknown>, known: readonly string[]): void {
  const other = Object.keys(fields).find((field) => !known.includes(field));
  if (other === undefined) return;
  const missing = known.filter((field) => !(field in fields));
  throw new EnvironmentError(
    'registry-unknown-field',
    `${label}: expected no fields but ${known.join(', ')}, got ${shownValue(other)}${suggestion(other, missing)}`,
  );
}

/** Reads `"epoch": "3"`, `"threshold": "67/100"` and `"margin": "3/100"`; each of these fields may be missing. */
function termsOf({ epoch, threshold, margin }: Record<string, unknown>): RegistryTerms {
  if (epoch !== undefined && !(typeof epoch === 'string' && /^(0|[1-9]\d{0,18})$/.test(epoch)))
    throw badField('epoch', 'an integer as a text of decimal digits', epoch);
  return {
    ...(epoch === undefined ? {} : { epoch: BigInt(epoch) }),
    ...(threshold === undefined ? {} : { threshold: shareOf('threshold', threshold) }),
    ...(margin === undefined ? {} : { margin: shareOf('margin', margin) }),
  };
}

function shareOf(field: string, value: unknown): Share {
  const [, top, bottom] = (typeof value === 'string' && /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(value)) || [];
  if (top === undefined || Number(top) > Number(bottom))
    throw badField(field, 'a share greater than 0 and at most 1, such as "67/100"', value);
  return { numerator: BigInt(top), denominator: BigInt(bottom!) };
}

/**
 * Writes a registry as the JSON text that {@link readRegistry} reads.
 *
 * @throws EnvironmentError `registry-bad-field` for terms that the function would not read.
 */
export function formatRegistry(
  entries: readonly ListedEntry[],
  scheme: RegistryScheme = 'bls',
  { epoch, threshold, margin }: RegistryTerms = {},
): string {
  requireArray('entries', entries);
  const terms = {
    ...(epoch === undefined ? {} : { epoch: String(epoch) }),
    ...(threshold === undefined ? {} : { threshold: shareText(threshold) }),
    ...(margin === undefined ? {} : { margin: shareText(margin) }),
  };
  // A group accepts larger integers than a file can contain.
  termsOf(terms);
  const document = {
    version: schemaVersion,
    scheme,
    ...(scheme === 'bls' && blsVariantOf(entries) === 'min-sig' ? { variant: 'min-sig' } : {}),
    ...terms,
    entries: entries.map(({ transport, endpoint: { host, port }, ...entry }) => ({
      publicKey: toHex(entry.publicKey),
      proofOfPossession: toHex(entry.proofOfPossession),
      networkKey: toHex(entry.networkKey),
      networkKeyProof: toHex(entry.networkKeyProof),
      ...(entry.weight === undefined ? {} : { weight: String(entry.weight) }),
      address: { transport, host, port },
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Returns a share in the notation of registries, such as `67/100`. */
export function shareText(share: Share): string {
  requireObject('share', share);
  return `${share.numerator}/${share.denominator}`;
}

/**
 * Rejects shared addresses in a manually assembled registry, where shared addresses are a mistake.
 *
 * @throws EnvironmentError `registry-duplicate` if two entries share an address, in any notation.
 */
export function refuseSharedAddresses(entries: readonly ListedEntry[]): void {
  requireArray('entries', entries);
  const first = new Map<string, number>();
  for (const [index, { transport, endpoint }] of entries.entries()) {
    const place = placeOf(transport, endpoint);
    const earlier = first.get(place);
    if (earlier !== undefined) throw duplicate(index, 'address', `${earlier}`, place);
    first.set(place, index);
  }
}

/**
 * Checks the weights of all entries. @throws EnvironmentError `registry-bad-weights` if only some entries have a
 * weight, or the sum is too large.
 */
function refuseBadWeights(entries: readonly ListedEntry[]): void {
  try {
    weightsOf(entries);
  } catch (cause) {
    throw new EnvironmentError('registry-bad-weights', `registry: ${(cause as Error).message}`, { cause });
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new EnvironmentError('registry-not-json', `registry: expected JSON, got ${(cause as Error).message}`, {
      cause,
    });
  }
}

function parseEntry(entry: unknown, index: number, version: 1 | 2, lengths: RegistryLengths): ListedEntry {
  if (!isObject(entry))
    throw new EnvironmentError(
      'registry-bad-entry',
      `registry entry ${index}: expected an object, got ${shownValue(entry)}`,
    );
  refuseOtherFields(`registry entry ${index}`, entry, entryFields[version]);
  return {
    publicKey: bytesOf(entry, 'publicKey', lengths.publicKey, index),
    proofOfPossession: bytesOf(entry, 'proofOfPossession', lengths.proof, index),
    networkKey: bytesOf(entry, 'networkKey', networkKeyBytes, index),
    networkKeyProof: bytesOf(entry, 'networkKeyProof', lengths.signature, index),
    ...weightOf(entry, index),
    ...(version === 1
      ? addressOf({ ...entry, transport: 'udp' }, index)
      : addressOf(addressField(entry, index), index)),
  };
}

/**
 * Reads the weight of an entry. The weight is a string of decimal digits, because a JSON number is exact only up to 53
 * bits.
 */
function weightOf({ weight }: Record<string, unknown>, index: number): Pick<RegistryEntry, 'weight'> {
  if (weight === undefined) return {};
  if (typeof weight === 'string' && /^[1-9]\d{0,18}$/.test(weight)) return { weight: BigInt(weight) };
  throw badField('weight', 'a positive integer as a text of decimal digits', weight, index);
}

function bytesOf(entry: Record<string, unknown>, field: string, byteLength: number, index: number): Uint8Array {
  const bytes = fromHex(entry[field], byteLength);
  if (bytes === undefined)
    throw badField(field, `${byteLength} bytes as ${2 * byteLength} hexadecimal digits`, entry[field], index);
  return bytes;
}

function addressField({ address }: Record<string, unknown>, index: number): Record<string, unknown> {
  if (isObject(address)) {
    refuseOtherFields(`registry entry ${index}: address`, address, addressFields);
    return address;
  }
  throw badField('address', 'an object with "transport", "host" and "port"', address, index);
}

function addressOf(address: Record<string, unknown>, index: number): Pick<ListedEntry, 'transport' | 'endpoint'> {
  const { host, port } = address;
  const transport = registryTransports.find((one) => one === address.transport);
  if (transport === undefined) throw badField('transport', registryTransports.join(' or '), address.transport, index);
  if (typeof host !== 'string' || !isHostFor(transport, host))
    throw badField('host', `${expectedHost(transport)} for ${transport}`, host, index);
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535)
    throw badField('port', 'an integer from 1 to 65535', port, index);
  return { transport, endpoint: { host: canonicalHost(host), port } };
}

/** Returns the error for a field of the registry, or for a field of one entry if an index is given. */
function badField(field: string, expected: string, got: unknown, index?: number): EnvironmentError {
  const where = index === undefined ? 'registry' : `registry entry ${index}`;
  return new EnvironmentError('registry-bad-field', `${where}: ${field}: expected ${expected}, got ${shownValue(got)}`);
}
