/** Which blocks a run of the checks replays. */
import { createHash } from 'node:crypto';

const hashOf = (text) => createHash('sha256').update(text).digest().readUInt32LE(0);

/** A third of the blocks goes with each run in turn, so that three runs one after the other replay all of them. */
export const thirdOf = (name) => hashOf(name) % 3;

/**
 * @template {{ readonly name: string }} Block
 * @param {readonly Block[]} blocks
 * @param {object} options
 * @param {number} options.run of the checks, by its number; blocks of its third are replayed, and by chance some others.
 * @param {number} options.seed of that chance.
 * @param {number} [options.budget] the most that may be spent; undefined for a whole third, and one in ten of the others.
 * @param {(block: Block) => number} [options.costOf]
 * @returns {Block[]}
 */
export function sampleOf(blocks, { run, seed, budget, costOf }) {
  const drawn = blocks
    .map((block) => ({ block, isTurn: thirdOf(block.name) === run % 3, chance: hashOf(`${seed} ${block.name}`) }))
    .sort((a, b) => a.chance - b.chance);
  if (budget === undefined)
    return drawn.filter(({ isTurn, chance }) => isTurn || chance < 2 ** 32 / 10).map(({ block }) => block);
  let left = budget;
  return drawn
    .toSorted((a, b) => Number(b.isTurn) - Number(a.isTurn))
    .map(({ block }) => block)
    .filter((block) => {
      const cost = costOf(block);
      if (cost > left) return false;
      left -= cost;
      return true;
    });
}
