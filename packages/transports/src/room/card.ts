import { shownValue } from '@tutti/core/errors';
import { fromHex, requireMethods, requireObject, toHex } from '@tutti/core/input';
import {
  blsPublicKeyBytes,
  blsSignatureBytes,
  identityStatement,
  networkKeyBytes,
  type RegistryEntry,
} from '@tutti/core/registry';
import { networkKey } from '../channel/networkKey.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/** What a member makes its identity with; any BLS implementation of this project is one. */
export interface IdentityKernel {
  keyGen(ikm: Uint8Array): Uint8Array;
  publicKey(secretKey: Uint8Array): Uint8Array;
  provePossession(secretKey: Uint8Array): Uint8Array;
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
}

/** Who a member of a room is, to itself. Made on joining, and forgotten on leaving. */
export interface MemberIdentity {
  /** The public network key, 64 hexadecimal digits. */
  readonly name: string;
  /** What the others are shown, see `decodeCard`. */
  readonly card: string;
  readonly entry: RegistryEntry;
  /** X25519, 32 bytes. */
  readonly networkSecret: Uint8Array;
  /** Signs with the BLS key: 96 bytes, compressed G2. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** What a member's card says. */
export interface Card {
  /** To be verified with `verifyEntry`; its endpoint is the member's name and port 0. */
  readonly entry: RegistryEntry;
  /** What the member calls itself, for people; it proves nothing. */
  readonly label: string;
  /** Whether somebody sits at it who can say when to start. */
  readonly mayLead: boolean;
}

/** The longest label, in UTF-16 code units. */
export const maxLabelCharacters = 24;

/**
 * Letters, digits and the signs of a name in any script, and single blanks between: nothing that draws anything else.
 */
const labelPattern = /^[\p{L}\p{N}\p{M}._'-]+( [\p{L}\p{N}\p{M}._'-]+)*$/u;

/**
 * Whether a text can be what a member calls itself: 1 to 24 letters, digits and signs of a name, single blanks between.
 */
export function isLabel(text: unknown): text is string {
  return typeof text === 'string' && text.length <= maxLabelCharacters && labelPattern.test(text);
}

/**
 * A fresh identity, and a card that tells it.
 *
 * @param shown what the card says beside the keys.
 * @throws RangeError for an invalid label; see {@link isLabel}.
 */
export function makeIdentity(crypto: CryptoSuite, kernel: IdentityKernel, shown: Omit<Card, 'entry'>): MemberIdentity {
  requireSuite(crypto);
  requireMethods('kernel', kernel, ['keyGen', 'publicKey', 'provePossession', 'sign']);
  requireObject('shown', shown);
  const { label, mayLead } = shown;
  if (!isLabel(label))
    throw new RangeError(`label: expected 1 to ${maxLabelCharacters} characters of a name, got ${shownValue(label)}`);
  const secretKey = kernel.keyGen(crypto.randomBytes(32));
  const network = networkKey(crypto);
  const publicKey = kernel.publicKey(secretKey);
  const name = toHex(network.publicKey);
  const entry: RegistryEntry = {
    publicKey,
    proofOfPossession: kernel.provePossession(secretKey),
    networkKey: network.publicKey,
    networkKeyProof: kernel.sign(secretKey, identityStatement(publicKey, network.publicKey)),
    endpoint: { host: name, port: 0 },
  };
  return {
    name,
    card: encodeCard({ entry, label, mayLead }),
    entry,
    networkSecret: network.secret,
    sign: (message) => kernel.sign(secretKey, message),
  };
}

export function encodeCard({ entry, label, mayLead }: Card): string {
  return JSON.stringify({
    publicKey: toHex(entry.publicKey),
    proofOfPossession: toHex(entry.proofOfPossession),
    networkKey: toHex(entry.networkKey),
    networkKeyProof: toHex(entry.networkKeyProof),
    label,
    // Its name since the first version, which members of other versions still read.
    mayHost: mayLead,
  });
}

/** Reads a card; undefined for anything else. Its signatures are not checked here. Never throws. */
export function decodeCard(text: string): Card | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const publicKey = fromHex(fields.publicKey, blsPublicKeyBytes);
  const proofOfPossession = fromHex(fields.proofOfPossession, blsSignatureBytes);
  const networkKey = fromHex(fields.networkKey, networkKeyBytes);
  const networkKeyProof = fromHex(fields.networkKeyProof, blsSignatureBytes);
  const { label, mayHost: mayLead } = fields;
  if (!publicKey || !proofOfPossession || !networkKey || !networkKeyProof) return undefined;
  if (!isLabel(label) || typeof mayLead !== 'boolean') return undefined;
  const endpoint = { host: toHex(networkKey), port: 0 };
  return { entry: { publicKey, proofOfPossession, networkKey, networkKeyProof, endpoint }, label, mayLead };
}
