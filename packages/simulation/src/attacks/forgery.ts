import { type Contribution, noContribution } from '@tutti/core';
import type { AttackSetting } from './attack.ts';

/**
 * Invalid and valid contributions that a coalition sends. Each contribution is created once, retained for the lifetime
 * of the coalition, and lent.
 */
export class Forgeries {
  readonly #setting: AttackSetting;
  /** Contributions by block. */
  readonly #full = new Map<number, Contribution>();
  readonly #together = new Map<number, Contribution>();
  /** Contributions by block and id; see `#key`. */
  readonly #claimOf = new Map<number, Contribution>();
  readonly #allBut = new Map<number, Contribution>();
  readonly #alone = new Map<number, Contribution>();

  constructor(setting: AttackSetting) {
    this.#setting = setting;
  }

  /** Returns an invalid contribution that claims all of a block. */
  full(block: number): Contribution {
    return cached(this.#full, block, () => this.#setting.scheme.forge(block, undefined));
  }

  /** Returns an invalid contribution over a block that claims one of its ids. */
  claimOf(block: number, id: number): Contribution {
    return cached(this.#claimOf, this.#key(block, id), () => {
      const { scheme } = this.#setting;
      const words = new Int32Array((scheme.tree.size(block) + 31) >>> 5);
      const bit = id - scheme.tree.start(block);
      words[bit >>> 5] = 1 << (bit & 31);
      return scheme.forge(block, words);
    });
  }

  /**
   * Returns an invalid contribution that claims all ids of a block except the given one; the block must have several
   * ids.
   */
  allBut(block: number, id: number): Contribution {
    return cached(this.#allBut, this.#key(block, id), () => {
      const { scheme } = this.#setting;
      const words = scheme.setWords(this.full(block));
      const bit = id - scheme.tree.start(block);
      words[bit >>> 5]! &= ~(1 << (bit & 31));
      return scheme.forge(block, words);
    });
  }

  /** Returns the valid individual contribution of a Byzantine node as an aggregate over a block. */
  alone(block: number, id: number): Contribution {
    return cached(this.#alone, this.#key(block, id), () => this.#wider(block, noContribution, id));
  }

  /**
   * Returns the valid aggregate of the coalition's members in a block; noContribution if the block contains no members.
   */
  together(block: number): Contribution {
    return cached(this.#together, block, () => {
      const { scheme, members } = this.#setting;
      let together: Contribution = noContribution;
      for (const member of members) {
        if (!scheme.tree.contains(block, member)) continue;
        const wider = this.#wider(block, together, member);
        scheme.release(together);
        together = wider;
      }
      return together;
    });
  }

  #key(block: number, id: number): number {
    return block * this.#setting.scheme.tree.nodes + id;
  }

  /** Returns the aggregate of a contribution and a member's individual contribution. */
  #wider(block: number, contribution: Contribution, member: number): Contribution {
    const { scheme, individual } = this.#setting;
    const own = individual(member);
    const wider = scheme.aggregate(block, contribution, own);
    scheme.release(own);
    return wider;
  }
}

/** Returns the cached contribution of a key; the first call creates the contribution. */
function cached(cache: Map<number, Contribution>, key: number, make: () => Contribution): Contribution {
  let contribution = cache.get(key);
  if (contribution === undefined) {
    contribution = make();
    cache.set(key, contribution);
  }
  return contribution;
}
