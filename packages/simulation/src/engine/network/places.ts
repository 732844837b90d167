import { RandomStream } from '@tutti/core';

/** Draws a place for each node, by population and seed. @returns indices into `population`. */
export function drawByPopulation(population: readonly number[], nodes: number, seed: number): Uint8Array {
  const random = new RandomStream(seed, 'places');
  const total = population.reduce((sum, here) => sum + here, 0);
  return Uint8Array.from({ length: nodes }, () => {
    let left = random.nextUnit() * total;
    return population.findIndex((here) => {
      left -= here;
      return left < 0;
    });
  });
}
