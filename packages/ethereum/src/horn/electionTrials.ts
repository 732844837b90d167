import { RandomStream } from '@tutti/core';
import type { Election } from '@tutti/core/horn';
import { electionModulus, isElected } from '@tutti/core/internal/horn';

/** How often in `trials` elections nobody was elected, or nobody honest. */
export interface ElectionTrials {
  readonly trials: number;
  readonly none: number;
  readonly noneHonest: number;
}

/**
 * Elections held member by member, to compare with the closed form. The hash of a slot signature is drawn; whether a
 * member is honest is drawn when it matters, and an election is over with its first honest aggregator.
 */
export function holdElections(election: Election, honestShare: number, trials: number, seed: number): ElectionTrials {
  const random = new RandomStream(seed, 'election');
  const modulus = electionModulus(election);
  let none = 0;
  let noneHonest = 0;
  for (let trial = 0; trial < trials; trial++) {
    let elected = false;
    let honest = false;
    for (let member = 0; member < election.members && !honest; member++) {
      if (!isElected(random.nextUint32(), random.nextUint32(), modulus)) continue;
      elected = true;
      honest = random.nextUnit() < honestShare;
    }
    if (!elected) none++;
    if (!honest) noneHonest++;
  }
  return { trials, none, noneHonest };
}
