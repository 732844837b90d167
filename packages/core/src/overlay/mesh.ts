import { requireInteger } from '../errors.ts';
import { shuffle } from '../random.ts';

/**
 * A gossip mesh: the neighbours of each node, by id. The neighbour relation is symmetric. No node is its own neighbour
 * or listed twice as a neighbour.
 */
export type Mesh = readonly Int32Array[];

/**
 * Draws a random mesh with a seed. The mesh is the union of `degree` / 2 random cycles through all nodes, plus random
 * pairs for an odd degree. Each node has `degree` neighbours. One node has one neighbour less if both the degree and the
 * number of nodes are odd. Nodes also have fewer if cycles and pairs have edges in common, which is rare in a mesh of
 * many nodes. With a degree of 2 or more, the mesh is always connected. With independently drawn neighbours, the mesh
 * would only be very likely to be connected.
 *
 * @param degree D; with N - 1 or more, the mesh is the complete graph.
 * @throws RangeError for a number of nodes or a degree outside 1 to 2^20.
 */
export function createMesh(nodes: number, degree: number, seed: number): Mesh {
  requireInteger('nodes', nodes, 1, 2 ** 20);
  requireInteger('degree', degree, 1, 2 ** 20);
  if (degree >= nodes - 1)
    return Array.from({ length: nodes }, (_, id) =>
      Int32Array.from({ length: nodes - 1 }, (_, index) => (id + 1 + index) % nodes),
    );
  const neighbours: number[][] = Array.from({ length: nodes }, () => []);
  const connect = (a: number, b: number): void => {
    if (neighbours[a]!.includes(b)) return;
    neighbours[a]!.push(b);
    neighbours[b]!.push(a);
  };
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
 * Returns the index of a neighbour in a node's list, or -1 for any other node. The function is called for every
 * message. For lists of eight neighbours, the function takes a fraction of the time of `indexOf`.
 */
export function placeOf(neighbours: Int32Array, id: number): number {
  for (let place = 0; place < neighbours.length; place++) if (neighbours[place] === id) return place;
  return -1;
}
