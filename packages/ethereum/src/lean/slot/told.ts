import { topLevel } from '../rules.ts';
import { type LeanProof, type LeanSizes, positionsOfHalf, type SubnetMasks } from '../world.ts';
import type { LeanScenario } from './scenario.ts';

/** Members of the sibling half that plain halving levels tell of a proof: its peer in the mirror, and the next ones. */
const toldPeers = 8;

/**
 * Whom levels tell of a proof: the half above it, its first owner by the proof itself and the others by have-bits.
 *
 * @returns positions, and whether each gets the whole proof.
 */
export function toldOf(
  { rival, slot }: LeanScenario,
  sizes: LeanSizes,
  masks: SubnetMasks,
  { half, by }: LeanProof,
): [position: number, isWhole: boolean][] {
  const { subnets, branching, duties } = sizes;
  if (half === undefined || half.level === topLevel(subnets, branching)) return [];
  const above = { level: half.level + 1, index: Math.floor(half.index / branching) };
  const members = positionsOfHalf(sizes, above);
  if (rival === 'halving') {
    const own = new Set(positionsOfHalf(sizes, half));
    const others = members.filter((member) => !own.has(member));
    const start = others.length === 0 ? 0 : by % others.length;
    return [...others.slice(start), ...others.slice(0, start)].slice(0, toldPeers).map((one) => [one, false]);
  }
  const isTree = rival === 'tree';
  const first = isTree ? members[0] : members.find((one) => masks.rank(above, one, slot) === 0);
  return (isTree ? members : duties.map((_, position) => position))
    .filter((position) => position !== by)
    .map((position) => [position, position === first]);
}
