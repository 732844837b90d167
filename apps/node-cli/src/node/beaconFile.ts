import type { ListedRegistry, MemberKey } from '@tutti/certificates';
import { blsLengths, blsVariantOf, registryBeaconStatement, registryDigest } from '@tutti/core';
import { EnvironmentError, fromHex, isObject, parseJson, toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';

/** Contribution of one member to the beacon of its registry: the member's signature over `registryBeaconStatement`. */
interface BeaconPart {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

/** Returns the path of a registry's beacon, which is in the folder of the registry. */
export function beaconPathOf(registryPath: string): string {
  return `${registryPath.replace(/\.json$/, '')}.beacon.json`;
}

/** Returns, as JSON, the beacon parts of the members with the given secrets. */
export function formatParts(bls: Bls, registry: ListedRegistry, secrets: readonly MemberKey[]): string {
  const digest = registryDigest(nodeCrypto, registry);
  const parts = secrets.map(({ publicKey, secretKey }) => ({
    publicKey: toHex(publicKey),
    signature: toHex(bls.sign(secretKey, registryBeaconStatement(digest))),
  }));
  return `${JSON.stringify({ version: 1, registry: toHex(digest), parts }, undefined, 2)}\n`;
}

/**
 * Reads the output of {@link formatParts} without checking the signatures.
 *
 * @param path name of the file, for errors.
 * @throws EnvironmentError `not-a-beacon-part` or `wrong-registry-for-beacon`.
 */
export function parseParts(text: string, registry: ListedRegistry, path: string): BeaconPart[] {
  const refuse = (what: string) =>
    new EnvironmentError('not-a-beacon-part', `${path}: expected ${what}; make it with 'tutti registry sign'`);
  const { parts } = documentOf(text, registry, path, refuse, 'parts of the beacon');
  if (!Array.isArray(parts) || parts.length === 0) throw refuse('a list of "parts"');
  const lengths = blsLengths[blsVariantOf(registry.entries)];
  const members = new Set(registry.entries.map(({ publicKey }) => toHex(publicKey)));
  return parts.map((part: Record<string, unknown> | null, index) => {
    const publicKey = fromHex(part?.publicKey, lengths.publicKey);
    const signature = fromHex(part?.signature, lengths.signature);
    if (publicKey === undefined || signature === undefined)
      throw refuse(`"publicKey" and "signature" of part ${index} in hexadecimal digits`);
    if (!members.has(toHex(publicKey))) throw refuse(`a member's public key as "publicKey" of part ${index}`);
    return { publicKey, signature };
  });
}

/**
 * Combines one part per member into the beacon of a registry.
 *
 * @returns the compressed multi-signature of all members.
 * @throws EnvironmentError `beacon-incomplete` for the first member without a part; `beacon-bad-part` for an invalid
 * part.
 */
export function beaconOfParts(bls: Bls, registry: ListedRegistry, parts: readonly BeaconPart[]): Uint8Array {
  const statement = registryBeaconStatement(registryDigest(nodeCrypto, registry));
  const given = new Map(parts.map(({ publicKey, signature }) => [toHex(publicKey), signature]));
  const signatures = registry.entries.map(({ publicKey }, index) => {
    const signature = given.get(toHex(publicKey));
    if (signature === undefined)
      throw new EnvironmentError(
        'beacon-incomplete',
        `entry ${index}: expected its part of the beacon, got none; all members must sign`,
      );
    if (!bls.verify(publicKey, statement, signature))
      throw new EnvironmentError(
        'beacon-bad-part',
        `entry ${index}: its part of the beacon is invalid; its member must sign again`,
      );
    return signature;
  });
  return bls.aggregateSignatures(signatures);
}

/** Returns the beacon of a registry as JSON. */
export function formatBeacon(registry: ListedRegistry, signature: Uint8Array): string {
  const digest = toHex(registryDigest(nodeCrypto, registry));
  return `${JSON.stringify({ version: 1, registry: digest, signature: toHex(signature) }, undefined, 2)}\n`;
}

/**
 * Reads the output of {@link formatBeacon}, and checks that all members have signed the beacon.
 *
 * @param path name of the file, for errors.
 * @throws EnvironmentError `not-a-beacon`, `wrong-registry-for-beacon` or `beacon-does-not-hold`.
 */
export function parseBeacon(bls: Bls, text: string, registry: ListedRegistry, path: string): Uint8Array {
  const refuse = (what: string) =>
    new EnvironmentError('not-a-beacon', `${path}: expected ${what}; make it with 'tutti registry beacon'`);
  const bytes = blsLengths[blsVariantOf(registry.entries)].signature;
  const signature = fromHex(documentOf(text, registry, path, refuse, 'the beacon').signature, bytes);
  if (signature === undefined) throw refuse(`"signature" in ${2 * bytes} hexadecimal digits`);
  const keys = registry.entries.map(({ publicKey }) => publicKey);
  if (!bls.fastAggregateVerify(keys, registryBeaconStatement(registryDigest(nodeCrypto, registry)), signature))
    throw new EnvironmentError(
      'beacon-does-not-hold',
      `${path}: expected the signature of all members, got another signature; make the beacon again`,
    );
  return signature;
}

function documentOf(
  text: string,
  registry: ListedRegistry,
  path: string,
  refuse: (what: string) => EnvironmentError,
  content: string,
): Readonly<Record<string, unknown>> {
  let document: unknown;
  try {
    document = parseJson(text);
  } catch {}
  if (!isObject(document) || document.version !== 1) throw refuse('a JSON object with "version": 1');
  const digest = toHex(registryDigest(nodeCrypto, registry));
  if (document.registry !== digest)
    throw new EnvironmentError(
      'wrong-registry-for-beacon',
      `${path}: expected ${content} of the registry with digest ${digest}, got ${content} of another registry`,
    );
  return document;
}
