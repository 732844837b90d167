import { concat, readUint, writeUint } from '../bytes.ts';
import { NETWORK_KEY_BYTES } from '../channel/networkKey.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../registry/registry.ts';
import { canonicalHost, isHostFor, registryTransports } from '../registry/registryAddress.ts';
import type { ListedEntry } from '../registry/registryFile.ts';

const VERSION = 1;
const LABEL = new TextEncoder().encode('tutti anonymous registration v1\0');

/** What a member registers (v1.03 section 5.3): an anonymous key and an address with their proofs, signed by somebody of a ring. */
export interface Registration {
  /** The number of the ring. */
  readonly ring: number;
  /** Anonymous BLS key, its proof of possession, a network key and its proof, and where they are reached. */
  readonly entry: ListedEntry;
  /** By a member of the ring, over {@link signedPart}. */
  readonly ringSignature: Uint8Array;
  /** By the anonymous key, over `registrationStatement` of all before it, 96 bytes. */
  readonly seal: Uint8Array;
}

export type RegistrationFault =
  | 'truncated'
  | 'trailing-bytes'
  | 'unknown-version'
  | 'ring-out-of-range'
  | 'unknown-transport'
  | 'bad-host'
  | 'bad-port';

export type DecodedRegistration =
  | { readonly ok: true; readonly registration: Registration }
  | { readonly ok: false; readonly code: RegistrationFault };

// version 1 | ring 2 | publicKey 48 | proofOfPossession 96 | networkKey 32 | networkKeyProof 96 | transport 1 | port 2 | host's length 1
const RING_AT = 1;
const KEY_AT = 3;
const PROOF_AT = KEY_AT + PUBLIC_KEY_BYTES;
const NETWORK_KEY_AT = PROOF_AT + SIGNATURE_BYTES;
const NETWORK_PROOF_AT = NETWORK_KEY_AT + NETWORK_KEY_BYTES;
const TRANSPORT_AT = NETWORK_PROOF_AT + SIGNATURE_BYTES;
const PORT_AT = TRANSPORT_AT + 1;
const HOST_BYTES_AT = PORT_AT + 2;
const HOST_AT = HOST_BYTES_AT + 1;

/** Bytes of a registration beside its host and its ring signature. */
export const REGISTRATION_OVERHEAD_BYTES = HOST_AT + SIGNATURE_BYTES;

/** The longest host name, in letters of one byte each. */
export const MOST_HOST_BYTES = 253;

/** A registration without its signatures: what is registered. The host is written as all write it. */
export function encodeStatement(ring: number, { endpoint, transport, ...keys }: ListedEntry): Uint8Array {
  const host = new TextEncoder().encode(canonicalHost(endpoint.host));
  const bytes = new Uint8Array(HOST_AT + host.length);
  bytes[0] = VERSION;
  writeUint(bytes, RING_AT, KEY_AT, ring);
  bytes.set(keys.publicKey, KEY_AT);
  bytes.set(keys.proofOfPossession, PROOF_AT);
  bytes.set(keys.networkKey, NETWORK_KEY_AT);
  bytes.set(keys.networkKeyProof, NETWORK_PROOF_AT);
  bytes[TRANSPORT_AT] = registryTransports.indexOf(transport);
  writeUint(bytes, PORT_AT, HOST_BYTES_AT, endpoint.port);
  bytes[HOST_BYTES_AT] = host.length;
  bytes.set(host, HOST_AT);
  return bytes;
}

/** What the ring signature is over. */
export const signedPart = (statement: Uint8Array): Uint8Array => concat(LABEL, statement);

export function encodeRegistration({ ring, entry, ringSignature, seal }: Registration): Uint8Array {
  return concat(encodeStatement(ring, entry), ringSignature, seal);
}

/**
 * Reads what anybody may have sent. Its form alone is checked, and only the one form of each registration is read; its signatures are
 * for verification.
 *
 * @param ringSignatureBytes by ring: how long its signatures are.
 */
export function decodeRegistration(bytes: Uint8Array, ringSignatureBytes: readonly number[]): DecodedRegistration {
  const refused = (code: RegistrationFault): DecodedRegistration => ({ ok: false, code });
  if (bytes.length < HOST_AT) return refused('truncated');
  if (bytes[0] !== VERSION) return refused('unknown-version');
  const ring = readUint(bytes, RING_AT, KEY_AT);
  const signatureBytes = ringSignatureBytes[ring];
  if (signatureBytes === undefined) return refused('ring-out-of-range');
  const transport = registryTransports[bytes[TRANSPORT_AT]!];
  if (transport === undefined) return refused('unknown-transport');
  const port = readUint(bytes, PORT_AT, HOST_BYTES_AT);
  if (port === 0) return refused('bad-port');
  const signatureAt = HOST_AT + bytes[HOST_BYTES_AT]!;
  const sealAt = signatureAt + signatureBytes;
  if (bytes.length < sealAt + SIGNATURE_BYTES) return refused('truncated');
  if (bytes.length > sealAt + SIGNATURE_BYTES) return refused('trailing-bytes');
  const letters = bytes.subarray(HOST_AT, signatureAt);
  const host = String.fromCharCode(...letters);
  const isHost = letters.length <= MOST_HOST_BYTES && letters.every((letter) => letter < 0x80);
  if (!isHost || !isHostFor(transport, host) || canonicalHost(host) !== host) return refused('bad-host');
  return {
    ok: true,
    registration: {
      ring,
      entry: {
        publicKey: bytes.slice(KEY_AT, PROOF_AT),
        proofOfPossession: bytes.slice(PROOF_AT, NETWORK_KEY_AT),
        networkKey: bytes.slice(NETWORK_KEY_AT, NETWORK_PROOF_AT),
        networkKeyProof: bytes.slice(NETWORK_PROOF_AT, TRANSPORT_AT),
        transport,
        endpoint: { host, port },
      },
      ringSignature: bytes.slice(signatureAt, sealAt),
      seal: bytes.slice(sealAt),
    },
  };
}
