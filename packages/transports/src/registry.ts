import ipaddr from 'ipaddr.js';
import type { CryptoSuite } from './crypto/suite.ts';
import { fromHex, toHex } from './hex.ts';
import { identityStatement } from './identity.ts';
import { isWeakNetworkKey, NETWORK_KEY_BYTES } from './networkKey.ts';
import type { Endpoint } from './transport.ts';
import { WorldError } from './worldError.ts';

/** Of BLS12-381 with keys in G1, compressed, and signatures in G2, compressed. */
export const PUBLIC_KEY_BYTES = 48;
export const SIGNATURE_BYTES = 96;

const SCHEMA_VERSION = 1;
/** A million nodes: what the protocol is made for. */
const MAX_ENTRIES = 1 << 20;

/** One node: who signs, who speaks for it on the network, and where it listens. */
export interface RegistryEntry {
  /** BLS public key, 48 bytes, compressed G1. */
  readonly publicKey: Uint8Array;
  /** Proof that somebody holds its secret key, 96 bytes; without it a rogue key could cancel the others. */
  readonly proofOfPossession: Uint8Array;
  /** X25519 public key, 32 bytes. */
  readonly networkKey: Uint8Array;
  /** BLS signature of this entry's key over `identityStatement(publicKey, networkKey)`, 96 bytes. */
  readonly networkKeyProof: Uint8Array;
  readonly endpoint: Endpoint;
}

/** What a registry's signatures are checked with; any BLS implementation of this project is one. */
export interface RegistryVerifier {
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean;
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * Reads a registry from JSON:
 *
 *     { "version": 1,
 *       "entries": [ { "publicKey": "96 hex digits", "proofOfPossession": "192 hex digits",
 *                      "networkKey": "64 hex digits", "networkKeyProof": "192 hex digits",
 *                      "host": "IP address", "port": 1..65535 }, ... ] }
 *
 * Lengths, ranges and duplicates are checked here, signatures by {@link checkRegistry}. Unknown fields are ignored, so that
 * a later version may add some.
 *
 * @throws WorldError with a code that begins with `registry-`.
 */
export function parseRegistry(text: string): RegistryEntry[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new WorldError(
      'registry-not-json',
      `registry: expected JSON, got what does not parse; ${(cause as Error).message}`,
      { cause },
    );
  }
  if (!isRecord(document))
    throw new WorldError('registry-not-object', 'registry: expected an object with "version" and "entries"');
  if (document.version !== SCHEMA_VERSION)
    throw new WorldError(
      'registry-wrong-version',
      `registry: expected "version": ${SCHEMA_VERSION}, got ${show(document.version)}; make a new one with this version of tutti`,
    );
  const { entries } = document;
  if (!Array.isArray(entries) || entries.length < 1 || entries.length > MAX_ENTRIES)
    throw new WorldError(
      'registry-wrong-size',
      `registry: expected 1 to ${MAX_ENTRIES} "entries", got ${Array.isArray(entries) ? entries.length : show(entries)}`,
    );
  const parsed = entries.map(parseEntry);
  refuseDuplicates(parsed);
  return parsed;
}

export function formatRegistry(entries: readonly RegistryEntry[]): string {
  const document = {
    version: SCHEMA_VERSION,
    entries: entries.map((entry) => ({
      publicKey: toHex(entry.publicKey),
      proofOfPossession: toHex(entry.proofOfPossession),
      networkKey: toHex(entry.networkKey),
      networkKeyProof: toHex(entry.networkKeyProof),
      host: entry.endpoint.host,
      port: entry.endpoint.port,
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Checks an entry's signatures: that somebody holds the key, and that the network key is theirs; and that the network key
 * is one that a secret can be shared with.
 *
 * @throws WorldError `registry-bad-proof`, `registry-bad-network-proof` or `registry-weak-network-key`.
 */
export function checkEntry(crypto: CryptoSuite, entry: RegistryEntry, index: number, verifier: RegistryVerifier): void {
  const { publicKey, networkKey: peerKey } = entry;
  if (isWeakNetworkKey(crypto, peerKey))
    throw new WorldError(
      'registry-weak-network-key',
      `registry entry ${index}: networkKey is of low order; its owner must make a new one`,
    );
  if (!verifier.verifyPossession(publicKey, entry.proofOfPossession))
    throw new WorldError(
      'registry-bad-proof',
      `registry entry ${index}: proofOfPossession does not hold for publicKey ${toHex(publicKey)}; its owner must prove it again`,
    );
  if (!verifier.verify(publicKey, identityStatement(publicKey, peerKey), entry.networkKeyProof))
    throw new WorldError(
      'registry-bad-network-proof',
      `registry entry ${index}: networkKeyProof does not bind networkKey ${toHex(peerKey)} to the publicKey; its owner must sign it again`,
    );
}

/** Names a registry: SHA-256 over all of it but the addresses, which may change without making it another. 32 bytes. */
export function registryDigest(crypto: CryptoSuite, entries: readonly RegistryEntry[]): Uint8Array {
  const keys = entries.flatMap((entry) => [entry.publicKey, entry.networkKey]);
  return crypto.sha256([new TextEncoder().encode('tutti registry v1'), ...keys]);
}

function parseEntry(entry: unknown, index: number): RegistryEntry {
  if (!isRecord(entry))
    throw new WorldError('registry-bad-entry', `registry entry ${index}: expected an object, got ${show(entry)}`);
  return {
    publicKey: bytesOf(entry, 'publicKey', PUBLIC_KEY_BYTES, index),
    proofOfPossession: bytesOf(entry, 'proofOfPossession', SIGNATURE_BYTES, index),
    networkKey: bytesOf(entry, 'networkKey', NETWORK_KEY_BYTES, index),
    networkKeyProof: bytesOf(entry, 'networkKeyProof', SIGNATURE_BYTES, index),
    endpoint: endpointOf(entry, index),
  };
}

function bytesOf(entry: Record<string, unknown>, field: string, byteLength: number, index: number): Uint8Array {
  const bytes = fromHex(entry[field], byteLength);
  if (bytes === undefined)
    throw new WorldError(
      'registry-bad-field',
      `registry entry ${index}: ${field}: expected ${byteLength} bytes as ${2 * byteLength} hexadecimal digits, got ${show(entry[field])}`,
    );
  return bytes;
}

function endpointOf({ host, port }: Record<string, unknown>, index: number): Endpoint {
  if (typeof host !== 'string' || !isIpAddress(host))
    throw new WorldError(
      'registry-bad-field',
      `registry entry ${index}: host: expected an IP address, got ${show(host)}`,
    );
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65535)
    throw new WorldError(
      'registry-bad-field',
      `registry entry ${index}: port: expected an integer from 1 to 65535, got ${show(port)}`,
    );
  return { host, port };
}

function refuseDuplicates(entries: readonly RegistryEntry[]): void {
  const seen = new Map<string, number>();
  for (const [index, { publicKey, networkKey: peerKey, endpoint }] of entries.entries())
    for (const [what, value] of [
      ['publicKey', toHex(publicKey)],
      ['networkKey', toHex(peerKey)],
      ['host and port', `${endpoint.host} ${endpoint.port}`],
    ] as const) {
      const earlier = seen.get(`${what} ${value}`);
      if (earlier !== undefined)
        throw new WorldError(
          'registry-duplicate',
          `registry entry ${index}: ${what} is that of entry ${earlier} (${value}); each node needs its own, remove one`,
        );
      seen.set(`${what} ${value}`, index);
    }
}

function isIpAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value for an error message: short and on one line, whatever it is. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}... (${text.length} characters)` : text;
}
