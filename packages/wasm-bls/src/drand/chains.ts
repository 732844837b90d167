import type { Variant } from '../suite.ts';

/** How a chain of drand signs its rounds, by the names that its `/info` gives (`schemeID`). */
export type DrandScheme = 'pedersen-bls-chained' | 'pedersen-bls-unchained' | 'bls-unchained-g1-rfc9380';

/** A chain: what a verifier of its rounds has to know, and cannot learn from a round. */
export interface DrandChain {
  /** What people call it: drand's `beaconID`. */
  readonly name: string;
  readonly scheme: DrandScheme;
  /** The group's compressed key, hexadecimal. */
  readonly publicKey: string;
  /** The chain's own hash, by which its addresses name it; undefined where it was not said. */
  readonly hash?: string | undefined;
}

/** What a scheme signs, and where. */
interface SchemeRules {
  readonly variant: Variant;
  /** Basic scheme of the draft; the domain of signatures. */
  readonly domain: string;
  /** Whether the round's predecessor is signed with it. */
  readonly isChained: boolean;
}

const g2Domain = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_';

/** The schemes whose domain is that of the group they sign in: one older, which is not, serves no chain any more. */
export const drandSchemes: Readonly<Record<DrandScheme, SchemeRules>> = {
  'pedersen-bls-chained': { variant: 'min-pk', domain: g2Domain, isChained: true },
  'pedersen-bls-unchained': { variant: 'min-pk', domain: g2Domain, isChained: false },
  'bls-unchained-g1-rfc9380': {
    variant: 'min-sig',
    domain: 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_',
    isChained: false,
  },
};

/** The two chains of the League of Entropy's main network, as its clients have them built in. */
export const drandChains: Readonly<Record<'quicknet' | 'default', DrandChain>> = {
  quicknet: {
    name: 'quicknet',
    scheme: 'bls-unchained-g1-rfc9380',
    publicKey:
      '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
    hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  },
  default: {
    name: 'default',
    scheme: 'pedersen-bls-chained',
    publicKey: '868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31',
    hash: '8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce',
  },
};
