import { canonicalHost, isHostFor, type ListedEntry } from '@tutti/certificates';
import {
  blsPublicKeyBytes,
  blsSignatureBytes,
  networkKeyBytes,
  type RegistryTransport,
  registryTransports,
} from '@tutti/core';
import { concat, readUint, writeUint } from '@tutti/core/input';
import { networkSignatureBytes } from '@tutti/transports';

const formatVersion = 2;
const registrationDomain = new TextEncoder().encode('tutti anonymous registration v2\0');
const networkKeyDomain = new TextEncoder().encode('tutti network key of a registration v1\0');

/**
 * Registration by a member (v1.03 section 5.3): an anonymous key and an address with their proofs, signed by some
 * member of a ring.
 */
export interface Registration {
  /** Number of the member's ring within the set-up. */
  readonly ring: number;
  /** Anonymous BLS key and its proof of possession, network key and its proof, and the address of both keys. */
  readonly entry: ListedEntry;
  /** Signature by the network key over {@link networkKeyPart}, 64 bytes. */
  readonly networkSignature: Uint8Array;
  /** Signature by a member of the ring over {@link signedPart}. */
  readonly ringSignature: Uint8Array;
  /** Signature by the anonymous key over `registrationStatement` of all preceding data, 96 bytes. */
  readonly seal: Uint8Array;
}

/** Reason why bytes do not encode a registration. */
export type RegistrationFault =
  | 'truncated'
  | 'trailing-bytes'
  | 'unknown-version'
  | 'ring-out-of-range'
  | 'unknown-transport'
  | 'bad-host'
  | 'bad-port';

type DecodedRegistration =
  | { readonly ok: true; readonly registration: Registration }
  | { readonly ok: false; readonly code: RegistrationFault };

// version 1 | ring 2 | publicKey 48 | proofOfPossession 96 | networkKey 32 | networkKeyProof 96 | transport 1 | port 2
// | host's length 1
const ringAt = 1;
const keyAt = 3;
const proofAt = keyAt + blsPublicKeyBytes;
const networkKeyAt = proofAt + blsSignatureBytes;
const networkProofAt = networkKeyAt + networkKeyBytes;
const transportAt = networkProofAt + blsSignatureBytes;
const portAt = transportAt + 1;
const hostBytesAt = portAt + 2;
const hostAt = hostBytesAt + 1;

/** Length of a registration without its host name and its ring signature, bytes. */
export const registrationOverheadBytes = hostAt + networkSignatureBytes + blsSignatureBytes;

/** Maximum length of a host name, counted in one-byte characters. */
export const maxHostBytes = 253;

/**
 * Encodes the content of a registration without the signatures that follow it. The host name is encoded in its
 * canonical form.
 */
export function encodeStatement(ring: number, { endpoint, transport, ...keys }: ListedEntry): Uint8Array {
  const host = new TextEncoder().encode(canonicalHost(endpoint.host));
  const bytes = new Uint8Array(hostAt + host.length);
  bytes[0] = formatVersion;
  writeUint(bytes, ringAt, keyAt, ring);
  bytes.set(keys.publicKey, keyAt);
  bytes.set(keys.proofOfPossession, proofAt);
  bytes.set(keys.networkKey, networkKeyAt);
  bytes.set(keys.networkKeyProof, networkProofAt);
  bytes[transportAt] = registryTransports.indexOf(transport);
  writeUint(bytes, portAt, hostBytesAt, endpoint.port);
  bytes[hostBytesAt] = host.length;
  bytes.set(host, hostAt);
  return bytes;
}

/**
 * Returns the bytes that the network key signs. Without the signature by the network key, a member could register
 * another member's network key.
 */
export const networkKeyPart = (statement: Uint8Array): Uint8Array => concat(networkKeyDomain, statement);

/** Returns the bytes that the ring signature covers. */
export const signedPart = (statement: Uint8Array, networkSignature: Uint8Array): Uint8Array =>
  concat(registrationDomain, statement, networkSignature);

export function encodeRegistration({ ring, entry, networkSignature, ringSignature, seal }: Registration): Uint8Array {
  return concat(encodeStatement(ring, entry), networkSignature, ringSignature, seal);
}

/**
 * Decodes an untrusted registration. Decoding checks only the form, and accepts exactly one encoding of each
 * registration; verification checks the signatures.
 *
 * @param ringSignatureBytes length of each ring's signatures, bytes.
 * @param transport transport of all members; a registration with another transport is refused.
 */
export function decodeRegistration(
  bytes: Uint8Array,
  ringSignatureBytes: readonly number[],
  transport: RegistryTransport,
): DecodedRegistration {
  const refused = (code: RegistrationFault): DecodedRegistration => ({ ok: false, code });
  if (bytes.length < hostAt) return refused('truncated');
  if (bytes[0] !== formatVersion) return refused('unknown-version');
  const ring = readUint(bytes, ringAt, keyAt);
  const signatureBytes = ringSignatureBytes[ring];
  if (signatureBytes === undefined) return refused('ring-out-of-range');
  if (registryTransports[bytes[transportAt]!] !== transport) return refused('unknown-transport');
  const port = readUint(bytes, portAt, hostBytesAt);
  if (port === 0) return refused('bad-port');
  const networkSignatureAt = hostAt + bytes[hostBytesAt]!;
  const signatureAt = networkSignatureAt + networkSignatureBytes;
  const sealAt = signatureAt + signatureBytes;
  if (bytes.length < sealAt + blsSignatureBytes) return refused('truncated');
  if (bytes.length > sealAt + blsSignatureBytes) return refused('trailing-bytes');
  const letters = bytes.subarray(hostAt, networkSignatureAt);
  const host = String.fromCharCode(...letters);
  const isHost = letters.length <= maxHostBytes && letters.every((letter) => letter < 0x80);
  if (!isHost || !isHostFor(transport, host) || canonicalHost(host) !== host) return refused('bad-host');
  return {
    ok: true,
    registration: {
      ring,
      entry: {
        publicKey: bytes.slice(keyAt, proofAt),
        proofOfPossession: bytes.slice(proofAt, networkKeyAt),
        networkKey: bytes.slice(networkKeyAt, networkProofAt),
        networkKeyProof: bytes.slice(networkProofAt, transportAt),
        transport,
        endpoint: { host, port },
      },
      networkSignature: bytes.slice(networkSignatureAt, signatureAt),
      ringSignature: bytes.slice(signatureAt, sealAt),
      seal: bytes.slice(sealAt),
    },
  };
}
