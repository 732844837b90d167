import {
  blsPublicKeyBytes,
  blsSignatureBytes,
  identityStatement,
  networkKeyBytes,
  type RegistryEntry,
} from '@tutti/core';
import {
  concat,
  fromHex,
  requireMethods,
  requireObject,
  requireText,
  shownValue,
  toHex,
  wrongType,
} from '@tutti/core/input';
import { networkKey } from '../channel/networkKey.ts';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';
import { parseObject } from '../signalling/messages.ts';

/**
 * Functions of a BLS library that are needed for a member's identity. Any BLS implementation of this project provides
 * them.
 */
export interface IdentityKernel {
  keyGen(ikm: Uint8Array): Uint8Array;
  publicKey(secretKey: Uint8Array): Uint8Array;
  provePossession(secretKey: Uint8Array): Uint8Array;
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
}

/** A member's own identity in a room. The identity is created on joining and deleted on leaving. */
export interface MemberIdentity {
  /** Public network key as 64 hexadecimal digits. */
  readonly name: string;
  /** Card to be sent to the other members; see `decodeCard`. */
  readonly card: string;
  readonly entry: RegistryEntry;
  /** X25519 secret key, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /** Signs with the BLS key of the member. Returns 96 bytes, compressed G2. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** Signs with the key of a validator, given by its index on the card. Returns 96 bytes, compressed G2. */
  readonly signAs: (validator: number, message: Uint8Array) => Uint8Array;
}

/** Content of a member's card. */
export interface Card {
  /**
   * Registry entry of the member, to be verified with `verifyEntry`. The endpoint of the entry consists of the member's
   * name and port 0.
   */
  readonly entry: RegistryEntry;
  /** Registry entries of the member's {@link validatorsPerMember} validators, which vote in slots of Horn. */
  readonly validators: readonly RegistryEntry[];
  /** Display name that the member chose. A display name proves nothing about the member's identity. */
  readonly label: string;
  /** Whether a person at this member may start rounds. */
  readonly mayLead: boolean;
}

/** Number of validators of a member, each with its own key. A slot uses some or all of a member's validators. */
export const validatorsPerMember = 8;

/** Maximum length of a label, UTF-16 code units. */
export const maxLabelCharacters = 24;

/** Pattern of a label: letters, digits and punctuation of names in any script, separated by single blanks. */
const labelPattern = /^[\p{L}\p{N}\p{M}._'-]+( [\p{L}\p{N}\p{M}._'-]+)*$/u;

/**
 * Returns whether a text is a valid label: at most 24 UTF-16 code units, consisting of letters, digits and the
 * punctuation of names, with single blanks between them.
 */
export function isLabel(text: unknown): text is string {
  return typeof text === 'string' && text.length <= maxLabelCharacters && labelPattern.test(text);
}

/**
 * Creates a new identity with its card.
 *
 * @param shown content of the card in addition to the keys.
 * @throws RangeError for an invalid label, see {@link isLabel}; TypeError for an argument of the wrong type.
 */
export function makeIdentity(
  crypto: CryptoSuite,
  kernel: IdentityKernel,
  shown: Pick<Card, 'label' | 'mayLead'>,
): MemberIdentity {
  requireSuite(crypto);
  requireMethods('kernel', kernel, ['keyGen', 'publicKey', 'provePossession', 'sign']);
  requireObject('shown', shown);
  const { label, mayLead } = shown;
  if (!isLabel(label))
    throw new RangeError(`label: expected 1 to ${maxLabelCharacters} characters of a name, got ${shownValue(label)}`);
  if (typeof mayLead !== 'boolean') throw wrongType('mayLead', 'true or false', mayLead);
  const network = networkKey(crypto);
  const name = toHex(network.publicKey);
  const keyPair = (): { readonly secretKey: Uint8Array; readonly entry: RegistryEntry } => {
    const secretKey = kernel.keyGen(crypto.randomBytes(32));
    const publicKey = kernel.publicKey(secretKey);
    const proofOfPossession = kernel.provePossession(secretKey);
    const networkKeyProof = kernel.sign(secretKey, identityStatement(publicKey, network.publicKey));
    const endpoint = { host: name, port: 0 };
    return {
      secretKey,
      entry: { publicKey, proofOfPossession, networkKey: network.publicKey, networkKeyProof, endpoint },
    };
  };
  const { secretKey, entry } = keyPair();
  const keys = Array.from({ length: validatorsPerMember }, keyPair);
  return {
    name,
    card: encodeCard({ entry, validators: keys.map((one) => one.entry), label, mayLead }),
    entry,
    networkSecret: network.secret,
    sign: (message) => kernel.sign(secretKey, message),
    signAs: (validator, message) => kernel.sign(keys[validator]!.secretKey, message),
  };
}

export function encodeCard({ entry, validators, label, mayLead }: Card): string {
  return JSON.stringify({
    publicKey: toHex(entry.publicKey),
    proofOfPossession: toHex(entry.proofOfPossession),
    networkKey: toHex(entry.networkKey),
    networkKeyProof: toHex(entry.networkKeyProof),
    validators: validators.map(({ publicKey, proofOfPossession, networkKeyProof }) =>
      toHex(concat(publicKey, proofOfPossession, networkKeyProof)),
    ),
    label,
    // The field keeps its name from the first version, because members with other versions still read it.
    mayHost: mayLead,
  });
}

/** Decodes a card, or returns undefined for any other text. Signatures are not checked here. Never throws. */
export function decodeCard(text: string): Card | undefined {
  const fields = parseObject(text);
  if (fields === undefined) return undefined;
  const publicKey = fromHex(fields.publicKey, blsPublicKeyBytes);
  const proofOfPossession = fromHex(fields.proofOfPossession, blsSignatureBytes);
  const peerKey = fromHex(fields.networkKey, networkKeyBytes);
  const networkKeyProof = fromHex(fields.networkKeyProof, blsSignatureBytes);
  const { label, mayHost: mayLead } = fields;
  if (!publicKey || !proofOfPossession || !peerKey || !networkKeyProof) return undefined;
  if (!isLabel(label) || typeof mayLead !== 'boolean') return undefined;
  const endpoint = { host: toHex(peerKey), port: 0 };
  const entry = { publicKey, proofOfPossession, networkKey: peerKey, networkKeyProof, endpoint };
  const validators = decodeValidators(fields.validators, entry);
  return validators && { entry, validators, label, mayLead };
}

/**
 * Decodes the validators of a card. The validators share the network key and the endpoint of the card's registry entry.
 */
function decodeValidators(value: unknown, entry: RegistryEntry): RegistryEntry[] | undefined {
  if (!Array.isArray(value) || value.length !== validatorsPerMember) return undefined;
  const validators: RegistryEntry[] = [];
  for (const text of value) {
    const bytes = fromHex(text, blsPublicKeyBytes + 2 * blsSignatureBytes);
    if (bytes === undefined) return undefined;
    const possessionEnd = blsPublicKeyBytes + blsSignatureBytes;
    validators.push({
      ...entry,
      publicKey: bytes.subarray(0, blsPublicKeyBytes),
      proofOfPossession: bytes.subarray(blsPublicKeyBytes, possessionEnd),
      networkKeyProof: bytes.subarray(possessionEnd),
    });
  }
  return validators;
}

/**
 * Pattern of characters that are invisible or change how other characters are displayed: controls, format characters
 * (bidirectional ones, zero-width spaces and joiners, tags), characters that a font may leave out, blanks other than a
 * space, line separators, fillers, and private and missing characters.
 */
const unseenCharacters = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu;

/** Parts of an emoji: the selector of its coloured form, and the joiner of two emoji. */
const inEmoji =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?)\ufe0f|(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;

/**
 * Returns the text of another party in a form that is safe to display. Each character that is invisible, or changes how
 * others are displayed, is replaced with its code point in angle brackets. Programs use the original text.
 */
export function shownText(text: string): string {
  requireText('text', text);
  const kept = new Set([...text.matchAll(inEmoji)].map(({ index }) => index));
  return text.replace(unseenCharacters, (character, at: number) => {
    if (kept.has(at)) return character;
    return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
