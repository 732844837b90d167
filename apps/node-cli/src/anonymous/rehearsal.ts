import {
  type Endpoint,
  type ListedEntry,
  makeRegistration,
  nodeCrypto,
  placementOf,
  type RegistryTransport,
  registryDigest,
  ringsOf,
  roundSeed,
  SignedRegistrations,
  toHex,
} from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';
import { rehearsalSeed } from '@tutti/wasm-bls';
import { type IdentityKeyPair, identityKeyGen } from '@tutti/wasm-bls/ring';
import { type NodeSecrets, registryEntry, rehearsalSecrets } from '../nodeKeys.ts';
import { checkIdentity, type ListedIdentity, listIdentity } from './listedIdentity.ts';
import { openRings, type RingSchemeName, ringSchemes } from './openRings.ts';
import { identitiesDigest, setupEvent } from './setupEvent.ts';

/** A member of a rehearsal: what it is publicly known by, and what is known to it alone. */
export interface RehearsedMember {
  readonly secrets: NodeSecrets;
  readonly identity: IdentityKeyPair;
  readonly entry: ListedEntry;
  readonly listed: ListedIdentity;
}

export interface RehearsedSetupOptions {
  readonly bls: Bls;
  readonly scheme: RingSchemeName;
  /** Members a ring has at least. */
  readonly ring: number;
  readonly seed: number;
  readonly event: string;
  readonly transport: RegistryTransport;
  /** Where the members' inboxes are. */
  readonly inboxes: readonly Endpoint[];
  /** Which members of the rehearsal these are, for one after others were struck; default: 0, 1 and so on. */
  readonly places?: readonly number[];
}

/** A set-up whose members' keys follow from a seed, and are therefore no secrets: their public list, its rings, and who registers what. */
export class RehearsedSetup {
  readonly members: readonly RehearsedMember[];
  /** Of each ring the members' places. */
  readonly rings: readonly (readonly number[])[];
  /** 32 bytes, see `setupEvent`. */
  readonly session: Uint8Array;
  readonly registrations: SignedRegistrations;
  readonly #options: RehearsedSetupOptions;
  readonly #opened: ReturnType<typeof openRings>;

  constructor(options: RehearsedSetupOptions) {
    const { bls, scheme, ring, seed, event, transport, inboxes, places } = options;
    this.#options = options;
    this.members = inboxes.map((endpoint, index) => {
      const place = places?.[index] ?? index;
      const secrets = rehearsalSecrets(bls, seed, place);
      const identity = identityKeyGen(rehearsalSeed('identity', seed, place));
      return {
        ...{ secrets, identity, listed: listIdentity(bls, secrets.secretKey, identity) },
        entry: { ...registryEntry(bls, secrets, endpoint), transport },
      };
    });
    const entries = this.members.map(({ entry }) => entry);
    for (const [index, { entry, listed }] of this.members.entries()) checkIdentity(bls, entry.publicKey, listed, index);
    const keys = this.members.map(({ listed }) => listed.publicKey);
    const digest = identitiesDigest(registryDigest(nodeCrypto, entries), keys);
    this.session = setupEvent(digest, event);
    this.rings = ringsOf(placementOf(nodeCrypto, entries.length, roundSeed(nodeCrypto, digest, 0)), ring);
    this.#opened = openRings(ringSchemes[scheme], this.rings, keys, this.session);
    this.registrations = new SignedRegistrations({ crypto: nodeCrypto, signatures: bls, rings: this.#opened });
  }

  /** An anonymous key pair of a member: fresh for each set-up, and here of a rehearsal. */
  anonymousSecrets(member: number, copy = 0): NodeSecrets {
    const { bls, seed } = this.#options;
    const fresh = (purpose: string) =>
      rehearsalSeed(`anonymous ${purpose} ${copy} ${toHex(this.session)}`, seed, member);
    return { secretKey: bls.keyGen(fresh('signing')), networkSecret: fresh('network') };
  }

  /** What a member registers for an anonymous key. */
  register(member: number, secrets: NodeSecrets, endpoint: Endpoint): Uint8Array {
    const { bls, scheme, transport } = this.#options;
    const number = this.rings.findIndex((ring) => ring.includes(member));
    const ring = this.#opened.rings[number]!;
    const { secretKey } = this.members[member]!.identity;
    return makeRegistration(
      nodeCrypto,
      number,
      { ...registryEntry(bls, secrets, endpoint), transport },
      {
        sign: (message) => bls.sign(secrets.secretKey, message),
        signInRing: (message) =>
          ringSchemes[scheme].sign(ring, secretKey, this.session, message, nodeCrypto.randomBytes(32)),
      },
    );
  }
}
