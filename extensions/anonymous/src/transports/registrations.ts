import type { ListedEntry } from '@tutti/certificates';
import {
  type Contribution,
  type RegistryTransport,
  type RegistryVerifier,
  registrationStatement,
  verifyEntry,
} from '@tutti/core';
import { concat, EnvironmentError, fromHex, requireMethods, requireObject, toHex } from '@tutti/core/input';
import { type CryptoSuite, inLaterTurn, requireSuite, verifyNetworkKey } from '@tutti/transports';
import type { RingMark } from '../ring.ts';
import { HandleStore, type RegistrationRelation, type RegistrationScheme } from '../setup.ts';
import {
  decodeRegistration,
  encodeRegistration,
  encodeStatement,
  networkKeyPart,
  type Registration,
  type RegistrationFault,
  signedPart,
} from './registration.ts';
import type { SetupRings } from './setupRings.ts';

/** Length of a registration's name, bytes; the name is the truncated SHA-256 of the registration. */
export const nameBytes = 16;

interface StoredRegistration {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly registration: Registration;
  /**
   * Mark that the ring signature would have if it were valid; null for a malformed signature, undefined until the mark
   * is computed.
   */
  claim: RingMark | null | undefined;
  /** Result of the verification, which is done only once per registration. */
  verdict: Promise<boolean> | undefined;
  /** Mark of the ring signature, once the signature was found valid. */
  mark: RingMark | undefined;
}

interface StoredList {
  /** SHA-256 of the list's bytes, by which the list is found among the stored lists. */
  readonly digest: string;
  readonly names: ReadonlySet<string>;
  readonly bytes: Uint8Array;
}

type Stored = { readonly one: StoredRegistration } | { readonly list: StoredList };

/** Options of the registrations of one set-up. */
export interface SignedRegistrationsOptions {
  readonly crypto: CryptoSuite;
  /** Verifier of the signatures of the anonymous keys. */
  readonly signatures: RegistryVerifier;
  readonly rings: SetupRings;
  /** Transport of all members; registrations with a different transport are rejected. */
  readonly transport: RegistryTransport;
}

const offenderDomain = new TextEncoder().encode('tutti anonymous offender v1\0');

/**
 * The registrations of one set-up, with real signatures. The nodes of a process share this object: each registration is
 * decoded and verified once for all nodes, because the result depends only on the registration's bytes. Verifications
 * run one at a time, each in a separate turn of the event loop.
 */
export class SignedRegistrations implements RegistrationScheme {
  readonly members: number;
  readonly #options: SignedRegistrationsOptions;
  readonly #stored = new HandleStore<Stored>();
  readonly #handles = new Map<string, Contribution>();
  /** Lists by digest. Members that agree all send lists with the same digest. */
  readonly #lists = new Map<string, Contribution>();
  #last: Promise<unknown> = Promise.resolve();
  #verified = 0;

  /** @throws TypeError for an option that is missing or has the wrong type. */
  constructor(options: SignedRegistrationsOptions) {
    requireObject('options', options);
    requireSuite(options.crypto);
    requireMethods('signatures', options.signatures, ['verify', 'verifyPossession']);
    requireMethods('rings', options.rings, ['verify', 'claimed', 'relate']);
    this.members = options.rings.members;
    this.#options = options;
  }

  /** Lengths of signatures, per ring. */
  get signatureBytes(): readonly number[] {
    return this.#options.rings.signatureBytes;
  }

  /** Number of ring signatures verified so far. */
  get verified(): number {
    return this.#verified;
  }

  /** Number of registrations and lists in the store. */
  get held(): number {
    return this.#stored.size;
  }

  /** Decodes a registration; the returned handle is retained once for the caller. */
  decode(
    bytes: Uint8Array,
  ): { readonly ok: true; readonly handle: Contribution } | { readonly ok: false; readonly code: RegistrationFault } {
    const name = toHex(this.#options.crypto.sha256([bytes]).subarray(0, nameBytes));
    const known = this.#handles.get(name);
    if (known !== undefined) {
      this.retain(known);
      return { ok: true, handle: known };
    }
    const decoded = decodeRegistration(bytes, this.#options.rings.signatureBytes, this.#options.transport);
    if (!decoded.ok) return decoded;
    const handle = this.#stored.add({
      one: {
        name,
        bytes: bytes.slice(),
        registration: decoded.registration,
        claim: undefined,
        verdict: undefined,
        mark: undefined,
      },
    });
    this.#handles.set(name, handle);
    return { ok: true, handle };
  }

  /** Returns the bytes of a registration. */
  bytes(registration: Contribution): Uint8Array {
    return this.#one(registration).bytes;
  }

  /** Returns the anonymous key and the address in a registration. */
  entry(registration: Contribution): ListedEntry {
    return this.#one(registration).registration.entry;
  }

  /** Returns whether all signatures of a registration are valid. A registration is verified only once. */
  verify(registration: Contribution): Promise<boolean> {
    const one = this.#one(registration);
    one.verdict ??= this.#inTurn(() => {
      one.mark = this.#check(one.registration);
      return one.mark !== undefined;
    });
    return one.verdict;
  }

  name(registration: Contribution): string {
    return this.#one(registration).name;
  }

  relate(a: Contribution, b: Contribution): RegistrationRelation {
    const [one, other] = [this.#one(a), this.#one(b)];
    if (one.mark === undefined || other.mark === undefined)
      throw new RangeError('relate: expected verified registrations, got one that is unverified or invalid');
    return this.#relation(one, one.mark, other, other.mark);
  }

  relateClaim(claim: Contribution, verified: Contribution): RegistrationRelation {
    const [one, other] = [this.#one(claim), this.#one(verified)];
    if (other.mark === undefined)
      throw new RangeError('relateClaim: expected a verified registration, got one that is unverified or invalid');
    if (one.claim === undefined) {
      const { ring, entry, networkSignature, ringSignature } = one.registration;
      const signed = signedPart(encodeStatement(ring, entry), networkSignature);
      one.claim = this.#options.rings.claimed(ring, signed, ringSignature) ?? null;
    }
    return one.claim === null ? { kind: 'independent' } : this.#relation(one, one.claim, other, other.mark);
  }

  #relation(a: StoredRegistration, ofA: RingMark, b: StoredRegistration, ofB: RingMark): RegistrationRelation {
    const { rings, crypto } = this.#options;
    const { ring } = a.registration;
    if (ring !== b.registration.ring) return { kind: 'independent' };
    const relation = rings.relate(ring, ofA, ofB);
    if (relation.kind === 'independent') return relation;
    const { shared, ...rest } = relation;
    const number = Uint8Array.of(ring >> 8, ring & 0xff);
    return { ...rest, offender: toHex(crypto.sha256([offenderDomain, number, ...shared]).subarray(0, nameBytes)) };
  }

  list(names: Iterable<string>): Contribution {
    // The names are sorted, so that members with the same names send identical lists.
    return this.readList(concat(...[...new Set(names)].sort().map((name) => fromHex(name, nameBytes)!)));
  }

  /** Decodes a list, which is a sequence of names; the returned handle is retained once for the caller. */
  readList(bytes: Uint8Array): Contribution {
    const digest = toHex(this.#options.crypto.sha256([bytes]));
    const known = this.#lists.get(digest);
    if (known !== undefined) {
      this.retain(known);
      return known;
    }
    const names = new Set<string>();
    for (let at = 0; at < bytes.length; at += nameBytes) names.add(toHex(bytes.subarray(at, at + nameBytes)));
    const handle = this.#stored.add({ list: { digest, names, bytes: bytes.slice() } });
    this.#lists.set(digest, handle);
    return handle;
  }

  /** Returns a list's bytes: its names in sequence. */
  listBytes(list: Contribution): Uint8Array {
    return this.#list(list).bytes;
  }

  names(list: Contribution): ReadonlySet<string> {
    return this.#list(list).names;
  }

  retain(handle: Contribution): void {
    this.#stored.retain(handle);
  }

  release(handle: Contribution): void {
    const gone = this.#stored.release(handle);
    if (gone === undefined) return;
    if ('one' in gone) this.#handles.delete(gone.one.name);
    else this.#lists.delete(gone.list.digest);
  }

  /** Verifies all signatures. Returns the mark of the ring signature; undefined if a signature is invalid. */
  #check(registration: Registration): RingMark | undefined {
    const { crypto, signatures, rings } = this.#options;
    const { ring, entry, networkSignature, ringSignature, seal } = registration;
    const all = encodeRegistration({ ...registration, seal: new Uint8Array() });
    // Inexpensive checks come before expensive ones.
    if (!signatures.verify(entry.publicKey, registrationStatement(crypto.sha256([all])), seal)) return undefined;
    try {
      verifyEntry(entry, 0, signatures);
    } catch (error) {
      if (error instanceof EnvironmentError) return undefined;
      throw error;
    }
    const statement = encodeStatement(ring, entry);
    if (!verifyNetworkKey(entry.networkKey, networkKeyPart(statement), networkSignature)) return undefined;
    this.#verified++;
    return rings.verify(ring, signedPart(statement, networkSignature), ringSignature);
  }

  /** Runs a task after all earlier tasks, in a separate turn of the event loop. */
  #inTurn<T>(task: () => T): Promise<T> {
    const done = this.#last.then(
      () =>
        new Promise<T>((resolve, reject) =>
          inLaterTurn(() => {
            try {
              resolve(task());
            } catch (error) {
              reject(error);
            }
          }),
        ),
    );
    this.#last = done.catch(() => {});
    return done;
  }

  #one(handle: Contribution): StoredRegistration {
    const value = this.#stored.get(handle);
    if ('one' in value) return value.one;
    throw new RangeError(`handle ${handle}: expected a registration, got a list`);
  }

  #list(handle: Contribution): StoredList {
    const value = this.#stored.get(handle);
    if ('list' in value) return value.list;
    throw new RangeError(`handle ${handle}: expected a list, got a registration`);
  }
}

/** Functions with which a member signs its registration. */
export interface RegistrationSigner {
  /** Returns a signature with the anonymous key: 96 bytes, compressed G2. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  /** Returns a signature with the network key: 64 bytes, see `signWithNetworkKey`. */
  readonly signWithNetworkKey: (message: Uint8Array) => Uint8Array;
  /** Signs as a member of the ring, without revealing which member. */
  readonly signInRing: (message: Uint8Array) => Uint8Array;
}

/**
 * Creates a registration with three signatures: by the network key over the content, by a ring member over the content
 * and the first signature, and by the anonymous key over all preceding data.
 *
 * @param ring number of the member's ring, see {@link ringsOf}.
 * @param entry content of the registration.
 * @returns bytes of the registration, for {@link SetupRuntimeOptions.own}.
 */
export function makeRegistration(
  crypto: CryptoSuite,
  ring: number,
  entry: ListedEntry,
  signer: RegistrationSigner,
): Uint8Array {
  requireSuite(crypto);
  requireObject('entry', entry);
  requireMethods('signer', signer, ['sign', 'signWithNetworkKey', 'signInRing']);
  const statement = encodeStatement(ring, entry);
  const networkSignature = signer.signWithNetworkKey(networkKeyPart(statement));
  const ringSignature = signer.signInRing(signedPart(statement, networkSignature));
  const unsealed = { ring, entry, networkSignature, ringSignature, seal: new Uint8Array() };
  const seal = signer.sign(registrationStatement(crypto.sha256([encodeRegistration(unsealed)])));
  return encodeRegistration({ ...unsealed, seal });
}
