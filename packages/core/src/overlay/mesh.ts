import { requireInteger } from '../errors.ts';
import { shuffle } from './shuffle.ts';

/** Who gossips with whom, by id: symmetric, nobody with itself, nobody twice. */
export type Mesh = readonly Int32Array[];

/**
 * A random mesh drawn by a seed, in which nodes have `degree` neighbours, or in a few cases one or two fewer: `degree`
 * / 2 random cycles through all nodes are laid over one another, and random pairs are added for an odd degree. With a
 * degree of 2 or more it is certainly connected; with independently drawn neighbours it would only very likely be.
 *
 * @param degree D; with N - 1 or more, everybody is everybody's neighbour.
 */
export function createMesh(nodes: number, degree: number, seed: number): Mesh {
  requireInteger('nodes', nodes, 1, 2 ** 20);
  requireInteger('degree', degree, 1, 2 ** 20);
  const neighbours: number[][] = Array.from({ length: nodes }, () => []);
  const connect = (a: number, b: number): void => {
    if (a === b || neighbours[a]!.includes(b)) return;
    neighbours[a]!.push(b);
    neighbours[b]!.push(a);
  };
  if (degree >= nodes - 1) {
    return neighbours.map((_, id) => Int32Array.from({ length: nodes - 1 }, (_, index) => (id + 1 + index) % nodes));
  }
  for (let cycle = 0; cycle < degree >>> 1; cycle++) {
    const order = shuffle(nodes, seed, `mesh: cycle ${cycle}`);
    for (let place = 0; place < nodes; place++) connect(order[place]!, order[(place + 1) % nodes]!);
  }
  if (degree % 2 === 1) {
    const order = shuffle(nodes, seed, 'mesh: pairs');
    for (let place = 0; place + 1 < nodes; place += 2) connect(order[place]!, order[place + 1]!);
  }
  return neighbours.map((of) => Int32Array.from(of));
}

/**
 * The place of a neighbour in a node's list, -1 for anybody else. Each message asks, and for a list of eight the
 * engine's own search costs several times as much.
 */
export function placeOf(neighbours: Int32Array, id: number): number {
  for (let place = 0; place < neighbours.length; place++) if (neighbours[place] === id) return place;
  return -1;
}
