import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ListedRegistry } from '@tutti/certificates';
import { blsLengths, registryDigest } from '@tutti/core';
import { EnvironmentError, fromHex, isObject, parseJson as parse, toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import type { MultiSignature } from '../cluster/multiSignature.ts';
import { type Context, UsageError } from '../context.ts';
import { loadNamedRegistry, loadRegistry } from '../node/registryFile.ts';
import { readNamed, readWhole } from '../output/files.ts';

/** Flags that name the keys of a document. */
export interface ClaimSource {
  readonly registry?: string;
  readonly digest?: string;
  readonly publicKeys?: string;
}

/** Signatures of one round or slot. */
export interface RoundClaim {
  /**
   * The multi-signature of a round, or the multi-signatures of a block. Each signature uses some or all of the
   * document's keys.
   */
  readonly signatures: readonly MultiSignature[];
  /**
   * Number of distinct signers according to the document; undefined if the document does not state it, or states a weight
   * instead.
   */
  readonly stated?: unknown;
}

/**
 * Signatures of a document, with the keys of its signers. The document's own fields describe its last round or slot.
 */
export interface DocumentClaim extends RoundClaim {
  /** Rounds or slots before the last one. */
  readonly earlier?: readonly RoundClaim[];
  readonly publicKeys: readonly Uint8Array[];
  /** File that contains the keys. */
  readonly file: string;
  /** True if the members of the registry have weights. */
  readonly weighs?: boolean;
  /** Digest of the registry; undefined for a file of bare keys, which has no proofs of possession. */
  readonly digest: string | undefined;
  /** Source of trust in the keys: a flag, or only the document. */
  readonly chosenBy: 'registry' | 'digest' | 'public-keys' | 'document';
}

/**
 * Reads the message, the multi-signature and the signers of a document.
 *
 * @throws EnvironmentError if the document is unusable or uses a scheme other than BLS.
 */
export function readSigned(path: string): Omit<MultiSignature, 'publicKeys'> {
  return signedOf(path, readObject(path));
}

function signedOf(path: string, document: Record<string, unknown>): Omit<MultiSignature, 'publicKeys'> {
  const { scenario } = document as { scenario?: { scheme?: unknown } | null };
  if (typeof scenario?.scheme === 'string' && scenario.scheme !== 'bls')
    throw new EnvironmentError(
      'not-bls',
      `${path}: expected a multi-signature of BLS, got one of ${scenario.scheme}; this command supports only BLS`,
    );
  const { message, signature, bitset } = document;
  if (typeof message !== 'string') throw unusable(path, '"message", a string');
  const signatureBytes = ofEither(signature, 'signature');
  if (signatureBytes === undefined)
    throw unusable(path, `"signature", ${eitherLength('signature')} hexadecimal digits`);
  const bits = fromHex(bitset);
  if (bits === undefined) throw unusable(path, '"bitset", hexadecimal digits');
  return { message: new TextEncoder().encode(message), signature: signatureBytes, bits };
}

function readObject(path: string): Record<string, unknown> {
  const document = readJson(path);
  if (!isObject(document)) throw unusable(path, 'a JSON object');
  return document;
}

/**
 * Reads a document together with the keys of its signers.
 *
 * @throws UsageError for flags that do not fit the document; EnvironmentError for an unusable document, registry or key
 * file.
 */
export async function readClaim(path: string, options: ClaimSource, context: Context): Promise<DocumentClaim> {
  const document = readObject(path);
  if (isObject(document.scenario) && document.scenario.protocol === 'horn') return readSlots(path, document, options);
  const claim = await readKeys(path, document, options, context);
  // Documents state the total weight of the signers, which equals the number of signers if there are no weights.
  const isCount = claim.weighs !== true;
  const claimOf = (round: Record<string, unknown>): RoundClaim => ({
    signatures: [{ ...signedOf(path, round), publicKeys: claim.publicKeys }],
    stated: isCount ? round.signers : undefined,
  });
  return { ...claim, ...claimOf(document), earlier: earlierOf(path, document, 'rounds').map(claimOf) };
}

/**
 * Returns all rounds or slots of a document except the last.
 *
 * @throws EnvironmentError `not-a-result` if the document's own fields differ from those of the last round or slot.
 */
function earlierOf(
  path: string,
  document: Record<string, unknown>,
  list: 'rounds' | 'slots',
): readonly Record<string, unknown>[] {
  const all = document[list] ?? [];
  if (!Array.isArray(all) || !all.every(isObject)) throw unusable(path, `"${list}", a list of objects`);
  const last = all.at(-1) ?? document;
  for (const field of ['message', 'signature', 'bitset', 'block'])
    if (JSON.stringify(last[field]) !== JSON.stringify(document[field]))
      throw unusable(path, `the same "${field}" in the document and in the last entry of "${list}"`);
  return all.slice(0, -1);
}

/**
 * Reads the blocks of Horn slots from a document. The keys of these blocks belong to validators, which no registry of
 * nodes lists.
 *
 * @throws UsageError if a registry or its digest was given; EnvironmentError for an unusable document or key file.
 */
function readSlots(path: string, document: Record<string, unknown>, options: ClaimSource): DocumentClaim {
  if (options.registry !== undefined || options.digest !== undefined)
    throw new UsageError(
      "--registry, --digest: cannot be combined with a Horn slot, whose keys belong to validators, not to a registry's nodes; use --public-keys",
    );
  const { parameters } = document.scenario as { parameters?: unknown };
  const { committees } = isObject(parameters) ? parameters : {};
  const given = options.publicKeys;
  const keys = given === undefined ? namedKeys(path, document) : bareKeys(readJson(given), given);
  const last = blockOf(path, document, keys.publicKeys, committees);
  const ofGiven = new Map(keys.publicKeys.map((key) => [toHex(key), key]));
  const earlier = earlierOf(path, document, 'slots').map((slot) => {
    // Every slot has the same validators, but in a different order.
    const named = namedKeys(path, slot);
    const ordered = named.publicKeys.map((key) => ofGiven.get(toHex(key)));
    if (ordered.length !== ofGiven.size || ordered.includes(undefined))
      throw unusable(named.file, `the keys of ${keys.file} in the order of another slot`);
    return blockOf(path, slot, ordered as Uint8Array[], committees);
  });
  return { ...keys, ...last, earlier, chosenBy: given === undefined ? 'document' : 'public-keys' };
}

/** Reads the key file that a document names. */
function namedKeys(path: string, { publicKeys }: Record<string, unknown>): ReturnType<typeof bareKeys> {
  if (typeof publicKeys !== 'string') throw unusable(path, 'the path of a file as "publicKeys"');
  const named = locate(path, publicKeys);
  return bareKeys(parseJson(named, readNamed(named)), named);
}

function blockOf(
  path: string,
  { message, block, votes }: Record<string, unknown>,
  publicKeys: readonly Uint8Array[],
  committees: unknown,
): RoundClaim {
  if (typeof message !== 'string') throw unusable(path, '"message", a string');
  const collections = isObject(block) ? block.collections : undefined;
  if (!Array.isArray(collections) || collections.length === 0)
    throw unusable(path, 'a "block" with a list of "collections"');
  const size = publicKeys.length / Number(committees);
  if (typeof committees !== 'number' || committees < 1 || !Number.isSafeInteger(committees) || size % 1 !== 0)
    throw unusable(path, 'a "scenario.parameters.committees" that divides the number of public keys');
  const bytes = new TextEncoder().encode(message);
  const signatures = collections.map((collection: unknown): MultiSignature => {
    const { committee, first, bits, signature } = isObject(collection) ? collection : {};
    const [read, voters] = [fromHex(signature, blsLengths['min-pk'].signature), fromHex(bits)];
    const place = size * Number(committee);
    if (read === undefined || voters === undefined || !Number.isSafeInteger(committee))
      throw unusable(
        path,
        'a number as "committee" and hexadecimal digits as "bits" and "signature" in each collection',
      );
    if (place < 0 || place >= publicKeys.length)
      throw unusable(path, `a "committee" from 0 to ${committees - 1} in each collection`);
    if (first !== undefined && first !== place)
      throw unusable(path, `the index of the committee's first key as "first" in each collection`);
    return { message: bytes, bits: voters, signature: read, publicKeys: publicKeys.slice(place, place + size) };
  });
  const { inBlock, others } = isObject(votes) ? votes : {};
  return { signatures, stated: typeof inBlock === 'number' && typeof others === 'number' ? inBlock + others : inBlock };
}

async function readKeys(
  path: string,
  document: Record<string, unknown>,
  options: ClaimSource,
  context: Context,
): Promise<Omit<DocumentClaim, 'signatures'>> {
  const { registry, registryFile, publicKeys } = document;
  if (options.publicKeys !== undefined)
    return { ...bareKeys(readJson(options.publicKeys), options.publicKeys), chosenBy: 'public-keys' };
  if (options.registry !== undefined) {
    const named = await loadRegistry(options.registry, context);
    return { ...provenKeys(options.registry, named, [options.digest, registry]), chosenBy: 'registry' };
  }
  if (typeof registryFile === 'string') {
    const named = locate(path, registryFile);
    const members = await loadNamedRegistry(named, context);
    const chosenBy = options.digest === undefined ? 'document' : 'digest';
    return { ...provenKeys(named, members, [options.digest, registry]), chosenBy };
  }
  if (typeof publicKeys !== 'string')
    throw unusable(path, '"registryFile" or "publicKeys", the path of a file, or --registry');
  if (options.digest !== undefined) throw unusable(path, '"registryFile", the path of a file, or --registry');
  return { ...namedKeys(path, document), chosenBy: 'document' };
}

/**
 * Returns the keys of a valid registry whose digest equals each of the given digests.
 *
 * @param digests digests from the command line and from the document, hexadecimal; undefined for a digest that is not
 * given.
 * @throws EnvironmentError `wrong-registry-for-document`.
 */
function provenKeys(
  file: string,
  registry: ListedRegistry,
  digests: readonly unknown[],
): Pick<DocumentClaim, 'publicKeys' | 'file' | 'digest' | 'weighs'> {
  const found = toHex(registryDigest(nodeCrypto, registry));
  for (const digest of digests)
    if (digest !== undefined && digest !== found)
      throw new EnvironmentError(
        'wrong-registry-for-document',
        `${file}: expected the registry with digest ${String(digest).slice(0, 64)}, got ${found}`,
      );
  const weighs = registry.entries.some(({ weight = 1n }) => weight !== 1n);
  return { publicKeys: registry.entries.map(({ publicKey }) => publicKey), file, digest: found, weighs };
}

/**
 * Returns the path of a file that a document names relative to the document's own path. If no file exists at that path,
 * returns the path of a file with the same name in the document's folder, in case both were moved.
 */
function locate(path: string, named: string): string {
  const asNamed = resolve(dirname(path), named);
  return existsSync(asNamed) ? asNamed : resolve(dirname(path), basename(named));
}

/** Returns the bytes of a hexadecimal text with the length of either BLS variant; undefined for any other text. */
function ofEither(hex: unknown, what: 'publicKey' | 'signature'): Uint8Array | undefined {
  return fromHex(hex, blsLengths['min-pk'][what]) ?? fromHex(hex, blsLengths['min-sig'][what]);
}

/** Returns the number of hexadecimal digits of a public key or signature in each BLS variant, as text. */
function eitherLength(what: 'publicKey' | 'signature'): string {
  return `${2 * blsLengths['min-pk'][what]} (of min-sig ${2 * blsLengths['min-sig'][what]})`;
}

/** Reads a list of bare public keys. Error messages never quote the content of the file. */
function bareKeys(keys: unknown, file: string): Pick<DocumentClaim, 'publicKeys' | 'file' | 'digest'> {
  const expected = `an array of public keys, ${eitherLength('publicKey')} hexadecimal digits each`;
  if (!Array.isArray(keys) || keys.length === 0) throw unusable(file, expected);
  const publicKeys = keys.map((key) => {
    const bytes = ofEither(key, 'publicKey');
    if (bytes === undefined) throw unusable(file, expected);
    return bytes;
  });
  if (new Set(publicKeys.map(unsigned)).size < keys.length)
    throw unusable(file, 'distinct public keys, because the signer of a repeated or negated key would count twice');
  return { publicKeys, file, digest: undefined };
}

/** Bit of a compressed point's first byte that distinguishes the point from its negative. */
const signBit = 0x20;

/** Returns the hexadecimal digits of a key without its sign bit, which are the same for the key and its negative. */
function unsigned(key: Uint8Array): string {
  return toHex(Uint8Array.of(key[0]! & ~signBit, ...key.subarray(1)));
}

function unusable(path: string, expected: string): EnvironmentError {
  return new EnvironmentError(
    'not-a-result',
    `${path}: expected ${expected}; use a document from 'tutti cluster --out' or 'tutti node --out-folder'`,
  );
}

/**
 * Reads a JSON file that a flag or an argument names.
 *
 * @throws EnvironmentError `not-json`, and the errors of {@link readWhole}.
 */
function readJson(path: string): unknown {
  return parseJson(path, readWhole(path));
}

/**
 * Parses a JSON text.
 *
 * @throws EnvironmentError `not-json`.
 */
function parseJson(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new EnvironmentError('not-json', `${path}: expected JSON, got ${(cause as Error).message}`, { cause });
  }
}
