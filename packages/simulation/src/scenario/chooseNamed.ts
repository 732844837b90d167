import { RandomStream } from '@tutti/core';

/**
 * Chooses one of the names by a seed, each with the same odds. Every name draws a number of its own and the greatest
 * wins. So a name that is added to the list changes a choice only by being chosen.
 *
 * @param purpose distinguishes this choice from others of the same seed.
 */
export function chooseNamed<Name extends string>(names: readonly Name[], seed: number, purpose: string): Name {
  const drawn = names.map((name) => ({ name, number: new RandomStream(seed, `${purpose}: ${name}`).nextUint32() }));
  return drawn.reduce((best, one) => (one.number > best.number ? one : best)).name;
}
