import type { ListedRegistry } from '@tutti/certificates';
import { type Endpoint, type RegistryTransport, registryDigest } from '@tutti/core';
import { type NodeSecrets, registryEntry } from '@tutti/node-cli/nodes';
import { placementOf, roundSeed, sessionId, signWithNetworkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';
import { makeRegistration, ringsOf, SignedRegistrations } from '../runtime.ts';
import { defaultSetupConfig, type SetupConfig } from '../setup.ts';
import { type ListedIdentity, verifyListedIdentity } from './listedIdentity.ts';
import { openRings, type RingSchemeName, ringSchemes } from './openRings.ts';

/** Returns the parameters of a set-up in which registrations of all members may wait, with the given values. */
export function setupConfigOf(members: number, given: Partial<SetupConfig>): SetupConfig {
  return { ...defaultSetupConfig, maxAnonymous: Math.max(defaultSetupConfig.maxAnonymous, members), ...given };
}

const identitiesLabel = new TextEncoder().encode('tutti identities v1');

interface MemberSetupOptions {
  readonly bls: Bls;
  readonly scheme: RingSchemeName;
  /** Minimum number of members of a ring. */
  readonly ring: number;
  /** Label of the set-up. */
  readonly event: string;
  /** List of members, identical for all members. */
  readonly registry: ListedRegistry;
  /** Identities of the members, in the order of the list. */
  readonly identities: readonly ListedIdentity[];
}

/** One set-up, determined by its public list of members. All members derive the same set-up from the list. */
export class MemberSetup {
  /** Places of the members of each ring. */
  readonly rings: readonly (readonly number[])[];
  /**
   * Session of the set-up's channels, 32 bytes. The session is derived from the list of members and the label, and is
   * also the event of the set-up's ring signatures. Within one event, a member registers once. A different label
   * results in a different event. Keys of that event cannot be linked to keys of this event.
   */
  readonly session: Uint8Array;
  readonly registrations: SignedRegistrations;
  readonly #options: MemberSetupOptions;
  readonly #opened: ReturnType<typeof openRings>;

  /** @throws EnvironmentError `bad-identity` or `bad-ring` for an invalid list. */
  constructor(options: MemberSetupOptions) {
    const { bls, scheme, ring, event, registry, identities } = options;
    const { entries } = registry;
    this.#options = options;
    for (const [index, { publicKey }] of entries.entries())
      verifyListedIdentity(bls, publicKey, identities[index]!, index);
    const keys = identities.map(({ publicKey }) => publicKey);
    const digest = nodeCrypto.sha256([identitiesLabel, registryDigest(nodeCrypto, registry), ...keys]);
    this.session = sessionId(nodeCrypto, digest, `set-up ${event}`);
    this.rings = ringsOf(placementOf(nodeCrypto, entries.length, roundSeed(nodeCrypto, digest, 0)), ring);
    this.#opened = openRings(ringSchemes[scheme], this.rings, keys, this.session);
    this.registrations = new SignedRegistrations({
      crypto: nodeCrypto,
      signatures: bls,
      rings: this.#opened,
      transport: entries[0]!.transport,
    });
  }

  /**
   * Returns a member's registration of an anonymous key.
   *
   * @param identitySecret identity secret of the member, 32 bytes.
   */
  register(
    member: number,
    identitySecret: Uint8Array,
    secrets: NodeSecrets,
    at: { readonly endpoint: Endpoint; readonly transport: RegistryTransport },
  ): Uint8Array {
    const { bls, scheme } = this.#options;
    const number = this.rings.findIndex((ring) => ring.includes(member));
    const ring = this.#opened.rings[number]!;
    return makeRegistration(
      nodeCrypto,
      number,
      { ...registryEntry(bls, secrets, at.endpoint), transport: at.transport },
      {
        sign: (message) => bls.sign(secrets.secretKey, message),
        signWithNetworkKey: (message) => signWithNetworkKey(nodeCrypto, secrets.networkSecret, message),
        signInRing: (message) =>
          ringSchemes[scheme].sign(ring, identitySecret, this.session, message, nodeCrypto.randomBytes(32)),
      },
    );
  }
}
