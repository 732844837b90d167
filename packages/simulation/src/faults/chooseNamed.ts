import { RandomStream } from '@tutti/core';

/**
 * Chooses one of the names by a seed, each with the same probability. Each name draws its own number, and the greatest
 * wins. An additional name therefore changes a choice only if that name is chosen.
 *
 * @param purpose distinguishes this choice from others with the same seed.
 */
export function chooseNamed<Name extends string>(names: readonly Name[], seed: number, purpose: string): Name {
  const drawn = names.map((name) => ({ name, number: new RandomStream(seed, `${purpose}: ${name}`).nextUint32() }));
  return drawn.reduce((best, one) => (one.number > best.number ? one : best)).name;
}
