import { EnvironmentError, isObject, parseJson, shownValue, toHex } from '@tutti/core/input';
import { isHeight, SignedHeights } from './signedLog.ts';

/** Result of the import of an interchange file. */
export interface InterchangeReport {
  /**
   * Number of `signed_blocks` entries of the key. At or below the highest of these slots, the key then signs only
   * messages that the log stores: those that it recorded before, and those of the entries without a conflict.
   */
  readonly taken: number;
  /**
   * Number of heights with two different messages, or with a message and an entry without one, within the file or
   * between file and log. None of these messages is signed again.
   */
  readonly conflicts: number;
  /**
   * Number of `signed_attestations` entries of the key. The format of these entries is checked, but the entries are not
   * used.
   */
  readonly attestations: number;
  /** Height at or below which nothing new is signed after the import; undefined if there is none. */
  readonly watermark: bigint | undefined;
}

/** One entry of `signed_blocks`. */
interface SignedBlock {
  readonly slot: bigint;
  /** Signing root, 64 lower-case hexadecimal digits; undefined if it is missing. */
  readonly root: string | undefined;
}

/** Entries of one key in an interchange file. */
export interface Interchange {
  readonly blocks: readonly SignedBlock[];
  readonly attestations: number;
}

type Fields = Readonly<Record<string, unknown>>;

const rootDigits = 64;

/**
 * Reads an EIP-3076 file, version 5, and checks all entries, including those of other keys. Keys and roots may have
 * upper-case digits and may omit `0x`.
 *
 * @param publicKey hexadecimal public key, lower case; only this key's entries are returned.
 * @param registry hexadecimal digest of the registry, lower case.
 * @throws EnvironmentError `interchange-malformed`; `interchange-of-another` for a file of another registry or without
 * the key.
 */
export function parseInterchange(text: string, publicKey: string, registry: string): Interchange {
  const { metadata, data } = jsonObject(text);
  const { interchange_format_version: version, genesis_validators_root } = isObject(metadata) ? metadata : {};
  if (version !== '5') throw malformed('metadata.interchange_format_version', '"5"', version);
  const root = hexOf(genesis_validators_root, 'metadata.genesis_validators_root');
  if (root !== registry)
    throw new EnvironmentError(
      'interchange-of-another',
      `interchange: expected what was signed for registry 0x${registry}, got that for 0x${root.slice(0, rootDigits)}`,
    );
  const keys = listOf(data, 'data').map((one, index) => keyEntry(one, `data[${index}]`));
  const own = keys.filter(({ key }) => key === publicKey);
  if (own.length === 0)
    throw new EnvironmentError(
      'interchange-of-another',
      `interchange: expected entries of the key 0x${publicKey}, got ${keys.length} of other keys; use the file from this key's signer`,
    );
  return {
    blocks: own.flatMap(({ blocks }) => blocks),
    attestations: own.reduce((sum, { attestations }) => sum + attestations, 0),
  };
}

/**
 * Adds the messages that another signer with the same key has signed. The watermark rises to the highest slot, as
 * EIP-3076 recommends, because the file does not state what was signed between the listed slots.
 *
 * @returns the new heights; the heights in the argument are not changed.
 */
export function withImported(
  former: SignedHeights,
  { blocks, attestations }: Interchange,
): { readonly heights: SignedHeights; readonly report: InterchangeReport } {
  const heights = new SignedHeights(former);
  const conflicting = new Set<bigint>();
  const imported = new Map<bigint, string | undefined>();
  for (const { slot, root } of blocks) {
    const known = imported.has(slot) ? imported.get(slot) : former.hashAt(slot);
    if ((imported.has(slot) || known !== undefined) && known !== root) conflicting.add(slot);
    imported.set(slot, root);
  }
  for (const [slot, root] of imported) {
    // A slot without a root counts as signed for an unknown message. The same applies to a slot below the heights that
    // this log has forgotten.
    if (conflicting.has(slot) || root === undefined) heights.forget(slot);
    else if (!former.isClosed(slot)) heights.add(slot, root);
  }
  for (const slot of imported.keys()) heights.raise(slot);
  const { watermark } = heights;
  return { heights, report: { taken: blocks.length, conflicts: conflicting.size, attestations, watermark } };
}

/**
 * Returns the signed messages in the format of EIP-3076, with heights as slots and message hashes as signing roots.
 * Readers reject everything at or below the smallest slot, so the watermark, if there is one, is exported as the
 * smallest slot. Heights below the watermark are left out.
 */
export function formatInterchange(heights: SignedHeights, publicKey: Uint8Array, registry: Uint8Array): string {
  const { watermark } = heights;
  const blocks = [...heights.entries]
    .filter(([slot]) => !heights.isClosed(slot))
    .map(([slot, hash]): SignedBlock => ({ slot, root: hash }));
  if (watermark !== undefined) blocks.push({ slot: watermark, root: heights.hashAt(watermark) });
  blocks.sort((a, b) => (a.slot < b.slot ? -1 : 1));
  const signedBlocks = blocks.map(({ slot, root }) => ({
    slot: String(slot),
    ...(root !== undefined && { signing_root: `0x${root}` }),
  }));
  const data = [{ pubkey: `0x${toHex(publicKey)}`, signed_blocks: signedBlocks, signed_attestations: [] }];
  const metadata = { interchange_format_version: '5', genesis_validators_root: `0x${toHex(registry)}` };
  return `${JSON.stringify({ metadata, data }, undefined, 2)}\n`;
}

function malformed(where: string, expected: string, got: unknown): EnvironmentError {
  return new EnvironmentError(
    'interchange-malformed',
    `interchange: ${where}: expected ${expected}, got ${shownValue(got)}`,
  );
}

function jsonObject(text: string): Fields {
  let document: unknown;
  try {
    document = parseJson(text);
  } catch {
    throw new EnvironmentError(
      'interchange-malformed',
      'interchange: expected JSON as in EIP-3076 with unique names, got a different text',
    );
  }
  return objectOf(document, 'the document');
}

function objectOf(value: unknown, where: string): Fields {
  if (isObject(value)) return value;
  throw malformed(where, 'an object', value);
}

function listOf(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw malformed(where, 'an array', value);
}

function hexOf(value: unknown, where: string): string {
  if (typeof value === 'string' && /^(0x)?([0-9a-f]{2})+$/i.test(value)) return value.replace(/^0x/i, '').toLowerCase();
  throw malformed(where, 'hexadecimal digits', value);
}

function keyEntry(value: unknown, where: string) {
  const entry = objectOf(value, where);
  const attestations = listOf(entry.signed_attestations ?? [], `${where}.signed_attestations`);
  for (const [index, one] of attestations.entries()) requireAttestation(one, `${where}.signed_attestations[${index}]`);
  return {
    key: hexOf(entry.pubkey, `${where}.pubkey`),
    blocks: listOf(entry.signed_blocks, `${where}.signed_blocks`).map((one, index) =>
      blockOf(one, `${where}.signed_blocks[${index}]`),
    ),
    attestations: attestations.length,
  };
}

function blockOf(value: unknown, where: string): SignedBlock {
  const { slot, signing_root: root } = objectOf(value, where);
  return { slot: numberOf(slot, `${where}.slot`), root: rootOf(root, `${where}.signing_root`) };
}

function requireAttestation(value: unknown, where: string): void {
  const { source_epoch, target_epoch, signing_root } = objectOf(value, where);
  numberOf(source_epoch, `${where}.source_epoch`);
  numberOf(target_epoch, `${where}.target_epoch`);
  rootOf(signing_root, `${where}.signing_root`);
}

function numberOf(value: unknown, where: string): bigint {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value) && isHeight(BigInt(value))) return BigInt(value);
  throw malformed(where, 'a decimal text from 0 to 2^64 - 1', value);
}

function rootOf(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const root = hexOf(value, where);
  if (root.length === rootDigits) return root;
  throw malformed(where, '32 bytes', value);
}
