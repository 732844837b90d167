import type { ListedEntry } from '@tutti/certificates';
import type { Endpoint, RegistryTransport } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { insecureSecrets, type NodeSecrets, registryEntry } from '@tutti/node-cli/nodes';
import { type Bls, insecureSeed } from '@tutti/wasm-bls';
import { type IdentityKeyPair, identityKeyGen } from '../ring.ts';
import { listIdentity } from './listedIdentity.ts';
import { MemberSetup } from './memberSetup.ts';
import type { RingSchemeName } from './openRings.ts';

/** A member with insecure test keys: its public data, and its secrets. */
interface InsecureMember {
  readonly secrets: NodeSecrets;
  readonly identity: IdentityKeyPair;
  readonly entry: ListedEntry;
}

interface InsecureSetupOptions {
  readonly bls: Bls;
  readonly scheme: RingSchemeName;
  /** Minimum number of members of a ring. */
  readonly ring: number;
  readonly seed: number;
  readonly event: string;
  readonly transport: RegistryTransport;
  /** Inboxes of the members, in the order of `places`. */
  readonly inboxes: readonly Endpoint[];
  /** Indices of the members in the first set-up. A later set-up omits the excluded members. */
  readonly places: readonly number[];
}

/** Set-up whose members' keys are derived from a seed and are therefore not secret. */
export class InsecureSetup {
  readonly members: readonly InsecureMember[];
  readonly shared: MemberSetup;
  readonly #options: InsecureSetupOptions;

  constructor(options: InsecureSetupOptions) {
    const { bls, scheme, ring, seed, event, transport, inboxes, places } = options;
    this.#options = options;
    this.members = inboxes.map((endpoint, index) => {
      const place = places[index]!;
      const secrets = insecureSecrets(bls, seed, place);
      return {
        ...{ secrets, identity: identityKeyGen(insecureSeed('identity', seed, place)) },
        entry: { ...registryEntry(bls, secrets, endpoint), transport },
      };
    });
    this.shared = new MemberSetup({
      ...{ bls, scheme, ring, event },
      registry: { scheme: 'bls', entries: this.members.map(({ entry }) => entry) },
      identities: this.members.map(({ secrets, identity }) => listIdentity(bls, secrets.secretKey, identity)),
    });
  }

  /**
   * Returns a member's anonymous key pair, which is new for each set-up, and insecure because it is derived from a
   * seed.
   */
  anonymousSecrets(member: number, copy = 0): NodeSecrets {
    const { bls, seed } = this.#options;
    const fresh = (purpose: string) =>
      insecureSeed(`anonymous ${purpose} ${copy} ${toHex(this.shared.session)}`, seed, member);
    return { secretKey: bls.keyGen(fresh('signing')), networkSecret: fresh('network') };
  }

  /** Returns a member's registration of an anonymous key. */
  register(member: number, secrets: NodeSecrets, endpoint: Endpoint): Uint8Array {
    const { transport } = this.#options;
    return this.shared.register(member, this.members[member]!.identity.secretKey, secrets, { endpoint, transport });
  }
}
