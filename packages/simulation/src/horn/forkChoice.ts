/** A block that a validator's latest message is for; undefined for one that has never voted. */
type Vote = number | undefined;

/** One way in which a slot's votes can fall when Eve censors. */
interface VoteCase {
  /** Latest messages from before the slot, of the honest voters and of Eve's. */
  readonly honestBefore: readonly Vote[];
  readonly eveBefore: readonly Vote[];
  /** What the honest vote for, and Eve with them when she censors: an aggregate is for one block. */
  readonly block: number;
  /** How many of the honest, from the first on, are censored, at most as many as Eve has votes. */
  readonly censored: number;
}

/** The result of trying every case. */
export interface ForkChoiceCases {
  readonly cases: number;
  /** Cases whose weights Eve cannot achieve without censoring, although everybody censored has voted before. */
  readonly irreproducible: number;
  /** The same, with somebody censored who votes for the first time. */
  readonly irreproducibleFirstVotes: number;
}

/**
 * The appendix's argument, tried on all cases of a few votes on a few blocks (Horn: "Censorship attack implications on
 * consensus"): whatever weights the blocks get when Eve censors, she gets them without, by other votes of her own. The
 * fork choice sees nothing but these weights, and all votes weigh the same.
 */
export function forkChoiceCases(blocks: number, honestVoters: number, eveVoters: number): ForkChoiceCases {
  const before: readonly Vote[] = [undefined, ...range(blocks)];
  let cases = 0;
  let irreproducible = 0;
  let irreproducibleFirstVotes = 0;
  for (const honestBefore of tuples(before, honestVoters)) {
    for (const eveBefore of tuples(before, eveVoters)) {
      for (const block of range(blocks)) {
        for (const censored of range(Math.min(honestVoters, eveVoters) + 1)) {
          cases++;
          const votes = { honestBefore, eveBefore, block, censored };
          if (isReproducible(votes, blocks)) continue;
          if (honestBefore.slice(0, censored).includes(undefined)) irreproducibleFirstVotes++;
          else irreproducible++;
        }
      }
    }
  }
  return { cases, irreproducible, irreproducibleFirstVotes };
}

/** Whether votes of Eve's without censorship, each to a block or as before, give the weights that she gets with it. */
function isReproducible({ honestBefore, eveBefore, block, censored }: VoteCase, blocks: number): boolean {
  const honest = honestBefore.map((vote, voter) => (voter < censored ? vote : block));
  const wanted = weights([...honest, ...eveBefore.map(() => block)], blocks);
  const uncensored = honestBefore.map(() => block);
  return tuples<Vote>([undefined, ...range(blocks)], eveBefore.length).some((cast) => {
    const eve = cast.map((vote, voter) => vote ?? eveBefore[voter]);
    return weights([...uncensored, ...eve], blocks).every((weight, index) => weight === wanted[index]);
  });
}

function weights(votes: readonly Vote[], blocks: number): number[] {
  return range(blocks).map((block) => votes.filter((vote) => vote === block).length);
}

/** Every way to choose `length` times from the values. */
function tuples<T>(values: readonly T[], length: number): T[][] {
  if (length === 0) return [[]];
  return tuples(values, length - 1).flatMap((tuple) => values.map((value) => [...tuple, value]));
}

function range(end: number): number[] {
  return Array.from({ length: end }, (_, index) => index);
}
