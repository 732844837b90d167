import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { fromHex } from '@tutti/core/input';
import { joinBytes } from '@tutti/wasm-bls/kernel';
import type { PixelCurve } from './curve.ts';
import { labelled } from './randomness.ts';
import type { PixelSuite } from './suite.ts';
import { timeTreeDepth } from './timeTree.ts';

/** SHA-512's initial hash value, big-endian, used as a nothing-up-my-sleeve number. */
const defaultSeed =
  '6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179';

/** The standard generator of G1, uncompressed. */
const g1Generator =
  '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1';

/** Returns h, then h_0 to h_D: 192 bytes each, points of G2 with unknown discrete logarithms. */
export function generatorPoints(curve: PixelCurve, suite: PixelSuite): Uint8Array {
  const key = extract(sha512, fromHex(defaultSeed)!, labelled('Pixel public parameter generation'));
  const point = (info: Uint8Array): Uint8Array => suite.hashToG2(curve, expand(sha512, key, info, 32), 'generator');
  const indexed = Array.from({ length: timeTreeDepth + 1 }, (_, i) => point(labelled('H2G_h', Uint8Array.of(i))));
  return joinBytes([point(labelled('H2G_h')), ...indexed]);
}

/**
 * Returns the parameters' file, 6,626 bytes: suite, depth, the generator of G1, and the generators of G2, all
 * uncompressed.
 */
export function parameterBytes(suite: PixelSuite, points: Uint8Array): Uint8Array {
  return joinBytes([Uint8Array.of(suite.byte, timeTreeDepth), fromHex(g1Generator)!, points]);
}
