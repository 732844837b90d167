import { RandomStream, type Tree } from '@tutti/core';
import { expected, shortened } from '@tutti/core/input';

/** Consecutive subtrees, each with the same number of honest nodes. */
export interface Stretch {
  readonly subtrees: number;
  readonly honest: number;
  /** Number of leaves of each subtree, a power of two. */
  readonly size: number;
}

/**
 * Positions of the nodes of an attacker that chooses its ids. The stretches of subtrees are repeated from the first id
 * on, until all of the attacker's nodes or all ids are used. After that, some ids are exchanged.
 */
export interface Placement {
  readonly stretches: readonly Stretch[];
  /** One seed per exchange of an honest and a Byzantine id. */
  readonly exchanges: readonly number[];
}

/** Maximum number of stretches in a placement. */
export const maxStretches = 8;
/** Maximum number of exchanges in a placement. */
export const maxExchanges = 64;
/** Maximum number of leaves in a subtree, and maximum number of subtrees in a stretch. */
const maxNodes = 1 << 20;
/** Exclusive upper limit of the seeds of exchanges. */
export const exchangeSeeds = 100_000;

/** Expected form of a placement, for error messages. */
export const placementForm = `[SUBTREESx]HONESTofSIZE[+...][~SEED[.SEED...]], such as 1of16 or 2x1of32+1of8~7, where SIZE is a power of two, with at most ${maxStretches} terms and ${maxExchanges} seeds`;

/** Returns a placement as one word. */
export function placementText({ stretches, exchanges }: Placement): string {
  const terms = stretches.map(
    ({ subtrees, honest, size }) => `${subtrees === 1 ? '' : `${subtrees}x`}${honest}of${size}`,
  );
  return `${terms.join('+')}${exchanges.length === 0 ? '' : `~${exchanges.join('.')}`}`;
}

/** Reads the text of `placementText`. @throws RangeError with the label, the expected form and the actual text. */
export function readPlacement(text: string, label: string): Placement {
  const refuse = (): never => {
    throw new RangeError(expected(label, placementForm, shortened(text, 80)));
  };
  const [, terms = '', , seeds] = /^([\dxof+]+)(~(\d{1,5}(?:\.\d{1,5})*))?$/.exec(text) ?? [];
  const stretches = terms.split('+').map((term) => readStretch(term) ?? refuse());
  const exchanges = seeds === undefined ? [] : seeds.split('.').map(Number);
  if (stretches.length > maxStretches || exchanges.length > maxExchanges) refuse();
  return { stretches, exchanges };
}

function readStretch(term: string): Stretch | undefined {
  const [, subtrees = '1', honest, size] = /^(?:(\d{1,7})x)?(\d{1,7})of(\d{1,7})$/.exec(term) ?? [];
  const stretch = { subtrees: Number(subtrees), honest: Number(honest), size: Number(size) };
  const isSize = Number.isInteger(Math.log2(stretch.size)) && stretch.size <= maxNodes;
  const fits = isSize && stretch.honest <= stretch.size && stretch.subtrees >= 1 && stretch.subtrees <= maxNodes;
  return fits ? stretch : undefined;
}

/**
 * Returns the ids of a placement.
 *
 * @param eligible free ids, in a random order that the seed determines. The first eligible ids of a subtree remain
 * honest. The first eligible ids overall are used for nodes beyond the placement.
 * @param count at most the number of eligible ids.
 */
export function placedIds(
  { stretches, exchanges }: Placement,
  eligible: readonly number[],
  count: number,
  tree: Tree,
): readonly number[] {
  const taken = new Set<number>();
  const take = (ids: readonly number[]): void => {
    for (const id of ids.slice(0, count - taken.size)) taken.add(id);
  };
  for (const ids of idsBySubtree(stretches, eligible, tree)) take(ids);
  take(eligible.filter((id) => !taken.has(id)));
  const members = eligible.filter((id) => taken.has(id));
  const others = eligible.filter((id) => !taken.has(id));
  for (const seed of members.length === 0 || others.length === 0 ? [] : exchanges) {
    const random = new RandomStream(seed, 'placement');
    const [member, other] = [random.nextBelow(members.length), random.nextBelow(others.length)];
    [members[member], others[other]] = [others[other]!, members[member]!];
  }
  return members;
}

/** Yields, per subtree, the eligible ids that Byzantine nodes may use. */
function* idsBySubtree(stretches: readonly Stretch[], eligible: readonly number[], tree: Tree): Generator<number[]> {
  // The number of leaves is also the number of the first leaf.
  const leaves = tree.leafBase;
  /** Per eligible id: its place in the order drawn by seed. */
  const drawn = new Map(eligible.map((id, place) => [id, place]));
  const byLeaf = new Map(eligible.map((id) => [tree.leaf(id) - leaves, id]));
  let next = 0;
  for (let term = 0; next < leaves; term = (term + 1) % stretches.length) {
    const { subtrees, honest, size } = stretches[term]!;
    for (let subtree = 0; subtree < subtrees && next < leaves; subtree++) {
      const first = Math.ceil(next / size) * size;
      next = first + size;
      const ids: number[] = [];
      for (let leaf = first; leaf < Math.min(next, leaves); leaf++) {
        const id = byLeaf.get(leaf);
        if (id !== undefined) ids.push(id);
      }
      yield ids.sort((a, b) => drawn.get(a)! - drawn.get(b)!).slice(honest);
    }
  }
}
