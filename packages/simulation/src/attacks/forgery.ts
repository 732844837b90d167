import { type Contribution, noContribution } from '@tutti/core';
import type { AttackSetting } from './attack.ts';

/**
 * What the Byzantine nodes of a coalition make up and put together. Each is made once, held for as long as the
 * coalition lives, and lent: a victim that is handed one takes room only for a reference to it.
 */
export class Forgeries {
  readonly #setting: AttackSetting;
  /** By block. */
  readonly #full = new Map<number, Contribution>();
  readonly #together = new Map<number, Contribution>();
  /** By block, then by id. */
  readonly #of = new Map<number, Map<number, Contribution>>();
  readonly #allBut = new Map<number, Map<number, Contribution>>();
  readonly #alone = new Map<number, Map<number, Contribution>>();

  constructor(setting: AttackSetting) {
    this.#setting = setting;
  }

  /** A contribution that claims all of a block and does not verify. */
  full(block: number): Contribution {
    return remembered(this.#full, block, () => this.#setting.scheme.forge(block, undefined));
  }

  /** An invalid contribution over a block, which claims only one of its ids as signer. */
  of(block: number, id: number): Contribution {
    return remembered(partOf(this.#of, block), id, () => {
      const { scheme } = this.#setting;
      const words = new Int32Array((scheme.tree.size(block) + 31) >>> 5);
      const bit = id - scheme.tree.start(block);
      words[bit >>> 5] = 1 << (bit & 31);
      return scheme.forge(block, words);
    });
  }

  /** An invalid contribution that claims all of a block, of more than one id, but this one. */
  allBut(block: number, id: number): Contribution {
    return remembered(partOf(this.#allBut, block), id, () => {
      const { scheme } = this.#setting;
      const words = scheme.setWords(this.full(block));
      const bit = id - scheme.tree.start(block);
      words[bit >>> 5]! &= ~(1 << (bit & 31));
      return scheme.forge(block, words);
    });
  }

  /** The individual contribution of a Byzantine node as an aggregate over a block: valid. */
  alone(block: number, id: number): Contribution {
    return remembered(partOf(this.#alone, block), id, () => this.#wider(block, noContribution, id));
  }

  /** All of the coalition's members in a block, aggregated: valid; noContribution where there is none. */
  together(block: number): Contribution {
    return remembered(this.#together, block, () => {
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

  #wider(block: number, contribution: Contribution, member: number): Contribution {
    const { scheme, individual } = this.#setting;
    const own = individual(member);
    const wider = scheme.aggregate(block, contribution, own);
    scheme.release(own);
    return wider;
  }
}

function partOf(byBlock: Map<number, Map<number, Contribution>>, block: number): Map<number, Contribution> {
  let byId = byBlock.get(block);
  if (byId === undefined) {
    byId = new Map();
    byBlock.set(block, byId);
  }
  return byId;
}

function remembered(known: Map<number, Contribution>, key: number, make: () => Contribution): Contribution {
  let contribution = known.get(key);
  if (contribution === undefined) {
    contribution = make();
    known.set(key, contribution);
  }
  return contribution;
}
