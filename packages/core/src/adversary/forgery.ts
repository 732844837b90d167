import { type Contribution, noContribution } from '../protocol.ts';
import type { AttackSetting } from './attack.ts';

// What Byzantine nodes make up; every contribution is retained once for the caller.

/** A contribution that claims all of a block and does not verify. */
export function forgeFull({ scheme }: AttackSetting, block: number): Contribution {
  return scheme.forge(block, undefined);
}

/** An invalid contribution over a block, which claims only one of its ids as signer. */
export function forgeOf({ scheme }: AttackSetting, block: number, id: number): Contribution {
  const words = new Int32Array((scheme.tree.size(block) + 31) >>> 5);
  const bit = id - scheme.tree.start(block);
  words[bit >>> 5] = 1 << (bit & 31);
  return scheme.forge(block, words);
}

/** The individual contribution of a Byzantine node as an aggregate over a block: valid. */
export function alone({ scheme, individual }: AttackSetting, block: number, id: number): Contribution {
  const own = individual(id);
  const aggregate = scheme.aggregate(block, noContribution, own);
  scheme.release(own);
  return aggregate;
}

/** All of the coalition's members in a block, aggregated: valid. */
export function togetherOver({ scheme, members, individual }: AttackSetting, block: number): Contribution {
  let together: Contribution = noContribution;
  for (const member of members) {
    if (!scheme.tree.contains(block, member)) continue;
    const own = individual(member);
    const wider = scheme.aggregate(block, together, own);
    scheme.release(own);
    scheme.release(together);
    together = wider;
  }
  return together;
}
