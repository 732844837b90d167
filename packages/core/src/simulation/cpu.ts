import { RandomStream } from '../random.ts';

/** How many times slower, or by its inverse faster, than a standard node a node can be (v1.03 appendix A). */
const spread = 3;

/**
 * What a verification costs on each node over what it costs on a standard one: half of the nodes uniform in [1/3, 1], half in [1, 3].
 */
export function cpuFactors(nodes: number, seed: number): Float32Array {
  const random = new RandomStream(seed, 'cpu');
  return Float32Array.from({ length: nodes }, () => {
    const faster = random.nextUnit() < 0.5;
    const at = random.nextUnit();
    return faster ? 1 / spread + at * (1 - 1 / spread) : 1 + at * (spread - 1);
  });
}
